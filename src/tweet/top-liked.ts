import { unitNames, type Cost } from '../kit/cost/cost';
import type { LimitedLoad } from '../kit/cost/limit-load';
import type { Row } from '../kit/cassandra/table';
import { tooLarge } from '../kit/base/errors';
import type { Load } from '../kit/data/load';
import { MAX_MAGNITUDE, magnitudeOf } from '../kit/base/magnitude';
import type { Source } from '../kit/relay/list';
import { likesIn } from './like-count';
import type { Placed, TopBounds, TopSlice, TopSources } from './top-list';
import {
  comparePositions,
  compareRows,
  positionAt,
  placeIn,
  startOf,
  type TopPosition,
  type TopRow,
} from './top-place';
import { tweetCounts, tweets } from './tweet.table';

type TweetRow = Row<typeof tweets>;

/** The error of a page that would read more than its bound. */
export function refusal(max: Cost, unit: keyof Cost) {
  return tooLarge(
    `A page of MOST_LIKED may read ${max[unit]} ${unitNames[unit]}, but this one would read more. Ask for NEWEST, which reads less.`,
  );
}

/** The source of a list's liked tweets, most liked first. */
export function likedSource<N>(load: LimitedLoad, sources: TopSources<N>, bounds: TopBounds): Source<Placed> {
  let edge: readonly string[] | null = null;
  return {
    async read({ after, reversed, limit }) {
      const read = await readLiked(load, sources, bounds, placeIn(after), reversed, limit);
      edge = read.edge;
      return read.rows;
    },
    edge: () => edge,
  };
}

/** How many rows are read at first, of all owners together. */
const FIRST_ROWS = 200;
/** How many rows one read of an owner's partition asks for at most. */
const MAX_ROWS_PER_READ = 1000;
/** How many more rows are read for a page before it is cut short, if it can be cut. */
const MAX_SEEN_ROWS = 10_000;
/**
 * How many owners are read on at a time. If there are more, all owners at the magnitude of the edge are, unless that is the
 * magnitude of one like.
 */
const MAX_OWNERS_AT_ONCE = 64;

/** How many rows are read at first of each owner, if `firstRows` are read of all owners together. */
export function firstSize(firstRows: number, owners: number): number {
  return Math.max(4, Math.ceil(firstRows / Math.max(1, owners)));
}

/** The slice with which a list of the most liked begins. */
export function mostLiked(limit: number): TopSlice {
  return { after: [MAX_MAGNITUDE + 1, '0'], reversed: false, limit };
}

/**
 * Reads liked tweets in the order of the list, until there are `limit` of them. `edge` is the position at which a bound cut
 * the reading short, or null.
 */
async function readLiked<N>(
  load: LimitedLoad,
  { owners, top, narrow, holds }: TopSources<N>,
  { max, maxSeenRows = MAX_SEEN_ROWS, firstRows = FIRST_ROWS }: TopBounds,
  from: TopPosition | null,
  reversed: boolean,
  limit: number,
): Promise<{ rows: Placed[]; edge: readonly string[] | null }> {
  const start = startOf(from, reversed);
  let open = (await owners(load)).map((owner): Open => ({ owner, after: start }));
  let size = firstSize(firstRows, open.length);
  const isBefore = (a: TopRow, b: TopRow) => (reversed ? compareRows(a, b) < 0 : compareRows(a, b) > 0);
  let waiting: TopRow[] = [];
  const found: Placed[] = [];
  let seen = 0;
  for (let reading = new Set(open), isFirst = true; ; isFirst = false) {
    const read = await Promise.all(
      [...reading].map(async ({ owner, after: { magnitude, tweetId } }) => {
        const slice: TopSlice = { after: [magnitude, tweetId], reversed, limit: size };
        const rows = await top(load, owner, slice);
        const last = rows.length === slice.limit ? rows.at(-1) : undefined;
        return {
          owner,
          rows: narrow ? await narrow(load, owner, rows, slice) : rows,
          read: rows.length,
          last,
        };
      }),
    );
    // The first rows do not count, because some of each owner are needed, however many owners there are.
    if (!isFirst) for (const result of read) seen += result.read;
    waiting = waiting.concat(...read.map(({ rows }) => rows));
    open = open.filter((owner) => !reading.has(owner));
    for (const { owner, last } of read) if (last) open.push({ owner, after: last });
    open.sort((a, b) => (reversed ? compareRows(a.after, b.after) : compareRows(b.after, a.after)));
    // All owners are read up to this edge. There may be more tweets of its magnitude, with more or fewer likes.
    const edge = open[0]?.after;
    const isWhole = (row: TopRow) =>
      edge === undefined ||
      (row.magnitude === edge.magnitude ? edge.magnitude === 1 && !isBefore(edge, row) : isBefore(row, edge));
    const whole = waiting.filter(isWhole);
    waiting = waiting.filter((row) => !isWhole(row));
    for (const rows of stretchesOf(whole, limit, reversed)) {
      found.push(...(await orderByLikes(load, rows, from, reversed, limit - found.length, holds)));
      if (found.length >= limit) return { rows: found, edge: null };
    }
    if (edge === undefined) return { rows: found, edge: null };
    const isCut =
      (seen > maxSeenRows || load.used().reads > max.reads / 2) &&
      !reversed &&
      (edge.magnitude === 1 || edge.magnitude < start.magnitude - 1);
    if (isCut) return { rows: found, edge: positionAt(edge) };
    const isAtEdge = ({ magnitude }: TopRow) => magnitude === edge.magnitude;
    // All tweets of a magnitude are compared together. If they are too many, the page is refused before it reads more.
    if (edge.magnitude > 1 && load.used().reads + waiting.filter(isAtEdge).length > max.reads)
      throw refusal(max, 'reads');
    const isFew = open.length <= MAX_OWNERS_AT_ONCE;
    reading = new Set(
      edge.magnitude > 1 && !isFew
        ? open.filter(({ after }) => isAtEdge(after))
        : open.slice(0, MAX_OWNERS_AT_ONCE),
    );
    size = Math.min(size * 2, MAX_ROWS_PER_READ);
  }
}

/**
 * Sorts rows, drops duplicates (a tweet may be in two partitions) and cuts them into stretches of at least `minRows` rows. A
 * magnitude is not cut, unless it is that of one like, which needs no ordering by counts.
 */
function* stretchesOf(rows: readonly TopRow[], minRows: number, reversed: boolean): Iterable<TopRow[]> {
  const sorted = [...rows].sort((a, b) => (reversed ? compareRows(a, b) : compareRows(b, a)));
  let stretch: TopRow[] = [];
  for (const [index, row] of sorted.entries()) {
    const previous = sorted[index - 1];
    if (previous && compareRows(previous, row) === 0) continue;
    const isCut = row.magnitude === 1 || row.magnitude !== stretch.at(-1)?.magnitude;
    if (isCut && stretch.length >= minRows) {
      yield stretch;
      stretch = [];
    }
    stretch.push(row);
  }
  yield stretch;
}

/** An owner with more rows to read. */
interface Open {
  readonly owner: string;
  /** The last row that was read. */
  readonly after: TopRow;
}

/** The tweets of rows of whole magnitudes, ordered by present likes. Rows of a tweet's earlier magnitudes are skipped. */
async function orderByLikes(
  load: Load,
  rows: readonly TopRow[],
  from: TopPosition | null,
  reversed: boolean,
  limit: number,
  holds: (tweet: TweetRow) => boolean,
): Promise<Placed[]> {
  const ids = rows.map(({ tweetId }) => tweetId);
  const tweetOf = (tweetId: string) => load(tweets.get, { tweetId });
  // If there are few, their tweets are read together with their counts.
  const [counts] = await Promise.all([
    likesOf(load, ids),
    ids.length <= 2 * limit ? Promise.all(ids.map(tweetOf)) : [],
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
  const found: Placed[] = [];
  for (let n = 0; n < candidates.length && found.length < limit; n += limit) {
    const chunk = candidates.slice(n, n + limit);
    const read = await Promise.all(chunk.map(({ tweetId }) => tweetOf(tweetId)));
    read.forEach((tweet, index) => {
      if (tweet !== null && holds(tweet))
        found.push({ tweetId: tweet.tweetId, likes: chunk[index]?.likes ?? 0, month: 0, tweet });
    });
  }
  return found.slice(0, limit);
}

/** The numbers of likes of tweets, in the order of their ids. */
export async function likesOf(load: Load, tweetIds: readonly string[]): Promise<number[]> {
  return (await Promise.all(tweetIds.map((tweetId) => load(tweetCounts.get, { tweetId })))).map(likesIn);
}
