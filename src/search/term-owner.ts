import { createHash } from 'node:crypto';

/** The owner of a term in `buckets`: a hash. If two terms have the same, each is also looked for in years of the other. */
export function ownerOf(term: string): string {
  return String(createHash('sha256').update(term).digest().readBigInt64BE());
}
