import { countWhile } from '../kit/base/binary-search';
import { tooLarge } from '../kit/base/errors';
import { magnitudeOf, mostOf } from '../kit/base/magnitude';
import type { Row } from '../kit/cassandra/table';
import { unitNames, type Cost } from '../kit/cost/cost';
import type { LimitedLoad } from '../kit/cost/limit-load';
import type { Load } from '../kit/data/load';
import type { Source } from '../kit/relay/list';
import { isReadByCount, readByCount, startByCount } from './top-by-count';
import type { RankedTweet, TopBounds, TopSources } from './top-list';
import { mergeOwners } from './top-merge';
import { likesOf, visibleTweets, type LikedRows, type LikedSlice } from './top-tweets';
import {
  comparePositions,
  positionAt,
  positionIn,
  startRowOf,
  topPositionOf,
  type TopPosition,
  type TopRow,
} from './top-position';
import { shownTweets } from './recent-deletions';
import type { tweets } from './tweet.table';

type TweetRow = Row<typeof tweets>;

/** The error of a page that would read more than its bound. */
export function refusal(max: Cost, unit: keyof Cost) {
  return tooLarge(
    `A page of MOST_LIKED may read ${max[unit]} ${unitNames[unit]}, but this one would read more. Ask for NEWEST, which reads less.`,
  );
}

/** So many tweets may be read that are then not needed, to save a request. */
export const MORE_TWEETS = 10;
/** How many rows are read at first, of all owners together. */
const FIRST_ROWS = 200;
/** How many more rows are read for a page before it is cut short, if it can be cut. */
const MAX_FURTHER_ROWS = 10_000;

/** Tweets of several magnitudes are compared at a time, to save requests, if they take at most this part of a page's reads. */
const MAX_GROUP_PART = 1 / 8;

/** The source of a list's liked tweets, most liked first. */
export function likedSource<N>(
  load: LimitedLoad,
  sources: TopSources<N>,
  bounds: TopBounds,
): Source<RankedTweet> {
  return {
    async read({ after, reversed, limit }) {
      const found: RankedTweet[] = [];
      for (let from = positionIn(after); ;) {
        const slice = { from, reversed, limit: limit - found.length };
        const read =
          from !== null && isReadByCount(from)
            ? await readByCount(load, sources, bounds, { ...slice, from })
            : await readByMagnitude(load, sources, bounds, slice);
        found.push(...read.rows);
        const { next, isCut = false } = read;
        if (next === null || isCut || found.length >= limit)
          return { rows: found, end: next && topPositionOf(next), isCut };
        from = next;
      }
    },
  };
}

/**
 * Reads liked tweets in the order of the list. The owners' partitions are in order of magnitude. The tweets of a magnitude
 * are ordered by the likes that are shown, once all of them are known. It ends before a magnitude of which more tweets would
 * have to be compared than the page may read.
 */
async function readByMagnitude<N>(
  load: LimitedLoad,
  sources: TopSources<N>,
  { max, maxFurtherRows = MAX_FURTHER_ROWS, firstRows = FIRST_ROWS }: TopBounds,
  { from, reversed, limit }: LikedSlice,
): Promise<LikedRows> {
  const start = startRowOf(from, reversed);
  const order = new LikesOrder(load, sources.isVisible, from, reversed);
  const found: RankedTweet[] = [];
  let incomplete: readonly TopRow[] = [];
  /** Whether comparing the tweets of some rows, and reading those of the page, would exceed the bound. All with one like are equal. */
  const isTooMuch = (rows: readonly TopRow[]) =>
    rows.some(({ magnitude }) => magnitude > 1) && load.used().reads + rows.length + limit > max.reads;
  const byCount = (magnitude: number | undefined, unit: keyof Cost): LikedRows => {
    const next = startByCount(magnitude ?? 1, from, reversed);
    if (next === null) throw refusal(max, unit);
    return { rows: found, next };
  };
  for await (const round of mergeOwners(load, sources, start, reversed, firstRows)) {
    const { ahead, end, furtherRows } = round;
    const rows = incomplete.concat(round.complete);
    // There may be more tweets of the end's magnitude, with more likes. All with one like have as many.
    const isComplete = ({ magnitude }: TopRow) => magnitude === 1 || magnitude !== end?.magnitude;
    incomplete = rows.filter((row) => !isComplete(row));
    for (const group of groupsOf(rows.filter(isComplete), limit, MAX_GROUP_PART * max.reads)) {
      if (isTooMuch(group)) return byCount(group[0]?.magnitude, 'reads');
      found.push(...(await order.first(group, limit - found.length)));
      const last = found[limit - 1];
      if (last !== undefined) return { rows: found, next: last };
    }
    if (end === undefined) break;
    const isEnough = round.isCut || furtherRows > maxFurtherRows || load.used().reads > max.reads / 2;
    const isCut = isEnough && !reversed && (end.magnitude === 1 || end.magnitude < start.magnitude - 1);
    if (isCut) return { rows: found, next: positionAt(end), isCut };
    const compared = incomplete.concat(ahead.filter((row) => row.magnitude === end.magnitude));
    if (round.isCut || isTooMuch(compared)) return byCount(end.magnitude, round.isCut ? 'rows' : 'reads');
  }
  return { rows: found, next: null };
}

/**
 * Divides sorted rows into groups that are compared at a time. A magnitude is in one group, unless it is that of one like, which
 * needs no comparing. A group goes on until it has `minRows` rows; several magnitudes together have at most `maxRows`.
 */
function* groupsOf(rows: readonly TopRow[], minRows: number, maxRows: number): Iterable<TopRow[]> {
  let group: TopRow[] = [];
  for (let n = 0; n < rows.length;) {
    const magnitude = rows[n]?.magnitude;
    const end = n + countWhile(rows.slice(n), (row) => row.magnitude === magnitude);
    const next = rows.slice(n, magnitude === 1 ? Math.min(end, n + minRows) : end);
    if (group.length > 0 && (group.length >= minRows || group.length + next.length > maxRows)) {
      yield group;
      group = [];
    }
    group.push(...next);
    n += next.length;
  }
  yield group;
}

/** Orders the tweets of whole magnitudes by the likes that are shown. */
class LikesOrder {
  /**
   * The tweets of the rows so far, if reading began at the beginning of the list: then the first row of a tweet is that of the
   * greatest magnitude that is known of it.
   */
  private readonly known: Set<string> | null;

  constructor(
    private readonly load: Load,
    private readonly isVisible: ((tweet: TweetRow) => boolean) | undefined,
    private readonly from: TopPosition | null,
    private readonly reversed: boolean,
  ) {
    this.known = from === null && !reversed ? new Set() : null;
  }

  /** The first tweets of some rows, at most `limit`. Rows of a tweet's earlier magnitudes are skipped. */
  async first(rows: readonly TopRow[], limit: number): Promise<RankedTweet[]> {
    const { load, from, reversed } = this;
    const ids = rows.map(({ tweetId }) => tweetId);
    // If they are not many more than are needed, their tweets are read together with their counts.
    const [counts] = await Promise.all([
      likesOf(load, ids),
      ids.length <= limit + MORE_TWEETS
        ? Promise.all(ids.map((tweetId) => load(shownTweets, { tweetId })))
        : [],
    ]);
    const candidates = rows.flatMap((row, index) => {
      const likes = this.likesAt(row, counts[index] ?? 0);
      if (likes === null) return [];
      const { tweetId } = row;
      const ahead = from === null ? 1 : comparePositions(from, { likes, tweetId }) * (reversed ? -1 : 1);
      return ahead > 0 ? [{ tweetId, likes, bucket: 0 }] : [];
    });
    candidates.sort((a, b) => (reversed ? comparePositions(a, b) : comparePositions(b, a)));
    return visibleTweets(load, candidates, limit, this.isVisible);
  }

  /**
   * The likes by which a row's tweet is ordered; null if it belongs to another magnitude. The rows may have been read before the
   * counts: a tweet that has reached the next magnitude since then has as many likes as it could have without that.
   */
  private likesAt({ magnitude, tweetId }: TopRow, likes: number): number | null {
    const isFirst = this.known?.has(tweetId) === false;
    this.known?.add(tweetId);
    if (isFirst) likes = Math.min(likes, mostOf(magnitude));
    return magnitudeOf(likes) === magnitude ? likes : null;
  }
}
