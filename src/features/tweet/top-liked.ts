import { tooLarge } from '../../kit/base/errors';
import { magnitudeOf } from '../../kit/base/magnitude';
import { unitNames, type Cost } from '../../kit/cost/cost';
import type { LimitedLoad } from '../../kit/cost/limit-load';
import { adjacentValue } from '../../kit/lists/cursor';
import type { Source } from '../../kit/lists/list-parts';
import { cachedTweets } from './tweet-invalidations';
import { isReadByCount, readByCount, startByCount } from './top-by-count';
import type { RankedTweet, TopReading } from './top-reading';
import { mergeOwners } from './top-merge';
import {
  comparePositions,
  positionBefore,
  decodeTopPosition,
  findStartRow,
  encodeTopPosition,
  type TopPosition,
  type TopRow,
} from './top-position';
import { listAndGetLikes, readLikes, visibleTweets, type LikedRows, type LikedSlice } from './top-tweets';
import { cachedTweetCounts } from './tweet.table';

/** The error of a page that would read more than its bound. */
export function refusePage(max: Cost, unit: keyof Cost) {
  return tooLarge(
    `A page of MOST_LIKED may read ${max[unit]} ${unitNames[unit]}, but this one would read more. Ask for NEWEST, which reads less.`,
  );
}

/** The most tweets that are read without being needed, to save a request. */
export const MORE_TWEETS = 10;
/** How many more rows are read for a page before it is cut short, if it can be cut. */
const MAX_FURTHER_ROWS = 10_000;

/** Tweets of several magnitudes are compared at a time, to save requests, if they take at most this part of a page's reads. */
const MAX_GROUP_PART = 1 / 8;

/** The source of a list's liked tweets, most liked first. */
export function likedSource<N>(reading: TopReading<N>): Source<RankedTweet> {
  return {
    async read({ after, reversed, limit }) {
      const found: RankedTweet[] = [];
      for (let from = decodeTopPosition(after); ;) {
        const slice = { from, reversed, limit: limit - found.length };
        const {
          rows,
          next,
          isCut = false,
        } = from !== null && isReadByCount(from)
          ? await readByCount(reading, { ...slice, from })
          : await readByMagnitude(reading, slice);
        found.push(...rows);
        if (next === null || isCut || found.length >= limit)
          return { rows: found, end: next && encodeTopPosition(next), isCut };
        from = next;
      }
    },
  };
}

/**
 * Reads liked tweets in the order of the list. The owners' partitions are in order of magnitude. The tweets of a magnitude
 * are ordered by the likes that are shown, once all of them are known. If it comes to a magnitude of which more tweets would
 * have to be compared than the page may read, it ends there, and the list goes on count by count.
 */
async function readByMagnitude<N>(reading: TopReading<N>, slice: LikedSlice): Promise<LikedRows> {
  const { load } = reading;
  const { max } = reading.bounds;
  const { from, reversed, limit } = slice;
  const start = findStartRow(from, reversed);
  const found: RankedTweet[] = [];
  let incomplete: readonly TopRow[] = [];
  /** Whether to compare the tweets of some rows, and to read those of the page, takes more than the page may read. */
  const isTooMuch = (rows: readonly TopRow[]) =>
    load.used().reads + countReads(load, rows) + limit + MORE_TWEETS > max.reads;
  /** Whether a magnitude comes after the first one of the page, so that the page can end before it. */
  const isPast = (magnitude: number) =>
    reversed ? magnitude > start.magnitude + 1 : magnitude < start.magnitude - 1;
  const endBefore = ({ magnitude, tweetId }: TopRow, unit: keyof Cost): LikedRows => {
    const next = startByCount(magnitude, from, reversed);
    if (next !== null) return { rows: found, next };
    // The next page may read more.
    if (magnitude === 1) {
      const before = String(adjacentValue(tweetId, reversed ? -1 : 1));
      return { rows: found, next: { likes: 1, bucket: 0, tweetId: before }, isCut: true };
    }
    if (isPast(magnitude)) return { rows: found, next: positionBefore(magnitude, reversed), isCut: true };
    throw refusePage(max, unit);
  };
  for await (const round of mergeOwners(reading, start, reversed)) {
    const { ahead, end, furtherRows } = round;
    const rows = incomplete.concat(round.complete);
    // There may be more tweets of the end's magnitude, with more likes. Tweets with one like all have the same number.
    const isComplete = ({ magnitude }: TopRow) => magnitude === 1 || magnitude !== end?.magnitude;
    incomplete = rows.filter((row) => !isComplete(row));
    for (const group of groupRows(rows.filter(isComplete), limit, MAX_GROUP_PART * max.reads)) {
      const [first] = group;
      if (first && isTooMuch(group)) return endBefore(first, 'reads');
      const { tweets, cutAt } = await orderByLikes(reading, group, slice, limit - found.length);
      found.push(...tweets);
      const last = found[limit - 1];
      if (last !== undefined) return { rows: found, next: last };
      if (cutAt !== null) return { rows: found, next: cutAt, isCut: true };
    }
    if (end === undefined) break;
    const isEnough = round.isCut || furtherRows > MAX_FURTHER_ROWS || load.used().reads > max.reads / 2;
    if (isEnough && end.magnitude === 1)
      return { rows: found, next: { likes: 1, bucket: 0, tweetId: end.tweetId }, isCut: true };
    if (isEnough && isPast(end.magnitude))
      return { rows: found, next: positionBefore(end.magnitude, reversed), isCut: true };
    // Tweets with one like are all equal, so these need not be read before the page ends.
    const compared = incomplete.concat(
      ahead.filter(({ magnitude }) => magnitude > 1 && magnitude === end.magnitude),
    );
    if (round.isCut || isTooMuch(compared)) return endBefore(end, round.isCut ? 'rows' : 'reads');
  }
  return { rows: found, next: null };
}

/** How many counts must still be read to compare the tweets of some rows. */
function countReads(load: LimitedLoad, rows: readonly TopRow[]): number {
  const ids = new Set(rows.map(({ tweetId }) => tweetId));
  return [...ids].filter((tweetId) => !load.hasRead(cachedTweetCounts, { tweetId })).length;
}

/**
 * Divides sorted rows into groups that are compared at a time. A magnitude is in one group, unless it is that of one like, which
 * needs no comparing. A group goes on until it has `minRows` rows; several magnitudes together have at most `maxRows`.
 */
function* groupRows(rows: readonly TopRow[], minRows: number, maxRows: number): Iterable<TopRow[]> {
  let group: TopRow[] = [];
  for (let n = 0; n < rows.length;) {
    const magnitude = rows[n]?.magnitude;
    const next = (magnitude === 1 ? rows.slice(n, n + minRows) : rows).filter(
      (row) => row.magnitude === magnitude,
    );
    if (group.length > 0 && (group.length >= minRows || group.length + next.length > maxRows)) {
      yield group;
      group = [];
    }
    group.push(...next);
    n += next.length;
  }
  yield group;
}

/**
 * The first tweets of rows of whole magnitudes after a position, ordered by the likes that are shown, at most `limit`. Rows of a
 * tweet's earlier magnitudes are skipped.
 */
async function orderByLikes<N>(
  reading: TopReading<N>,
  rows: readonly TopRow[],
  { from, reversed }: Pick<LikedSlice, 'from' | 'reversed'>,
  limit: number,
) {
  const { load, listed } = reading;
  const ids = rows.map(({ tweetId }) => tweetId);
  // If most rows are of earlier magnitudes, most of the tweets are not needed.
  const areMostNeeded = listed !== null || rows[0]?.magnitude !== 1;
  // If they are not many more than are needed, their tweets are read together with their counts.
  const [counts] = await Promise.all([
    readLikes(load, ids),
    areMostNeeded && ids.length <= limit + MORE_TWEETS
      ? Promise.all(ids.map((tweetId) => load(cachedTweets, { tweetId })))
      : [],
  ]);
  const candidates = rows.flatMap((row, index): TopPosition[] => {
    const { magnitude, tweetId } = row;
    const likes = listAndGetLikes(row, counts[index] ?? 0, listed);
    if (magnitudeOf(likes) !== magnitude) return [];
    const ahead = from === null ? 1 : comparePositions(from, { likes, tweetId }) * (reversed ? -1 : 1);
    return ahead > 0 ? [{ tweetId, likes, bucket: 0 }] : [];
  });
  candidates.sort((a, b) => (reversed ? comparePositions(a, b) : comparePositions(b, a)));
  return visibleTweets(reading, candidates, limit);
}
