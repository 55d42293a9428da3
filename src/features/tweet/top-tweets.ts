import { mostOf } from '../../kit/base/magnitude';
import type { Load } from '../../kit/reads/load';
import { likesIn, cachedTweetCounts, type TweetRow } from './tweet.table';
import { cachedTweets } from './tweet-invalidations';
import type { RankedTweet, TopReading } from './top-reading';
import type { TopPosition, TopRow } from './top-position';

/** The liked tweets that are read. */
export interface LikedSlice {
  /** The position after which reading begins; null for the beginning of the list. */
  readonly from: TopPosition | null;
  readonly reversed: boolean;
  readonly limit: number;
}

/** Liked tweets in the order of the list. */
export interface LikedRows {
  readonly rows: readonly RankedTweet[];
  /** The position from which the list goes on; null if it has no more liked tweets. */
  readonly next: TopPosition | null;
  /** Whether a bound ended the read before it had as many rows as were asked for. */
  readonly isCut?: boolean;
}

/** The numbers of likes of tweets as they are shown, in the order of their ids. */
export async function readLikes(load: Load, tweetIds: readonly string[]): Promise<number[]> {
  return (await Promise.all(tweetIds.map((tweetId) => load(cachedTweetCounts, { tweetId })))).map(likesIn);
}

/**
 * The likes by which the tweet of a row is ordered, given those that are shown. If its likes have reached the next magnitude after the row
 * was read, that is the greatest count of the row's magnitude.
 */
export function listAndGetLikes(
  { magnitude, tweetId }: TopRow,
  likes: number,
  listed: Set<string> | null,
): number {
  const isFirst = listed?.has(tweetId) === false;
  listed?.add(tweetId);
  return isFirst ? Math.min(likes, mostOf(magnitude)) : likes;
}

/** Whether a tweet is there, and no share. */
export function isOwn(tweet: TweetRow | null): tweet is TweetRow {
  return tweet !== null && tweet.sharedTweetId === null;
}

/** Visible tweets of candidates. */
interface VisibleTweets {
  readonly tweets: readonly RankedTweet[];
  /** The candidate after which the bound of the page has ended the read; null if it has not. */
  readonly cutAt: TopPosition | null;
}

/** Reads the first visible tweets of candidates that are in order, at most `limit`, as far as the bound of the page allows. */
export async function visibleTweets<N>(
  { load, sources: { isVisible = () => true }, bounds: { max } }: TopReading<N>,
  candidates: readonly TopPosition[],
  limit: number,
): Promise<VisibleTweets> {
  const tweets: RankedTweet[] = [];
  for (let n = 0; n < candidates.length && tweets.length < limit; n += limit) {
    const chunk = candidates.slice(n, n + limit);
    if (n > 0 && load.used().reads + chunk.length > max.reads)
      return { tweets, cutAt: candidates[n - 1] ?? null };
    const read = await Promise.all(chunk.map(({ tweetId }) => load(cachedTweets, { tweetId })));
    const areShown = await Promise.all(read.map(async (tweet) => tweet !== null && isVisible(tweet)));
    chunk.forEach((position, index) => {
      const tweet = read[index] ?? null;
      if (tweet !== null && areShown[index] === true) tweets.push({ ...position, tweet });
    });
  }
  return { tweets: tweets.slice(0, limit), cutAt: null };
}
