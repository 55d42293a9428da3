import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/data/load';
import { deletedTweets, tweets } from './tweet.table';

type TweetRow = Row<typeof tweets>;

/** A tweet by id; null when it is not there. A share goes with its original, whose deletion removes it behind itself. */
export async function tweetById(load: Load, tweetId: string): Promise<TweetRow | null> {
  const tweet = await load(tweets.get, { tweetId });
  return tweet && !(await isOrphan(load, tweet)) ? tweet : null;
}

/**
 * The tweet that is meant by one that may be a share of it; null when it is not there. A share still means its original
 * when it was taken away: who asks for that again is answered again.
 */
export async function originalOf(load: Load, tweetId: string): Promise<TweetRow | null> {
  const tweet = await load(tweets.get, { tweetId });
  const named = tweet ?? (await load(deletedTweets.get, { tweetId }));
  return named?.sharedTweetId == null ? tweet : load(tweets.get, { tweetId: named.sharedTweetId });
}

/** Whether a tweet is a share that has lost its original. */
export async function isOrphan(load: Load, { sharedTweetId }: TweetRow): Promise<boolean> {
  return sharedTweetId !== null && (await load(deletedTweets.get, { tweetId: sharedTweetId })) !== null;
}
