import type { Row } from '../kit/cassandra/table';
import { badInput } from '../kit/errors';
import type { Load } from '../kit/load';
import { rowsFrom, type List, type Slice } from '../kit/relay/connection';
import { likesIn, magnitudeOf } from './magnitude';
import { tweetCounts, tweets } from './tweet.table';

type TweetRow = Row<typeof tweets>;

/** What a list of the most liked is made of. */
export interface TopSources {
  readonly name: string;
  /** Whose partitions are merged. */
  readonly owners: () => Promise<readonly string[]>;
  /** Reads some rows of an owner's partition: a power of two of likes each, with the tweets that came to it. */
  readonly top: (owner: string, slice: TopSlice) => Promise<readonly TopRow[]>;
  /** The same tweets newest first: those that nobody likes are taken from it. */
  readonly newest: List<TweetRow>;
  readonly holds: (tweet: TweetRow) => boolean;
}

/** Which rows of an owner are read. */
export interface TopSlice {
  readonly after: readonly [magnitude: number, tweetId: string];
  readonly reversed: boolean;
  readonly limit: number;
}

interface TopRow {
  readonly magnitude: number;
  readonly tweetId: string;
}

/** A tweet of such a list, with what its place is made of. */
interface Placed extends TweetRow {
  readonly likes: number;
  /** Where it stands in the list of the newest; of liked tweets 0. */
  readonly month: number;
}

/** More than any number of likes has. */
const HIGHEST = 32;
const LARGEST_ID = String(2n ** 63n - 1n);

/**
 * The tweets of some owners, most liked first, then by id descending. Owners' partitions hold their tweets by the
 * magnitude of likes; a magnitude is read whole, and ordered by the counts as they are now. Shares are left out.
 */
export function topList(load: Load, sources: TopSources): List<Placed> {
  const position = ({ likes, month, tweetId }: Placed) => [String(likes), String(month), tweetId];
  return {
    name: sources.name,
    buckets: () => Promise.resolve([0]),
    position,
    sources: () => [{ read: (slice) => readPlaced(load, sources, slice) }],
  };
}

async function readPlaced(
  load: Load,
  sources: TopSources,
  { after, reversed, limit }: Slice,
): Promise<Placed[]> {
  const from = after === undefined ? null : placeIn(after);
  const found: Placed[] = [];
  const readings = reversed ? [readUnliked, readLiked] : [readLiked, readUnliked];
  for (const read of readings) {
    if (found.length < limit)
      found.push(...(await read(load, sources, from, reversed, limit - found.length)));
  }
  return found;
}

interface Place {
  readonly likes: number;
  readonly month: number;
  readonly tweetId: string;
}

function placeIn(key: readonly unknown[]): Place {
  const [likes, month, tweetId] = key.map(String);
  if (key.length !== 3 || !key.every((value) => typeof value === 'string' && /^\d{1,19}$/.test(value)))
    throw badInput('A cursor must be one that this list gave.');
  return { likes: Number(likes), month: Number(month), tweetId: tweetId ?? '' };
}

/** How many rows are read at first, of all owners together, and at most of one at a time. */
const FIRST_ROWS = 64;
const MOST_ROWS = 1000;

/** Tweets that somebody likes, in the order of the list: whole magnitudes, until there are enough. */
async function readLiked(
  load: Load,
  { owners, top, holds }: TopSources,
  from: Place | null,
  reversed: boolean,
  limit: number,
): Promise<Placed[]> {
  if (from?.likes === 0 && !reversed) return [];
  const nearest = from === null || from.likes === 0 ? (reversed ? 1 : HIGHEST) : magnitudeOf(from.likes);
  const farEnd = reversed ? LARGEST_ID : '0';
  let open = (await owners()).map((owner): Open => ({
    owner,
    after: [nearest - (reversed ? 1 : -1), farEnd],
  }));
  let size = Math.max(4, Math.ceil(FIRST_ROWS / Math.max(1, open.length)));
  const waiting: TopRow[] = [];
  const found: Placed[] = [];
  for (let edge: number | null = null; ;) {
    const reading = open.filter(({ after }) => edge === null || after[0] === edge);
    const others = open.filter(({ after }) => edge !== null && after[0] !== edge);
    const pages = await Promise.all(
      reading.map(({ owner, after }) => top(owner, { after, reversed, limit: size })),
    );
    waiting.push(...pages.flat());
    const goingOn = reading.flatMap(({ owner }, place): Open[] => {
      const last = pages[place]?.length === size ? pages[place].at(-1) : undefined;
      return last === undefined ? [] : [{ owner, after: [last.magnitude, last.tweetId] }];
    });
    open = [...others, ...goingOn];
    // Of a magnitude up to which some owner was read there may be more.
    const edges = open.map(({ after: [magnitude] }) => magnitude);
    edge = reversed ? Math.min(HIGHEST + 1, ...edges) : Math.max(-1, ...edges);
    const whole = takeWhere(waiting, ({ magnitude }) => (reversed ? magnitude < edge : magnitude > edge));
    for (const rows of byMagnitude(whole, reversed)) {
      found.push(...(await orderByLikes(load, rows, from, reversed, limit - found.length, holds)));
      if (found.length >= limit) return found;
    }
    if (open.length === 0) return found;
    size = Math.min(size * 2, MOST_ROWS);
  }
}

/** An owner of whom there is more to read. */
interface Open {
  readonly owner: string;
  readonly after: TopSlice['after'];
}

/** Rows of one magnitude as tweets in the order of their likes; those of earlier magnitudes of theirs are passed over. */
async function orderByLikes(
  load: Load,
  rows: readonly TopRow[],
  from: Place | null,
  reversed: boolean,
  limit: number,
  holds: (tweet: TweetRow) => boolean,
): Promise<Placed[]> {
  const counts = await Promise.all(rows.map(({ tweetId }) => load(tweetCounts.get, { tweetId })));
  const standing = rows.flatMap(({ magnitude, tweetId }, place) => {
    const likes = likesIn(counts[place] ?? null);
    const isAhead =
      from === null ||
      (reversed ? compare({ likes, tweetId }, from) > 0 : compare({ likes, tweetId }, from) < 0);
    return magnitudeOf(likes) === magnitude && isAhead ? [{ tweetId, likes }] : [];
  });
  standing.sort((a, b) => (reversed ? compare(a, b) : compare(b, a)));
  const found: Placed[] = [];
  for (let n = 0; n < standing.length && found.length < limit; n += limit) {
    const some = standing.slice(n, n + limit);
    const read = await Promise.all(some.map(({ tweetId }) => load(tweets.get, { tweetId })));
    read.forEach((tweet, place) => {
      if (tweet !== null && holds(tweet)) found.push({ ...tweet, likes: some[place]?.likes ?? 0, month: 0 });
    });
  }
  return found.slice(0, limit);
}

/** Tweets that nobody likes, in the order of the list. */
async function readUnliked(
  load: Load,
  { newest, holds }: TopSources,
  from: Place | null,
  reversed: boolean,
  limit: number,
): Promise<Placed[]> {
  if (from !== null && from.likes > 0 && reversed) return [];
  const start = from?.likes === 0 ? { bucket: from.month, key: [from.tweetId] } : null;
  const found: Placed[] = [];
  for await (const rows of rowsFrom(newest, start, reversed)) {
    const own = rows.filter(({ row }) => row.sharedTweetId === null && holds(row));
    const counts = await Promise.all(own.map(({ row }) => load(tweetCounts.get, { tweetId: row.tweetId })));
    own.forEach(({ row, bucket }, place) => {
      if (likesIn(counts[place] ?? null) === 0) found.push({ ...row, likes: 0, month: bucket });
    });
    if (found.length >= limit) return found.slice(0, limit);
  }
  return found;
}

function compare(a: Omit<Place, 'month'>, b: Omit<Place, 'month'>): number {
  return (
    a.likes - b.likes ||
    a.tweetId.length - b.tweetId.length ||
    (a.tweetId < b.tweetId ? -1 : a.tweetId > b.tweetId ? 1 : 0)
  );
}

function takeWhere<T>(from: T[], isTaken: (item: T) => boolean): T[] {
  const taken = from.filter(isTaken);
  from.splice(0, from.length, ...from.filter((item) => !isTaken(item)));
  return taken;
}

function byMagnitude(rows: readonly TopRow[], reversed: boolean): TopRow[][] {
  const groups = new Map<number, TopRow[]>();
  for (const row of rows) groups.set(row.magnitude, [...(groups.get(row.magnitude) ?? []), row]);
  const sorted = [...groups].sort(([a], [b]) => (reversed ? a - b : b - a));
  return sorted.map(([, group]) => group);
}
