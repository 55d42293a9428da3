import { tooLarge } from '../kit/errors';
import type { Load } from '../kit/load';
import { likesIn } from './magnitude';
import { tweetCounts } from './tweet.table';

/** The most tweets that are compared by their likes for a page. */
export const MOST_COMPARED = 20_000;

/** Reads how many like the tweets that a page is made of. */
export interface LikeReader {
  /** Answers in the order of the ids. Throws `QUERY_TOO_LARGE` when it would have read more than the bound. */
  read(tweetIds: readonly string[]): Promise<number[]>;
  /** Throws `QUERY_TOO_LARGE` when that many more would be beyond the bound. */
  requireRoomFor(tweets: number): void;
}

/** Makes the reader of one page. */
export function createLikeReader(load: Load, most: number): LikeReader {
  let compared = 0;
  const requireRoomFor = (tweets: number) => {
    if (compared + tweets > most)
      throw tooLarge(
        `A page of MOST_LIKED may compare ${most} tweets, but this one would compare more. NEWEST has no such bound.`,
      );
  };
  return {
    requireRoomFor,
    async read(tweetIds) {
      requireRoomFor(tweetIds.length);
      compared += tweetIds.length;
      return (await Promise.all(tweetIds.map((tweetId) => load(tweetCounts.get, { tweetId })))).map(likesIn);
    },
  };
}
