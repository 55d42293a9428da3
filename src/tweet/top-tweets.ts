import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/data/load';
import { likesIn } from './like-count';
import { shownTweets } from './recent-deletions';
import type { RankedTweet } from './top-list';
import type { TopPosition } from './top-position';
import { shownTweetCounts, type tweets } from './tweet.table';

/** Which liked tweets are read. */
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
export async function likesOf(load: Load, tweetIds: readonly string[]): Promise<number[]> {
  return (await Promise.all(tweetIds.map((tweetId) => load(shownTweetCounts, { tweetId })))).map(likesIn);
}

/** The first visible tweets of some that are in order, at most `limit`. */
export async function visibleTweets(
  load: Load,
  candidates: readonly TopPosition[],
  limit: number,
  isVisible: (tweet: Row<typeof tweets>) => boolean = () => true,
): Promise<RankedTweet[]> {
  const found: RankedTweet[] = [];
  for (let n = 0; n < candidates.length && found.length < limit; n += limit) {
    const chunk = candidates.slice(n, n + limit);
    const read = await Promise.all(chunk.map(({ tweetId }) => load(shownTweets, { tweetId })));
    chunk.forEach((position, index) => {
      const tweet = read[index] ?? null;
      if (tweet !== null && isVisible(tweet)) found.push({ ...position, tweet });
    });
  }
  return found.slice(0, limit);
}
