import { shardOf } from '../../kit/base/shard-of';
import type { Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { monthOf, type ListBucket } from '../../kit/data/buckets';
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

/** The rows of a tweet by id, author, day, replied tweet and shared tweet, with the buckets of their lists. */
export function rowsOf(tweet: TweetRow): { writes: Write[]; listBuckets: ListBucket[] } {
  const { tweetId, authorId, inReplyToId, sharedTweetId } = tweet;
  const { bucket, day, shard } = partitionsOf(tweet);
  const writes = [
    writeOf(tweets, tweet),
    writeOf(tweetsByAuthor, { ...tweet, bucket }),
    writeOf(tweetsByDay, { ...tweet, day, shard }),
  ];
  const listBuckets = [{ list: tweetsByAuthor.name, owner: authorId, bucket }];
  if (inReplyToId !== null) {
    writes.push(writeOf(repliesByTweet, { ...tweet, inReplyToId, bucket }));
    listBuckets.push({ list: repliesByTweet.name, owner: inReplyToId, bucket });
  }
  if (sharedTweetId !== null) {
    writes.push(writeOf(sharesByTweet, { sharedTweetId, bucket, tweetId, authorId }));
    listBuckets.push({ list: sharesByTweet.name, owner: sharedTweetId, bucket });
  }
  return { writes, listBuckets };
}

/** The rows that record the deletion of a tweet, with the bucket of the author's deleted tweets. */
export function deletedRowsOf(tweet: Row<typeof deletedTweets>): {
  writes: Write[];
  listBuckets: ListBucket[];
} {
  const { tweetId, authorId, createdAt } = tweet;
  const bucket = monthOf(createdAt);
  return {
    writes: [
      writeOf(deletedTweets, tweet),
      writeOf(deletedByAuthor, { authorId, bucket, tweetId, createdAt }),
    ],
    listBuckets: [{ list: deletedByAuthor.name, owner: authorId, bucket }],
  };
}

/** The removals of the rows of `rowsOf` and of the raw record; `at` is their write time in microseconds. */
export function removalsOf(tweet: Listed, at: number): Write[] {
  const { tweetId, authorId, inReplyToId, sharedTweetId } = tweet;
  const { bucket, day, shard } = partitionsOf(tweet);
  return [
    removalOf(tweets, { tweetId }, at),
    removalOf(rawTweets, { tweetId }, at),
    removalOf(tweetsByAuthor, { authorId, bucket, tweetId }, at),
    removalOf(tweetsByDay, { day, shard, tweetId }, at),
    ...(inReplyToId === null ? [] : [removalOf(repliesByTweet, { inReplyToId, bucket, tweetId }, at)]),
    ...(sharedTweetId === null ? [] : [removalOf(sharesByTweet, { sharedTweetId, bucket, tweetId }, at)]),
  ];
}

function partitionsOf({ tweetId, createdAt }: Listed) {
  return {
    bucket: monthOf(createdAt),
    day: createdAt.toISOString().slice(0, 10),
    shard: shardOf(tweetId, DAY_SHARDS),
  };
}
