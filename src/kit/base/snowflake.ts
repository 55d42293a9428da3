import { MAX_ID } from './ids';

/** The first millisecond of Twitter's snowflakes: 2010-11-04T01:42:54.657Z. */
export const SNOWFLAKE_EPOCH = 1_288_834_974_657;

/** The least snowflake of a moment. For a moment outside the range of snowflakes this is the nearer end of the range. */
export function leastIdAt(moment: Date): string {
  const id = BigInt(Number(moment) - SNOWFLAKE_EPOCH) << 22n;
  if (id < 0n) return '0';
  return BigInt.asIntN(64, id) === id ? String(id) : MAX_ID;
}

/** When a snowflake was created. */
export function timeOfId(snowflake: string): Date {
  return new Date(Number(BigInt(snowflake) >> 22n) + SNOWFLAKE_EPOCH);
}

/** The greatest 64-bit id. */
export const MAX_ID_BIGINT = BigInt(MAX_ID);
/** Twitter's ids before snowflakes were counted up. They had passed 29.7 thousand million when snowflakes began. */
const FIRST_SNOWFLAKE = 30_000_000_000n;
const LOW_22_BITS = 0x3f_ffffn;

/**
 * When a snowflake was created. Null for ids that cannot be snowflakes: Twitter's sequential ids from before November
 * 2010, and ids whose time is more than a day in the future.
 */
export function snowflakeTime(id: string): Date | null {
  const value = BigInt(id);
  if (value < FIRST_SNOWFLAKE || value > MAX_ID_BIGINT) return null;
  const time = Number((value >> 22n) + BigInt(SNOWFLAKE_EPOCH));
  return time > Date.now() + 86_400_000 ? null : new Date(time);
}

/** The snowflake of `date` whose 22 bits below the time are those of `low`. Null if the date is outside the range of snowflakes. */
export function snowflakeAt(date: Date, low: bigint): string | null {
  const id = ((BigInt(date.getTime()) - BigInt(SNOWFLAKE_EPOCH)) << 22n) | (low & LOW_22_BITS);
  return id < FIRST_SNOWFLAKE || id > MAX_ID_BIGINT ? null : id.toString();
}

/** The most servers that share a database: their numbers are 10 bits of the ids. */
export const MAX_SERVERS = 1024;
