import type { Row } from '../kit/cassandra/table';
import { LARGEST_ID } from '../kit/compare-ids';
import { tooLarge } from '../kit/errors';
import type { Load } from '../kit/load';
import { HIGHEST, magnitudeOf } from '../kit/magnitude';
import { rowsFrom, type List, type Slice, type Source } from '../kit/relay/connection';
import { createLikeReader, MOST_COMPARED, type LikeReader } from './like-reader';
import {
  comparePlaces,
  compareRows,
  placeAt,
  placeIn,
  startOf,
  type TopPlace,
  type TopRow,
} from './top-place';
import { tweets } from './tweet.table';

type TweetRow = Row<typeof tweets>;

/** What a list of the most liked is made of. */
export interface TopSources {
  readonly name: string;
  /** Whose partitions are merged. */
  readonly owners: () => Promise<readonly string[]>;
  /** Reads some rows of an owner's partition: a power of two of likes each, with the tweets that came to it. */
  readonly top: (owner: string, slice: TopSlice) => Promise<readonly TopRow[]>;
  /** Leaves out those of an owner's rows, which are all of a slice, that are not of the list; none are when it is not given. */
  readonly narrow?: (owner: string, rows: readonly TopRow[], slice: TopSlice) => Promise<readonly TopRow[]>;
  /** The same tweets newest first: those that nobody likes are taken from it. */
  readonly newest: () => Promise<List<TweetRow>>;
  /** How many of those are passed over for a page, since somebody likes them; 5,000 when not given. */
  readonly mostPassed?: number;
  /** Whether there may be fewer than a page: then those that nobody likes are read together with the others. */
  readonly isFew?: boolean;
  readonly holds: (tweet: TweetRow) => boolean;
}

/** Which rows of an owner are read. */
export interface TopSlice {
  readonly after: readonly [magnitude: number, tweetId: string];
  readonly reversed: boolean;
  readonly limit: number;
}

/** How much a page reads at most. */
export interface TopBounds {
  /** Tweets that are compared by their likes. */
  readonly mostCompared?: number;
  /** Rows after which a page is cut, where that can be; ten times as many are refused. */
  readonly mostSeen?: number;
  /** Rows that are read at first, of all owners together. */
  readonly firstRows?: number;
}

/** A tweet of such a list, with what its place is made of. */
interface Placed extends TweetRow {
  readonly likes: number;
  /** Where it stands in the list of the newest; of liked tweets 0. */
  readonly month: number;
}

/** Liked tweets come first, then those that nobody likes, newest first. */
const LIKED = 1;
const UNLIKED = 0;

/**
 * The tweets of some owners, most liked first, then by id descending. Owners' partitions hold their tweets by the
 * magnitude of likes; a magnitude is read whole, and ordered by the counts as they are now; that of a single like is in
 * order as it is. Shares are left out. A page that compares more tweets than its bound is `QUERY_TOO_LARGE`.
 */
export function topList(load: Load, sources: TopSources, bounds: TopBounds = {}): List<Placed> {
  return {
    name: sources.name,
    buckets: () => Promise.resolve([LIKED, UNLIKED]),
    atOnce: sources.isFew ? 2 : 1,
    ...(sources.mostPassed !== undefined && { mostRead: sources.mostPassed }),
    position: ({ likes, month, tweetId }) => [String(likes), String(month), tweetId],
    sources: (bucket) => [
      bucket === LIKED ? likedSource(load, sources, bounds) : unlikedSource(load, sources),
    ],
  };
}

function likedSource(load: Load, sources: TopSources, bounds: TopBounds): Source<Placed> {
  let edge: readonly string[] | null = null;
  return {
    async read({ after, reversed, limit }) {
      const likes = createLikeReader(load, bounds.mostCompared ?? MOST_COMPARED);
      const read = await readLiked(sources, likes, bounds, placeIn(after), reversed, limit, load);
      edge = read.edge;
      return read.rows;
    },
    edge: () => edge,
  };
}

function unlikedSource(load: Load, { newest, holds }: TopSources): Source<Placed> {
  const liked = new Set<string>();
  let edge: readonly string[] | null = null;
  return {
    async read(slice) {
      const read = await readNewest(await newest(), slice);
      const { rows } = read;
      edge = read.edge;
      const likes = await createLikeReader(load, Infinity).read(rows.map(({ tweetId }) => tweetId));
      rows.forEach(({ tweetId }, place) => {
        if (likes[place] !== 0) liked.add(tweetId);
      });
      return rows;
    },
    holds: (row) => row.sharedTweetId === null && !liked.has(row.tweetId) && holds(row),
    edge: () => edge,
  };
}

/** How often a page goes on where the list of the newest ends a page of its own. */
const MOST_STRETCHES = 4;

/** Some rows of the list of the newest, in its order, as rows of this one. */
async function readNewest(
  newest: List<TweetRow>,
  { after, reversed, limit }: Slice,
): Promise<{ rows: Placed[]; edge: readonly string[] | null }> {
  const from = placeIn(after);
  const start = from && { bucket: from.month, key: [from.tweetId] };
  const found: Placed[] = [];
  let stretches = 0;
  for await (const { rows, end } of rowsFrom(newest, start, reversed)) {
    for (const { row, bucket } of rows) found.push({ ...row, likes: 0, month: bucket });
    if (found.length >= limit) break;
    if (end !== null && ++stretches === MOST_STRETCHES) {
      const [tweetId = reversed ? '0' : LARGEST_ID] = end.key.map(String);
      return { rows: found, edge: ['0', String(end.bucket), tweetId] };
    }
  }
  return { rows: found.slice(0, limit), edge: null };
}

/** How many rows are read at first, of all owners together, and at most of one at a time. */
const FIRST_ROWS = 200;
const MOST_ROWS = 1000;
/** How many rows are read on for a page before it is cut short, where that can be: before too many are compared. */
const MOST_SEEN = MOST_COMPARED - MOST_ROWS;
/** Of how many owners all are read on at a time, or those whose tweets one likes. */
const READ_ON = 64;

/** How many of so many rows are read at first of each owner. */
export function firstSize(firstRows: number, owners: number): number {
  return Math.max(4, Math.ceil(firstRows / Math.max(1, owners)));
}

/** Where a list of the most liked begins. */
export function mostLiked(limit: number): TopSlice {
  return { after: [HIGHEST + 1, '0'], reversed: false, limit };
}

/** Tweets that somebody likes, in the order of the list, until there are enough. */
async function readLiked(
  { owners, top, narrow, holds }: TopSources,
  likes: LikeReader,
  { mostSeen = MOST_SEEN, firstRows = FIRST_ROWS }: TopBounds,
  from: TopPlace | null,
  reversed: boolean,
  limit: number,
  load: Load,
): Promise<{ rows: Placed[]; edge: readonly string[] | null }> {
  const start = startOf(from, reversed);
  let open = (await owners()).map((owner): Open => ({ owner, after: start }));
  let size = firstSize(firstRows, open.length);
  const isBefore = (a: TopRow, b: TopRow) => (reversed ? compareRows(a, b) < 0 : compareRows(a, b) > 0);
  let waiting: TopRow[] = [];
  const found: Placed[] = [];
  let seen = 0;
  for (let reading = new Set(open), isFirst = true; ; isFirst = false) {
    const read = await Promise.all(
      [...reading].map(async ({ owner, after: { magnitude, tweetId } }) => {
        const slice: TopSlice = { after: [magnitude, tweetId], reversed, limit: size };
        const rows = await top(owner, slice);
        const last = rows.length === slice.limit ? rows.at(-1) : undefined;
        return { owner, rows: narrow ? await narrow(owner, rows, slice) : rows, read: rows.length, last };
      }),
    );
    // However many owners there are, some of each are needed.
    if (!isFirst) for (const one of read) seen += one.read;
    waiting = waiting.concat(...read.map(({ rows }) => rows));
    open = open.filter((one) => !reading.has(one));
    for (const { owner, last } of read) if (last) open.push({ owner, after: last });
    open.sort((a, b) => (reversed ? compareRows(a.after, b.after) : compareRows(b.after, a.after)));
    // Up to here all owners were read. Of that magnitude there may be more, which may have more likes or fewer.
    const edge = open[0]?.after;
    const isWhole = (row: TopRow) =>
      edge === undefined ||
      (row.magnitude === edge.magnitude ? edge.magnitude === 1 && !isBefore(edge, row) : isBefore(row, edge));
    const whole = waiting.filter(isWhole);
    waiting = waiting.filter((row) => !isWhole(row));
    for (const rows of stretchesOf(whole, limit, reversed)) {
      found.push(...(await orderByLikes(load, rows, likes, from, reversed, limit - found.length, holds)));
      if (found.length >= limit) return { rows: found, edge: null };
    }
    if (edge === undefined) return { rows: found, edge: null };
    const isCut =
      seen > mostSeen && !reversed && (edge.magnitude === 1 || edge.magnitude < start.magnitude - 1);
    if (isCut) return { rows: found, edge: placeAt(edge) };
    if (seen > mostSeen * 10)
      throw tooLarge(
        `A page of MOST_LIKED may read ${mostSeen * 10} rows, but this one would read more. NEWEST has no such bound.`,
      );
    const isAtEdge = ({ magnitude }: TopRow) => magnitude === edge.magnitude;
    if (edge.magnitude > 1) likes.requireRoomFor(waiting.filter(isAtEdge).length);
    const isFew = open.length <= READ_ON;
    reading = new Set(
      edge.magnitude > 1 && !isFew ? open.filter(({ after }) => isAtEdge(after)) : open.slice(0, READ_ON),
    );
    size = Math.min(size * 2, MOST_ROWS);
  }
}

/**
 * Rows in order, each once though it may stand in two partitions, cut where a magnitude ends into stretches that may fill a
 * page; those with one like are in order as they are.
 */
function* stretchesOf(rows: readonly TopRow[], least: number, reversed: boolean): Iterable<TopRow[]> {
  const sorted = [...rows].sort((a, b) => (reversed ? compareRows(a, b) : compareRows(b, a)));
  let stretch: TopRow[] = [];
  for (const [place, row] of sorted.entries()) {
    const previous = sorted[place - 1];
    if (previous && compareRows(previous, row) === 0) continue;
    const isCut = row.magnitude === 1 || row.magnitude !== stretch.at(-1)?.magnitude;
    if (isCut && stretch.length >= least) {
      yield stretch;
      stretch = [];
    }
    stretch.push(row);
  }
  yield stretch;
}

/** An owner of whom there is more to read. */
interface Open {
  readonly owner: string;
  readonly after: TopRow;
}

/** Rows of whole magnitudes as tweets in the order of their likes; those of earlier magnitudes of theirs are passed over. */
async function orderByLikes(
  load: Load,
  rows: readonly TopRow[],
  reader: LikeReader,
  from: TopPlace | null,
  reversed: boolean,
  limit: number,
  holds: (tweet: TweetRow) => boolean,
): Promise<Placed[]> {
  const ids = rows.map(({ tweetId }) => tweetId);
  const tweetOf = (tweetId: string) => load(tweets.get, { tweetId });
  // Of few, all are read together with their likes.
  const [counts] = await Promise.all([
    reader.read(ids),
    ids.length <= 2 * limit ? Promise.all(ids.map(tweetOf)) : [],
  ]);
  const standing = rows.flatMap(({ magnitude, tweetId }, place) => {
    const likes = counts[place] ?? 0;
    const isAhead =
      from === null ||
      (reversed ? comparePlaces({ likes, tweetId }, from) > 0 : comparePlaces({ likes, tweetId }, from) < 0);
    return magnitudeOf(likes) === magnitude && isAhead ? [{ tweetId, likes }] : [];
  });
  standing.sort((a, b) => (reversed ? comparePlaces(a, b) : comparePlaces(b, a)));
  const found: Placed[] = [];
  for (let n = 0; n < standing.length && found.length < limit; n += limit) {
    const some = standing.slice(n, n + limit);
    const read = await Promise.all(some.map(({ tweetId }) => tweetOf(tweetId)));
    read.forEach((tweet, place) => {
      if (tweet !== null && holds(tweet)) found.push({ ...tweet, likes: some[place]?.likes ?? 0, month: 0 });
    });
  }
  return found.slice(0, limit);
}
