import { followersByUser, followingByUser, relations } from '../../follow/follow.table';
import { importedRelation, timeOf } from '../../follow/relation';
import type { Row } from '../../kit/cassandra/table';
import { monthOf } from '../../kit/relay/buckets';
import { shardOf, tallies } from '../../kit/tally';
import { writeOf } from '../../kit/write';
import { rowsOf } from '../../tweet/rows';
import type { tweets } from '../../tweet/tweet.table';
import type { Writer } from './writer';

/** Writes a relation, both ways; as of the time when it began, so that it undoes nothing that was done here since. */
export async function storeFollow(
  writer: Writer,
  follower: string,
  followee: string,
  followedAt: Date,
): Promise<void> {
  const bucket = monthOf(followedAt);
  const timing = { at: timeOf({ at: followedAt, turn: 0 }) };
  const asFollower = { userId: followee, bucket, followedAt, followerId: follower };
  const asFollowee = { userId: follower, bucket, followedAt, followeeId: followee };
  await writer.put(writeOf(relations, importedRelation(follower, followee, followedAt), timing));
  await writer.put(writeOf(followersByUser, asFollower, timing));
  await writer.put(writeOf(followingByUser, asFollowee, timing));
  await writer.putMonth(followersByUser.name, followee, bucket);
  await writer.putMonth(followingByUser.name, follower, bucket);
}

/** Where it stands whether an author shares a tweet. */
export function shareOf(tweetId: string, authorId: string) {
  return { owner: tweetId, shard: shardOf(authorId), member: authorId, list: 'shares' };
}

/** Writes a tweet to its lists, all but timelines. */
export async function storeTweet(writer: Writer, tweet: Row<typeof tweets>): Promise<void> {
  const { writes, months } = rowsOf(tweet);
  for (const write of writes) await writer.put(write);
  for (const { list, owner, bucket } of months) await writer.putMonth(list, owner, bucket);
  const { tweetId, authorId, createdAt, sharedTweetId } = tweet;
  if (sharedTweetId === null) return;
  const standing = { present: true, since: createdAt, at: createdAt, item: tweetId };
  await writer.put(
    writeOf(tallies, { ...shareOf(sharedTweetId, authorId), ...standing }, { at: Number(createdAt) * 1000 }),
  );
}
