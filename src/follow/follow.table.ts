import { id, int, timestamp } from '../kit/cassandra/column';
import { table } from '../kit/cassandra/table';

/** Who follows a user, newest first; a partition is a month. */
export const followersByUser = table(
  'followers_by_user',
  { userId: id, bucket: int, followedAt: timestamp, followerId: id },
  { partition: ['userId', 'bucket'], clustering: ['followedAt', 'followerId'] },
);

/** Whom a user follows, newest first; a partition is a month. */
export const followingByUser = table(
  'following_by_user',
  { userId: id, bucket: int, followedAt: timestamp, followeeId: id },
  { partition: ['userId', 'bucket'], clustering: ['followedAt', 'followeeId'] },
);

/** The authors a user follows whose tweets are merged in when the timeline is read. */
export const pulledByUser = table(
  'pulled_by_user',
  { userId: id, authorId: id },
  { partition: ['userId'], clustering: ['authorId'], order: 'asc' },
);
