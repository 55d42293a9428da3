import { createHash } from 'node:crypto';
import { MAX_ID_BIGINT } from '../../kit/base/snowflake';

/**
 * Derives an id for something that its source identifies only by content. It is decimal and never 0: 63 bits of the
 * SHA-256 of `kind` and `parts`, and so the same on every import. Parts stay separate: ('a', 'bc') is not ('ab', 'c').
 */
export function deriveId(kind: string, ...parts: readonly string[]): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest();
  const id = hash.readBigUInt64BE(0) & MAX_ID_BIGINT;
  return (id === 0n ? 1n : id).toString();
}
