import { createHash } from 'node:crypto';

const largest = 0x7fff_ffff_ffff_ffffn;
/** The first millisecond of Twitter's snowflakes: 2010-11-04T01:42:54.657Z. */
const epoch = 1_288_834_974_657n;
/** Twitter's ids before snowflakes were counted up, and had passed 29.7 thousand millions when snowflakes began. */
const firstSnowflake = 30_000_000_000n;
const low22 = 0x3f_ffffn;

/**
 * An id for something that its source names only by content: positive, decimal, 63 bits of the SHA-256 of
 * `kind` and `parts`, so the same on every import and never 0. Parts are kept apart: ('a', 'bc') is not ('ab', 'c').
 */
export function deriveId(kind: string, ...parts: readonly string[]): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest();
  const id = hash.readBigUInt64BE(0) & largest;
  return (id === 0n ? 1n : id).toString();
}

/**
 * When a snowflake id was made. Null for ids that cannot be snowflakes: Twitter's sequential ones of before
 * November 2010, and those that would come from the future.
 */
export function snowflakeTime(id: string): Date | null {
  const value = BigInt(id);
  if (value < firstSnowflake || value > largest) return null;
  const time = Number((value >> 22n) + epoch);
  return time > Date.now() + 86_400_000 ? null : new Date(time);
}

/** The snowflake id of `date` whose 22 bits below the time are those of `low`. Null before the first snowflake. */
export function snowflakeAt(date: Date, low: bigint): string | null {
  const id = ((BigInt(date.getTime()) - epoch) << 22n) | (low & low22);
  return id < firstSnowflake || id > largest ? null : id.toString();
}
