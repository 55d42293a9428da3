import { shardOf } from '../../kit/base/shard-of';
import type { Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { removalOf, writeOf } from '../../kit/data/write';
import {
  DAY_SHARDS,
  deletedByAuthor,
  deletedTweets,
  rawTweets,
  repliesByTweet,
  sharesByTweet,
  tweets,
  tweetsByAuthor,
  tweetsByDay,
} from '../../tweet/tweet.table';

type TweetRow = Row<typeof tweets>;
/** What decides in which lists a tweet is. */
type Listed = Pick<TweetRow, 'tweetId' | 'authorId' | 'createdAt' | 'inReplyToId' | 'sharedTweetId'>;

/** The rows of a tweet by id, author, day, replied tweet and shared tweet. */
export function rowsOf(tweet: TweetRow): Write[] {
  const { tweetId, authorId, inReplyToId, sharedTweetId } = tweet;
  return [
    writeOf(tweets, tweet),
    writeOf(tweetsByAuthor, tweet),
    writeOf(tweetsByDay, { ...tweet, ...partitionOf(tweet) }),
    ...(inReplyToId === null ? [] : [writeOf(repliesByTweet, { ...tweet, inReplyToId })]),
    ...(sharedTweetId === null ? [] : [writeOf(sharesByTweet, { sharedTweetId, tweetId, authorId })]),
  ];
}

/** The rows that record the deletion of a tweet. */
export function deletedRowsOf(tweet: Row<typeof deletedTweets>): Write[] {
  const { tweetId, authorId, createdAt } = tweet;
  return [writeOf(deletedTweets, tweet), writeOf(deletedByAuthor, { authorId, tweetId, createdAt })];
}

/** The removal of the record that a tweet was imported from; `at` is its write time in microseconds. */
export function recordRemovalOf({ tweetId }: Pick<TweetRow, 'tweetId'>, at: number): Write {
  return removalOf(rawTweets, { tweetId }, at);
}

/** The removals of the rows of `rowsOf`; `at` is their write time in microseconds. */
export function removalsOf(tweet: Listed, at: number): Write[] {
  const { tweetId, authorId, inReplyToId, sharedTweetId } = tweet;
  return [
    removalOf(tweets, { tweetId }, at),
    removalOf(tweetsByAuthor, { authorId, tweetId }, at),
    removalOf(tweetsByDay, { ...partitionOf(tweet), tweetId }, at),
    ...(inReplyToId === null ? [] : [removalOf(repliesByTweet, { inReplyToId, tweetId }, at)]),
    ...(sharedTweetId === null ? [] : [removalOf(sharesByTweet, { sharedTweetId, tweetId }, at)]),
  ];
}

/** The partition of a tweet among those of its day. */
function partitionOf({ tweetId, createdAt }: Listed) {
  return {
    day: createdAt.toISOString().slice(0, 10),
    shard: shardOf(tweetId, DAY_SHARDS),
  };
}
