import type { Cost } from '../../kit/cost/cost';
import type { LimitedLoad } from '../../kit/cost/limit-load';
import type { Load } from '../../kit/reads/load';
import type { List } from '../../kit/lists/list-parts';
import type { TopPosition, TopRow } from './top-position';
import { cachedTopTweetsByAuthor, topTweetsByAuthor, type TweetRow } from './tweet.table';

/** The sources of a list of the most liked. `N` is a row of the same list in the order NEWEST. */
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
  readonly isVisible?: (tweet: TweetRow) => boolean | Promise<boolean>;
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
  const page = slice.mayBeCached ? cachedTopTweetsByAuthor : topTweetsByAuthor.page;
  return topRows(load(page, { authorId, ...slice }), slice);
}

/** The rows of an owner's partition that are read. */
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
  /** Rows that are read at first, of all owners together. */
  readonly firstRows?: number;
}

/** The means by which a page of a list is read. */
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
