import type { Write } from '../../kit/cassandra/database';
import { monthOf, type ListBucket } from '../../kit/data/buckets';
import { writeOf } from '../../kit/data/write';
import { followersByUser, followingByUser } from '../../follow/follow.table';
import { timeOf, type Relation } from '../../follow/relation';

/** The keys of a follow in the follower's and in the followee's list; `followedAt` is when it began. */
export function followKeysOf(follower: string, followee: string, followedAt: Date) {
  const bucket = monthOf(followedAt);
  return {
    asFollower: { userId: followee, bucket, followedAt, followerId: follower },
    asFollowee: { userId: follower, bucket, followedAt, followeeId: followee },
  };
}

/**
 * The rows of a relation in both lists, and the buckets of those lists; none when the follower does not follow. Their write
 * timestamp is the time of the relation's last change, so a late write overwrites nothing newer.
 */
export function followRowsOf(
  follower: string,
  followee: string,
  { follows, since, at, turn, parted }: Omit<Relation, 'imported'>,
): { writes: Write[]; listBuckets: ListBucket[] } {
  if (!follows || since === null || at === null) return { writes: [], listBuckets: [] };
  const { asFollower, asFollowee } = followKeysOf(follower, followee, since);
  const { bucket } = asFollower;
  const timing = { at: timeOf({ at, turn }) };
  return {
    writes: [
      writeOf(followersByUser, { ...asFollower, turn: turn || null, parted: parted || null }, timing),
      writeOf(followingByUser, asFollowee, timing),
    ],
    listBuckets: [
      { list: followersByUser.name, owner: followee, bucket },
      { list: followingByUser.name, owner: follower, bucket },
    ],
  };
}
