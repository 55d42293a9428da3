import { countWhile } from '../base/binary-search';
import { MIN_ID } from '../base/ids';
import { leastIdAt, snowflakeTime } from '../base/snowflake';
import {
  encodePosition,
  INITIAL_STRETCH,
  keyAfter,
  MAX_OTHERS,
  stretchAt,
  type Stretch,
} from './list-buckets';

/** How far ahead, in milliseconds, the next partition of a list begins that grows slowly with time. */
export const AHEAD_MS = 10 * 60_000;
/**
 * How far ahead, in milliseconds, the next partition of a list begins that grows fast: longer than a server uses its knowledge of such a
 * list.
 */
export const MIN_AHEAD_MS = 5_000;

/** The times that servers keep to when they write to lists, in milliseconds. Tests use shorter ones. */
export interface ListTimes {
  /** How long a server uses what it knows of a list for recent rows: less than `AHEAD_MS`, so that it knows of each partition before it begins. */
  readonly trustedMs: number;
  /** How long a server uses what it knows of a list for other rows, and of one that was split a short time ago for all. */
  readonly trustedForOldRowsMs: number;
  /**
   * How long after the declaration of a stretch new rows go to its bucket. Until then, a late write of a row still goes to a partition in
   * which its removal has looked for it.
   */
  readonly effectiveMs: number;
  /** If rows were not stored so soon after they were given their buckets, it is looked whether they are where readers look for them. */
  readonly storedWithinMs: number;
  /**
   * How long after a renewal of a gap's bucket no server stores rows of the gap in the former bucket: longer than a server uses its
   * knowledge of a list, `effectiveMs` and `storedWithinMs`, and the difference of clocks.
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

/** How much the clocks of two servers may differ: each is within five seconds of Cassandra's. */
const CLOCKS_APART_MS = 10_000;
/** Rows of the last hour, and those up to a few minutes ahead of this server's clock, are recent. */
const RECENT_MS = 60 * 60_000;
/** The number of parts into which the rows of a full partition are divided. */
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
  /** The number of rows that make the partition full. */
  readonly fullRows: number;
  readonly now: Date;
  /** The number of the list's next bucket. */
  readonly next: number;
  /** `LIST_TIMES` by default. */
  readonly times?: ListTimes;
}

/** Whether a row is recent. In a list that grows with time all new rows are recent, unless older ones are filled in. */
export function isRecent(position: Position, now: Date): boolean {
  const [first] = position;
  const time = first instanceof Date ? first : first === undefined ? null : snowflakeTime(first);
  if (time === null) return false;
  const age = Number(now) - Number(time);
  return age < RECENT_MS && age > -LIST_TIMES.trustedMs;
}

/** Returns the age, in milliseconds, up to which a server uses its knowledge of a list when it writes a row. */
export function trustedAge(
  position: Position,
  stretches: readonly Stretch[],
  now: Date,
  times: ListTimes,
): number {
  // A list that was split a short time ago may grow so fast that it soon is again.
  const [newest] = stretches;
  const isQuiet = Number(now) - Number(newest?.effectiveAt ?? 0) > times.settledMs;
  return isQuiet && isRecent(position, now) ? times.trustedMs : times.trustedForOldRowsMs;
}

/**
 * Whether a partition is full, or will be before the next one can begin, if as many rows come until then as have just come. For a list that
 * grows with time, the newest keys are enough.
 */
export function isFull({
  keys,
  fullRows,
  position,
  now,
}: Pick<Full, 'keys' | 'fullRows' | 'position' | 'now'>) {
  const coming = isRecent(position, now) ? rowsSince(keys, position, Number(now) - MIN_AHEAD_MS) : 0;
  return keys.length + coming >= fullRows;
}

/**
 * Decides how a list with a full partition goes on. Returns the stretches to declare; none if there is nothing to do. `isEmpty` tells
 * whether a bucket has no rows from one key on and before another.
 *
 * A list that grows with time gets a new partition that begins ahead, so that servers know of it in time: the sooner, the faster the list
 * grows. If older rows are filled in, the stretch of the partition is divided: it keeps its rows, and new rows go to the buckets of the
 * parts. Readers look into both. A later split of a part leaves out the buckets that have no rows of it.
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
  const aheadMs = grows ? aheadOf(full) : Infinity;
  const sinces = grows ? [beginAhead(full, aheadMs)] : divide(full, stretch.since, until);
  const effectiveAt = new Date(Number(now) + Math.min(times.effectiveMs, aheadMs));
  const parts = await Promise.all(
    sinces.map(async (since, index): Promise<Stretch> => {
      const end = sinces[index + 1] ?? until;
      const isOld = end !== '' && end <= keyAt(position, Number(now) - RECENT_MS);
      const others = [bucket];
      for (const [place, other] of stretch.others.entries()) {
        const isLeft = grows ? isNewKnown(full, stretch, place) : isOld && isKnown(stretch, now);
        if (!isLeft || !(await isEmpty(other, since, end))) others.push(other);
      }
      return { since, bucket: next + index, others, effectiveAt };
    }),
  );
  return parts.some(({ others }) => others.length > MAX_OTHERS) ? [] : parts;
}

/**
 * Returns how far ahead the next partition begins: when half as many rows as make one full will have come, if they come as they just did.
 */
function aheadOf({ keys, fullRows, position, now }: Full): number {
  const coming = rowsSince(keys, position, Number(now) - MIN_AHEAD_MS);
  const aheadMs = (MIN_AHEAD_MS * fullRows) / (2 * coming);
  return Math.min(AHEAD_MS, Math.max(MIN_AHEAD_MS, aheadMs));
}

/** Returns where the next partition begins. Servers whose clocks are ahead may have stored rows behind that position already. */
function beginAhead({ keys: [newest = ''], position, now }: Full, aheadMs: number): string {
  const begin = keyAt(position, Number(now) + aheadMs);
  const last = keyAt(position, Number(now) + aheadMs + CLOCKS_APART_MS);
  return newest < begin ? begin : newest < last ? keyAfter(newest) : last;
}

/** How many keys are of a moment or later. */
function rowsSince(keys: readonly string[], position: Position, milliseconds: number): number {
  const since = keyAt(position, milliseconds);
  return countWhile(keys, (key) => key >= since);
}

/** Whether no server writes older rows to the bucket from which a stretch was taken any more. */
function isKnown({ effectiveAt }: Stretch, now: Date): boolean {
  return Number(now) - Number(effectiveAt) > 2 * LIST_TIMES.trustedForOldRowsMs;
}

/**
 * Whether no server writes rows of a moment ahead to one of the former buckets of the newest stretch any more. If nothing was split long
 * before that one was taken from the bucket, some servers may know nothing else for long.
 */
function isNewKnown({ stretches, now, times = LIST_TIMES }: Full, stretch: Stretch, place: number): boolean {
  const declaredAt = (bucket: number | undefined) =>
    stretches.find((one) => one.bucket === bucket)?.effectiveAt;
  const { others } = stretch;
  const takenAt = Number((place > 0 && declaredAt(others[place - 1])) || stretch.effectiveAt);
  const usedMs = takenAt - Number(declaredAt(others[place]) ?? INITIAL_STRETCH.effectiveAt);
  // If a list is split again and again, servers use what they know of it for a few seconds only. Two clocks may differ.
  const trustedMs =
    usedMs < times.trustedMs ? 2 * times.trustedForOldRowsMs + CLOCKS_APART_MS : times.settledMs;
  return Number(now) - takenAt > trustedMs;
}

/**
 * Returns where the parts of a stretch begin: at its beginning, at even distances among the partition's rows, after them, and an hour ago.
 */
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
