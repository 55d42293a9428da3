import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/data/load';
import type { List } from '../kit/relay/list';
import { bucketList, type BucketTable } from '../kit/lists/bucket-list';
import type { tweets } from './tweet.table';
import { listedTweet, orphanTest } from './visible';

type TweetRow = Row<typeof tweets>;

/** The position of a tweet in lists that are in descending order of id. */
export function tweetPosition({ tweetId }: TweetRow): readonly string[] {
  return [tweetId];
}

/** The tweets of one owner, newest first, without shares whose original was deleted. */
export function tweetList<R extends TweetRow & { readonly isSplit: boolean | null }, O extends string>(
  load: Load,
  table: BucketTable<R, O>,
  owner: Record<O, string>,
): List<R> {
  return visibleList(load, bucketList(load, table, owner, tweetPosition));
}

/** A list without shares whose original was deleted. */
export function visibleList<R extends TweetRow>(load: Load, list: List<R>): List<R> {
  const isOrphan = orphanTest(load);
  return {
    ...list,
    shown: (row) => row.sharedTweetId === null || isOrphan(row).then((isHidden) => !isHidden),
  };
}

/** For lists whose rows only point to tweets: `shown` reads a row's tweet, and `tweetOf` returns it after that. */
export function pointedTweets(load: Load) {
  const found = new Map<string, TweetRow | null>();
  const isOrphan = orphanTest(load);
  return {
    shown: async ({ tweetId }: Pick<TweetRow, 'tweetId'>) => {
      const tweet = await listedTweet(load, tweetId, isOrphan);
      found.set(tweetId, tweet);
      return tweet !== null;
    },
    tweetOf: ({ tweetId }: Pick<TweetRow, 'tweetId'>) => found.get(tweetId) ?? null,
  };
}
