import { flag, id, int, optional, text, timestamp } from '../kit/cassandra/column';
import { listTable, table } from '../kit/cassandra/table';

/** The followers of a user, newest follow first. `version` is that of the relation. */
export const followersByUser = listTable(
  'followers_by_user',
  { userId: id, followedAt: timestamp, followerId: id, version: optional(int) },
  { owner: 'userId', clustering: ['followedAt', 'followerId'] },
);

/** The followees of a user, newest follow first. */
export const followingByUser = listTable(
  'following_by_user',
  { userId: id, followedAt: timestamp, followeeId: id },
  { owner: 'userId', clustering: ['followedAt', 'followeeId'] },
);

/**
 * The pulled authors that a user follows, whose tweets are merged in when the timeline is read. With `pulled` false, an author
 * that the user has unfollowed, whose tweets are still being removed from the timeline. `sinceVersion` is what `pulledSince` returned.
 */
export const pulledByUser = table(
  'pulled_by_user',
  { userId: id, authorId: id, pulled: optional(flag), sinceVersion: optional(int) },
  { partition: ['userId'], clustering: ['authorId'], order: 'asc' },
);

/** Whether each of two users follows the other. Lists, counts and timelines are derived from this. */
export const relations = table(
  'relations',
  {
    pair: text,
    lowFollows: optional(flag),
    lowSince: optional(timestamp),
    lowAt: optional(timestamp),
    lowVersion: optional(int),
    lowImported: optional(flag),
    highFollows: optional(flag),
    highSince: optional(timestamp),
    highAt: optional(timestamp),
    highVersion: optional(int),
    highImported: optional(flag),
  },
  { partition: ['pair'] },
);
