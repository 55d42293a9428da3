import type { Write } from '../../kit/cassandra/database';
import { writeOf } from '../../kit/data/write';
import { followersByUser, followingByUser } from '../../follow/follow.table';
import { timeOf, type Relation } from '../../follow/relation';

/** The keys of a follow in the follower's and in the followee's list; `followedAt` is when it began. */
export function followKeysOf(follower: string, followee: string, followedAt: Date) {
  return {
    asFollower: { userId: followee, followedAt, followerId: follower },
    asFollowee: { userId: follower, followedAt, followeeId: followee },
  };
}

/**
 * The rows of a relation in both lists; none when the follower does not follow. Their write timestamp is the time of the
 * relation's last change, so a late write overwrites nothing newer.
 */
export function followRowsOf(
  follower: string,
  followee: string,
  { follows, since, at, version }: Omit<Relation, 'imported'>,
): Write[] {
  if (!follows || since === null || at === null) return [];
  const { asFollower, asFollowee } = followKeysOf(follower, followee, since);
  const timing = { at: timeOf({ at, version }) };
  return [
    writeOf(followersByUser, { ...asFollower, version: version || null }, timing),
    writeOf(followingByUser, asFollowee, timing),
  ];
}
