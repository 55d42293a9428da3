import { tooLarge } from '../kit/base/errors';
import { magnitudeOf } from '../kit/base/magnitude';
import type { Row } from '../kit/cassandra/table';
import { unitNames, type Cost } from '../kit/cost/cost';
import type { LimitedLoad } from '../kit/cost/limit-load';
import type { Load } from '../kit/data/load';
import type { Slice, Source, SourceRows } from '../kit/relay/list';
import { likesIn } from './like-count';
import type { RankedTweet, TopBounds, TopSources } from './top-list';
import { mergeOwners } from './top-merge';
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
import { shownTweetCounts, type tweets } from './tweet.table';

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

/** The source of a list's liked tweets, most liked first. */
export function likedSource<N>(
  load: LimitedLoad,
  sources: TopSources<N>,
  bounds: TopBounds,
): Source<RankedTweet> {
  return { read: (slice) => readLiked(load, sources, bounds, slice) };
}

/**
 * Reads liked tweets in the order of the list. The owners' partitions are in order of magnitude. The tweets of a magnitude
 * are ordered by the likes that are shown, once all of them are known.
 */
async function readLiked<N>(
  load: LimitedLoad,
  sources: TopSources<N>,
  { max, maxFurtherRows = MAX_FURTHER_ROWS, firstRows = FIRST_ROWS }: TopBounds,
  { after, reversed, limit }: Slice,
): Promise<SourceRows<RankedTweet>> {
  const from = positionIn(after);
  const start = startRowOf(from, reversed);
  const found: RankedTweet[] = [];
  let incomplete: readonly TopRow[] = [];
  for await (const round of mergeOwners(load, sources, start, reversed, firstRows)) {
    const { ahead, end, furtherRows } = round;
    const rows = incomplete.concat(round.complete);
    // There may be more tweets of the end's magnitude, with more likes. All with one like have as many.
    const isComplete = ({ magnitude }: TopRow) => magnitude === 1 || magnitude !== end?.magnitude;
    incomplete = rows.filter((row) => !isComplete(row));
    for (const group of groupsOf(rows.filter(isComplete), limit)) {
      found.push(
        ...(await orderByLikes(load, group, from, reversed, limit - found.length, sources.isVisible)),
      );
      const last = found[limit - 1];
      if (last !== undefined) return { rows: found, end: topPositionOf(last) };
    }
    if (end === undefined) break;
    const isEnough = round.isCut || furtherRows > maxFurtherRows || load.used().reads > max.reads / 2;
    const isCut = isEnough && !reversed && (end.magnitude === 1 || end.magnitude < start.magnitude - 1);
    if (isCut) return { rows: found, end: positionAt(end), isCut };
    if (round.isCut) throw refusal(max, 'rows');
    // All tweets of a magnitude are compared together. If they are too many, the page is refused before it reads more.
    const compared = incomplete.length + ahead.filter((row) => row.magnitude === end.magnitude).length;
    if (end.magnitude > 1 && load.used().reads + compared > max.reads) throw refusal(max, 'reads');
  }
  return { rows: found, end: null };
}

/**
 * Cuts sorted rows into groups of at least `minRows` rows. A magnitude is not cut, unless it is that of one like, which
 * needs no ordering by counts.
 */
function* groupsOf(rows: readonly TopRow[], minRows: number): Iterable<TopRow[]> {
  let group: TopRow[] = [];
  for (const row of rows) {
    const canCut = row.magnitude === 1 || row.magnitude !== group.at(-1)?.magnitude;
    if (canCut && group.length >= minRows) {
      yield group;
      group = [];
    }
    group.push(row);
  }
  yield group;
}

/** The tweets of rows of whole magnitudes, ordered by the likes that are shown. Rows of a tweet's earlier magnitudes are skipped. */
async function orderByLikes(
  load: Load,
  rows: readonly TopRow[],
  from: TopPosition | null,
  reversed: boolean,
  limit: number,
  isVisible: (tweet: TweetRow) => boolean = () => true,
): Promise<RankedTweet[]> {
  const ids = rows.map(({ tweetId }) => tweetId);
  const tweetOf = (tweetId: string) => load(shownTweets, { tweetId });
  // If they are not many more than are needed, their tweets are read together with their counts.
  const [counts] = await Promise.all([
    likesOf(load, ids),
    ids.length <= limit + MORE_TWEETS ? Promise.all(ids.map(tweetOf)) : [],
  ]);
  const candidates = rows.flatMap(({ magnitude, tweetId }, index) => {
    const likes = counts[index] ?? 0;
    const isAhead =
      from === null ||
      (reversed
        ? comparePositions({ likes, tweetId }, from) > 0
        : comparePositions({ likes, tweetId }, from) < 0);
    return magnitudeOf(likes) === magnitude && isAhead ? [{ tweetId, likes }] : [];
  });
  candidates.sort((a, b) => (reversed ? comparePositions(a, b) : comparePositions(b, a)));
  const found: RankedTweet[] = [];
  for (let n = 0; n < candidates.length && found.length < limit; n += limit) {
    const chunk = candidates.slice(n, n + limit);
    const read = await Promise.all(chunk.map(({ tweetId }) => tweetOf(tweetId)));
    read.forEach((tweet, index) => {
      if (tweet !== null && isVisible(tweet))
        found.push({ tweetId: tweet.tweetId, likes: chunk[index]?.likes ?? 0, bucket: 0, tweet });
    });
  }
  return found.slice(0, limit);
}

/** The numbers of likes of tweets as they are shown, in the order of their ids. */
export async function likesOf(load: Load, tweetIds: readonly string[]): Promise<number[]> {
  return (await Promise.all(tweetIds.map((tweetId) => load(shownTweetCounts, { tweetId })))).map(likesIn);
}
