import { followersByUser, followingByUser } from '../../follow/follow.table';
import type { Row } from '../../kit/cassandra/table';
import { monthOf } from '../../kit/relay/buckets';
import { writeOf } from '../../kit/write';
import {
  DAY_SHARDS,
  repliesByTweet,
  shares,
  sharesByTweet,
  tweets,
  tweetsByAuthor,
  tweetsByDay,
} from '../../tweet/tweet.table';
import type { Writer } from './writer';

/** Writes a relation, both ways. */
export async function storeFollow(
  writer: Writer,
  follower: string,
  followee: string,
  followedAt: Date,
): Promise<void> {
  const bucket = monthOf(followedAt);
  await writer.put(writeOf(followersByUser, { userId: followee, bucket, followedAt, followerId: follower }));
  await writer.put(writeOf(followingByUser, { userId: follower, bucket, followedAt, followeeId: followee }));
  await writer.putMonth(followersByUser.name, followee, bucket);
  await writer.putMonth(followingByUser.name, follower, bucket);
}

/** Writes a tweet to its lists, all but timelines. */
export async function storeTweet(writer: Writer, tweet: Row<typeof tweets>): Promise<void> {
  const { tweetId, authorId, createdAt, inReplyToId, sharedTweetId } = tweet;
  const bucket = monthOf(createdAt);
  const day = createdAt.toISOString().slice(0, 10);
  const shard = Number(BigInt(tweetId) % BigInt(DAY_SHARDS));
  await writer.put(writeOf(tweets, tweet));
  await writer.put(writeOf(tweetsByAuthor, { ...tweet, bucket }));
  await writer.put(writeOf(tweetsByDay, { ...tweet, day, shard }));
  await writer.putMonth(tweetsByAuthor.name, authorId, bucket);
  if (inReplyToId !== null) {
    await writer.put(writeOf(repliesByTweet, { ...tweet, inReplyToId, bucket }));
    await writer.putMonth(repliesByTweet.name, inReplyToId, bucket);
  }
  if (sharedTweetId !== null) {
    await writer.put(writeOf(shares, { authorId, sharedTweetId, tweetId }));
    await writer.put(writeOf(sharesByTweet, { sharedTweetId, bucket, tweetId, authorId }));
    await writer.putMonth(sharesByTweet.name, sharedTweetId, bucket);
  }
}
