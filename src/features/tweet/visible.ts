import type { Checks } from '../../kit/lists/list-parts';
import type { Load } from '../../kit/reads/load';
import { changedTweets, cachedTweets } from './tweet-invalidations';
import { deletedTweets, tweets, type StoredTweet, type TweetRow } from './tweet.table';

/**
 * A tweet by id; null when it does not exist or its author is hidden. A share whose original was deleted counts as deleted: its own row is removed
 * in the background.
 */
export async function tweetById(load: Load, tweetId: string): Promise<StoredTweet | null> {
  const tweet = shownTweet(load, await load(tweets.get, { tweetId }));
  if (tweet === null || tweet.sharedTweetId === null) return tweet;
  return (await load(deletedTweets.get, { tweetId: tweet.sharedTweetId })) === null ? tweet : null;
}

/** The tweet that a row of a list points to; null when it does not exist, its author is hidden, or it is a share that is about to be removed. */
export async function listedTweet(
  load: Load,
  tweetId: string,
  isOrphan = orphanTest(load),
): Promise<StoredTweet | null> {
  const tweet = shownTweet(load, await load(cachedTweets, { tweetId }));
  return tweet && (await isOrphan(tweet, { left: 1 })) === false ? tweet : null;
}

/**
 * The tweet itself or, if it is a share, its original; null when that does not exist. A deleted share still means its
 * original, so a repeated mutation of it gets the same answer.
 */
export async function readOriginal(
  load: Load,
  tweetId: string,
  { mayBeHidden = false } = {},
): Promise<StoredTweet | null> {
  const tweet = await load(tweets.get, { tweetId });
  const named = tweet ?? (await load(deletedTweets.get, { tweetId }));
  const original =
    named?.sharedTweetId == null ? tweet : await load(tweets.get, { tweetId: named.sharedTweetId });
  return mayBeHidden ? original : shownTweet(load, original);
}

/** A tweet, unless its author is hidden, or that of the tweet that it shares. */
function shownTweet(load: Load, tweet: StoredTweet | null): StoredTweet | null {
  return tweet !== null && isByHidden(load, tweet) ? null : tweet;
}

/** Whether the author of a tweet is hidden, or that of the tweet that it shares. */
export function isByHidden(
  { isHidden }: Pick<Load, 'isHidden'>,
  { authorId, sharedAuthorId }: Pick<TweetRow, 'authorId' | 'sharedAuthorId'>,
): boolean {
  if (isHidden === undefined) return false;
  return isHidden(authorId) || (sharedAuthorId !== null && isHidden(sharedAuthorId));
}

/**
 * Tells whether a tweet is a share whose original was deleted, so that it is about to be removed; null if that takes a read and the page
 * has no checks left. Shares of tweets that were deleted before the last minutes are in no list any more.
 */
export function orphanTest(
  load: Load,
): (tweet: Pick<TweetRow, 'sharedTweetId'>, checks: Checks) => Promise<boolean | null> {
  let changed: ReturnType<typeof changedTweets> | undefined;
  const known = new Map<string, Promise<boolean>>();
  return async ({ sharedTweetId }, checks) => {
    if (sharedTweetId === null) return false;
    const isChanged = await (changed ??= changedTweets(load));
    if (!isChanged(sharedTweetId)) return false;
    let isDeleted = known.get(sharedTweetId);
    if (isDeleted === undefined) {
      if (checks.left <= 0) return null;
      checks.left--;
      isDeleted = load(deletedTweets.get, { tweetId: sharedTweetId }).then((tweet) => tweet !== null);
      known.set(sharedTweetId, isDeleted);
    }
    return isDeleted;
  };
}
