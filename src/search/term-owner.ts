import { createHash } from 'node:crypto';

/** By which owner `buckets` knows a term: two terms of one number would only be looked for in a partition too many. */
export function ownerOf(term: string): string {
  return String(createHash('sha256').update(term).digest().readBigInt64BE());
}
