import { MIN_ID } from '../base/ids';
import { leastIdAt, snowflakeTime } from '../base/snowflake';
import { encodePosition, keyAfter, MAX_OTHERS, stretchAt, type Stretch } from './list-buckets';

/** How far ahead, in milliseconds, the next partition of a list that grows with time begins. */
export const AHEAD_MS = 10 * 60_000;

/** What servers must keep to when they write to lists, in milliseconds. Tests use shorter times. */
export interface ListTimes {
  /** How long a server uses what it knows of a list for recent rows: less than `AHEAD_MS`, so that it knows of each partition before it begins. */
  readonly trustedMs: number;
  /** How long a server uses what it knows of a list for other rows. */
  readonly trustedForOldRowsMs: number;
  /**
   * How long after a stretch was declared new rows go to its bucket. So a late write of a row still goes to a partition in which
   * its removal has looked for it.
   */
  readonly effectiveMs: number;
  /** If rows were not stored so soon after they were given their buckets, it is looked whether they are where readers look for them. */
  readonly storedWithinMs: number;
  /**
   * How long after the bucket of a gap was renewed no server stores rows of it in the former one: longer than a server uses what
   * it knows, `effectiveMs` and `storedWithinMs`, and what clocks may differ.
   */
  readonly settledMs: number;
}

export const LIST_TIMES: ListTimes = {
  trustedMs: AHEAD_MS / 2,
  trustedForOldRowsMs: 5_000,
  effectiveMs: 10_000,
  storedWithinMs: 5_000,
  settledMs: AHEAD_MS,
};

/** Rows of the last hour, and those up to a few minutes ahead of this server's clock, are recent. */
const RECENT_MS = 60 * 60_000;
/** Into how many parts the rows of a full partition are divided. */
const PARTS = 8;

type Position = readonly (Date | string)[];

/** A full partition of a list, and what is known of the list. */
interface Full {
  /** The stretches of the list, newest first, as they are stored now. */
  readonly stretches: readonly Stretch[];
  readonly bucket: number;
  /** The position of a row that was just written to the partition. */
  readonly position: Position;
  /** The keys of the partition's rows, newest first. */
  readonly keys: readonly string[];
  readonly now: Date;
  /** The number of the list's next bucket. */
  readonly next: number;
  /** `LIST_TIMES` by default. */
  readonly times?: ListTimes;
}

/** Whether a row is recent. In a list that grows with time all new rows are, unless older ones are filled in. */
export function isRecent(position: Position, now: Date): boolean {
  const [first] = position;
  const time = first instanceof Date ? first : first === undefined ? null : snowflakeTime(first);
  if (time === null) return false;
  const age = Number(now) - Number(time);
  return age < RECENT_MS && age > -LIST_TIMES.trustedMs;
}

/**
 * Decides how a list goes on whose partition is full. Returns the stretches to declare; none if there is nothing to do.
 * `isEmpty` tells whether a bucket has no rows from one key on and before another.
 *
 * A list that grows with time gets a new partition that begins some minutes ahead, so that every server knows of it in time.
 * Where older rows are filled in, the stretch of the partition is divided: it keeps its rows, and new rows go to the buckets
 * of the parts. Readers look into both. A later split of a part leaves out the buckets that have no rows of it.
 */
export async function splitList(
  full: Full,
  isEmpty: (bucket: number, since: string, until: string) => Promise<boolean>,
): Promise<readonly Stretch[]> {
  const { stretches, bucket, position, now, next, times = LIST_TIMES } = full;
  const stretch = stretchAt(stretches, encodePosition(position));
  // Another server has split it already.
  if (stretch.bucket !== bucket) return [];
  const until = stretches[stretches.indexOf(stretch) - 1]?.since ?? '';
  const grows = isRecent(position, now);
  if (grows && until !== '') return [];
  const sinces = grows ? [keyAt(position, Number(now) + AHEAD_MS)] : divide(full, stretch.since, until);
  // From then on no server writes older rows to the bucket from which their stretch was taken.
  const isKnownEverywhere = Number(now) - Number(stretch.effectiveAt) > 2 * LIST_TIMES.trustedForOldRowsMs;
  const effectiveAt = new Date(Number(now) + times.effectiveMs);
  const parts = await Promise.all(
    sinces.map(async (since, index): Promise<Stretch> => {
      const end = sinces[index + 1] ?? until;
      const isOld = end !== '' && end <= keyAt(position, Number(now) - RECENT_MS);
      const others = [bucket];
      for (const other of stretch.others)
        if (!(isKnownEverywhere && (isOld || grows)) || !(await isEmpty(other, since, end)))
          others.push(other);
      return { since, bucket: next + index, others, effectiveAt };
    }),
  );
  return parts.some(({ others }) => others.length > MAX_OTHERS) ? [] : parts;
}

/** Where the parts of a stretch begin: at its beginning, at even distances among the partition's rows, after them, and an hour ago. */
function divide({ keys, position, now }: Full, since: string, until: string): string[] {
  const own = keys.filter((key) => key >= since && (until === '' || key < until)).reverse();
  const newest = own.at(-1);
  const begins = [
    ...Array.from({ length: PARTS }, (_, part) => own[Math.floor((own.length * part) / PARTS)] ?? ''),
    newest === undefined ? '' : keyAfter(newest),
    keyAt(position, Number(now) - RECENT_MS),
  ];
  const inside = begins.filter((key) => key > since && (until === '' || key < until));
  return [...new Set([since, ...inside])].sort();
}

/** The least key of a moment, in a list with such positions. */
function keyAt([first]: Position, milliseconds: number): string {
  const moment = new Date(milliseconds);
  return encodePosition(first instanceof Date ? [moment, MIN_ID] : [leastIdAt(moment)]);
}
