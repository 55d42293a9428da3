import type { Cost } from '../kit/cost/cost';
import { limitLoad, type LimitedLoad } from '../kit/cost/limit-load';
import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/data/load';
import { connect } from '../kit/relay/connection';
import type { List } from '../kit/relay/list';
import { pageOf, type Asked } from '../kit/relay/page';
import { likedSource, refusal } from './top-liked';
import type { TopRow } from './top-place';
import { unlikedSource } from './top-unliked';
import type { tweets } from './tweet.table';

type TweetRow = Row<typeof tweets>;

/** What a list of the most liked is made of; `N` is a row of the same list, newest first. */
export interface TopSources<N> {
  readonly name: string;
  /** Whose partitions are merged. */
  readonly owners: (load: Load) => Promise<readonly string[]>;
  /** Reads some rows of an owner's partition: a power of two of likes each, with the tweets that came to it. */
  readonly top: (load: Load, owner: string, slice: TopSlice) => Promise<readonly TopRow[]>;
  /** Leaves out those of an owner's rows, which are all of a slice, that are not of the list; none are when it is not given. */
  readonly narrow?: (
    load: Load,
    owner: string,
    rows: readonly TopRow[],
    slice: TopSlice,
  ) => Promise<readonly TopRow[]>;
  /** The same tweets newest first: those that nobody likes are taken from it. */
  readonly newest: (load: Load) => Promise<List<N>>;
  /** The tweet that a row of the newest is, or points to; null where it is gone. */
  readonly tweetOf: (load: Load, row: N) => Promise<TweetRow | null>;
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
  /** What is read in all: a page that needs more is refused, unless it can end where half of that was read. */
  readonly max: Cost;
  /** Rows after which a page is cut, where that can be. */
  readonly maxSeenRows?: number;
  /** Rows that are read at first, of all owners together. */
  readonly firstRows?: number;
}

/** What a page of the most liked may read: for each item of a first page, at least and at most. */
const READS_PER_ITEM = 60;
const MIN_COMPARING_READS = 300;
const MAX_COMPARING_READS = 4000;
const ROWS_PER_READ = 20;

/**
 * How much a page of the most liked reads at most: each tweet that is compared is a partition of `tweet_counts`. A first page,
 * of which there may be many in a query, needs the few most liked only; a later one may come to where many have about as many likes.
 */
export function mostLikedCost({ first, last, after, before }: Asked): Cost {
  const isFirst = after == null && before == null;
  const size = first ?? last ?? 25;
  const reads = isFirst
    ? Math.min(MAX_COMPARING_READS, Math.max(MIN_COMPARING_READS, READS_PER_ITEM * size))
    : MAX_COMPARING_READS;
  return { reads, rows: ROWS_PER_READ * reads };
}

/** A tweet of such a list, with what its position is made of; null where it is gone. */
export interface Placed {
  readonly tweetId: string;
  readonly likes: number;
  /** Where it stands in the list of the newest; of liked tweets 0. */
  readonly month: number;
  readonly tweet: TweetRow;
}

/** Liked tweets come first, then those that nobody likes, newest first. */
const LIKED = 1;
const UNLIKED = 0;

/** Reads a page of the most liked, of what `prepare` says: what that reads counts, too. */
export async function connectMostLiked<N extends { readonly tweetId: string }>(
  given: Load,
  args: Asked,
  prepare: (load: Load) => Promise<Prepared<N>>,
  max = mostLikedCost(args),
) {
  const load = limitLoad(given, max, refusal);
  const { sources, ...bounds } = await prepare(load);
  const list = topList(load, sources, { max, ...bounds });
  return connect(
    list,
    pageOf(list.name, args),
    ({ tweet }, cursor) => ({ cursor, node: tweet }),
    ({ tweet }) => tweet,
  );
}

/** What a list is made of, and how many rows are read of it at first. */
export interface Prepared<N> extends Pick<TopBounds, 'firstRows'> {
  readonly sources: TopSources<N>;
}

/**
 * The tweets of some owners, most liked first, then by id descending. Owners' partitions hold their tweets by the
 * magnitude of likes; a magnitude is read whole, and ordered by the counts as they are now; that of a single like is in
 * order as it is. Shares are left out. A page that would read more than its bound is `QUERY_TOO_LARGE`.
 */
export function topList<N extends { readonly tweetId: string }>(
  load: LimitedLoad,
  sources: TopSources<N>,
  bounds: TopBounds,
): List<Placed> {
  return {
    name: sources.name,
    buckets: () => Promise.resolve([LIKED, UNLIKED]),
    atOnce: sources.isFew ? 2 : 1,
    position: ({ likes, month, tweetId }) => [String(likes), String(month), tweetId],
    sources: (bucket) => [
      bucket === LIKED ? likedSource(load, sources, bounds) : unlikedSource(load, sources, bounds),
    ],
  };
}
