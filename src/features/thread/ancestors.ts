import type { Load } from '../../kit/reads/load';
import { cachedTweets } from '../tweet/tweet-invalidations';
import { deletedTweets, type StoredTweet, type TweetRow } from '../tweet/tweet.table';

/** How many ancestors a page has at most. */
export const MAX_ANCESTORS = 40;

/** A tweet above another one. `tweet` is null if it was deleted. */
export interface Ancestor {
  readonly tweetId: string;
  readonly tweet: StoredTweet | null;
}

/** The tweets above a tweet, from the one that it replies to upwards: up to 40, and up to one that is not stored here. */
export async function readAncestors(
  load: Load,
  { tweetId, inReplyToId }: Pick<TweetRow, 'tweetId' | 'inReplyToId'>,
): Promise<Ancestor[]> {
  const found: Ancestor[] = [];
  // Tweets of an import may reply to each other in a circle.
  const passed = new Set([tweetId]);
  for (let next = inReplyToId; next !== null && !passed.has(next) && found.length < MAX_ANCESTORS;) {
    passed.add(next);
    const tweet = await load(cachedTweets, { tweetId: next });
    const above = tweet ?? (await load(deletedTweets.get, { tweetId: next }));
    if (above === null) break;
    found.push({ tweetId: next, tweet });
    next = above.inReplyToId;
  }
  return found;
}

/** The tweet whose conversation a tweet is in: of a share, its original; null if that is not stored here. */
export async function conversing<T extends TweetRow>(load: Load, tweet: T): Promise<T | StoredTweet | null> {
  return tweet.sharedTweetId === null ? tweet : load(cachedTweets, { tweetId: tweet.sharedTweetId });
}
