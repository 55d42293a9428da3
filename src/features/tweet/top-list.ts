import type { Cost } from '../../kit/cost/cost';
import { limitLoad, type LimitedLoad } from '../../kit/cost/limit-load';
import type { Row } from '../../kit/cassandra/table';
import type { Load } from '../../kit/reads/load';
import { connect } from '../../kit/lists/connection';
import { partsByBucket, type List } from '../../kit/lists/list-parts';
import { pageOf } from '../../kit/lists/page';
import { cursorIn, type ConnectionArguments } from '../../kit/input/page-args';
import { likedSource, refusal } from './top-liked';
import { sortedRows, sortedSources } from './top-short';
import { topPositionOf, type TopPosition, type TopRow } from './top-position';
import { unlikedSource } from './top-unliked';
import { shownTopTweetsByAuthor, topTweetsByAuthor, type tweets } from './tweet.table';

type TweetRow = Row<typeof tweets>;

/** What a list of the most liked reads from. `N` is a row of the same list in the order NEWEST. */
export interface TopSources<N> {
  readonly name: string;
  /** The owners whose partitions are merged. */
  readonly owners: (load: Load) => Promise<readonly string[]>;
  /** Reads a slice of an owner's partition: magnitudes of likes with the tweets that reached them. */
  readonly top: (load: Load, owner: string, slice: TopSlice) => Promise<TopRows>;
  /** The same list, newest first: tweets without likes are taken from it. */
  readonly newest: (load: Load) => Promise<List<N>>;
  /** The tweet that a row of `newest` is or points to; null when it is deleted. */
  readonly tweetOf: (load: Load, row: N) => Promise<TweetRow | null>;
  /** If the list has at most so many tweets for each item of a first page, the counts of all are read, and they are sorted. */
  readonly sortedPerItem?: number;
  /** Whether the list is known to have more than `limit` tweets. It reads little, and only what a page would read. */
  readonly isLong?: (load: Load, limit: number) => Promise<boolean>;
  /** Whether the list shows a tweet; all of them if this is not given. */
  readonly isVisible?: (tweet: TweetRow) => boolean;
}

/** Rows of an owner's partition. */
interface TopRows {
  readonly rows: readonly TopRow[];
  /** The position up to which the partition was read; null if it has no more rows. */
  readonly end: TopRow | null;
  /** Whether a bound ended the read before it had as many rows as were asked for. */
  readonly isCut?: boolean;
}

/** Reads rows by a read that returns fewer rows than were asked for only if there are no more. */
export async function topRows(rows: Promise<readonly TopRow[]>, { limit }: TopSlice): Promise<TopRows> {
  const read = await rows;
  return { rows: read, end: read.length < limit ? null : (read.at(-1) ?? null) };
}

/** Reads rows of an author's partition. */
export async function topOfAuthor(load: Load, authorId: string, slice: TopSlice): Promise<TopRows> {
  const page = slice.mayBeCached ? shownTopTweetsByAuthor : topTweetsByAuthor.page;
  return topRows(load(page, { authorId, ...slice }), slice);
}

/** Which rows of an owner's partition are read. */
export interface TopSlice {
  readonly after: readonly [magnitude: number, tweetId: string];
  readonly reversed: boolean;
  readonly limit: number;
  /** Whether the rows may be as they were a moment ago. */
  readonly mayBeCached: boolean;
}

/** How much a page reads at most. */
export interface TopBounds {
  /** All that a page may read. A page that has read half of this ends at the next place where it can. */
  readonly max: Cost;
  /** How many rows a page may read after the first ones before it is cut short, if it can be cut. */
  readonly maxFurtherRows?: number;
  /** Rows that are read at first, of all owners together. */
  readonly firstRows?: number;
}

/** How many reads a first page may make for each of its items. */
const READS_PER_ITEM = 60;
/** How many reads any first page may make, however small it is. */
const MIN_COMPARING_READS = 300;
/** How many reads any page may make. */
const MAX_COMPARING_READS = 4000;
/** How many rows a page may read for each of its reads, on average. */
const ROWS_PER_READ = 20;

/**
 * How much a page of MOST_LIKED reads at most. Each compared tweet is a partition of `tweet_counts`. A query may have many
 * first pages, which need only the few most liked tweets. A later page may come to a magnitude that has many tweets.
 */
export function mostLikedCost({ first, last, after, before }: ConnectionArguments): Cost {
  const isFirst = cursorIn(after) === null && cursorIn(before) === null;
  const size = first ?? last ?? 25;
  const reads = isFirst
    ? Math.min(MAX_COMPARING_READS, Math.max(MIN_COMPARING_READS, READS_PER_ITEM * size))
    : MAX_COMPARING_READS;
  return { reads, rows: ROWS_PER_READ * reads };
}

/** How a page of a list is read. */
export interface TopReading<N> {
  readonly load: LimitedLoad;
  readonly sources: TopSources<N>;
  readonly bounds: TopBounds;
  /**
   * The tweets of the rows so far, if the page begins at the beginning of the list; otherwise null. Then the first row of a tweet
   * is that of the greatest magnitude that was known when it was read. So the rows may be older than the counts.
   */
  readonly listed: Set<string> | null;
}

/** A tweet of a list of the most liked, with its position. */
export interface RankedTweet extends TopPosition {
  readonly tweet: TweetRow;
}

/** The two buckets of a list: liked tweets come first, then those without likes, newest first. */
const LIKED = 1;
const UNLIKED = 0;

/** Reads a page of MOST_LIKED from the sources of `prepare`. What `prepare` reads counts towards `max`. */
export async function connectMostLiked<N extends { readonly tweetId: string }>(
  given: Load,
  args: ConnectionArguments,
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

/** The sources of a list, and how many rows are read of it at first. */
interface Prepared<N> extends Pick<TopBounds, 'firstRows'> {
  readonly sources: TopSources<N>;
}

/**
 * The tweets of some owners, most liked first, then by id descending. An owner's partition has its tweets by magnitude of
 * likes. A magnitude is read whole and ordered by the counts that are shown; that of a single like needs no ordering. If a
 * magnitude has too many tweets for that, they are read count by count. If it also has too many counts, the page fails with
 * `QUERY_TOO_LARGE`. Shares are left out.
 */
export function topList<N extends { readonly tweetId: string }>(
  load: LimitedLoad,
  sources: TopSources<N>,
  bounds: TopBounds,
): List<RankedTweet> {
  return {
    name: sources.name,
    position: topPositionOf,
    async parts(page) {
      const isFirst = sources.sortedPerItem !== undefined && page.from === null;
      const sorted = isFirst ? await sortedRows(load, sources, page.limit) : null;
      const ofSorted = sorted && sortedSources(load, sources, sorted, page.limit);
      const listed = page.from === null && !page.backwards ? new Set<string>() : null;
      const reading = { load, sources, bounds, listed };
      const sourceOf = (bucket: number) => {
        if (ofSorted) return ofSorted(bucket === LIKED);
        return bucket === LIKED ? likedSource(reading) : unlikedSource(reading);
      };
      const buckets = () => Promise.resolve([LIKED, UNLIKED]);
      return partsByBucket(buckets, (bucket) => [sourceOf(bucket)])(page);
    },
  };
}
