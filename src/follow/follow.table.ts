import { flag, id, int, optional, text, timestamp } from '../kit/cassandra/column';
import { table } from '../kit/cassandra/table';

/** The followers of a user, newest follow first; a partition is a month. `turn`, `parted`: see `Relation`. */
export const followersByUser = table(
  'followers_by_user',
  {
    userId: id,
    bucket: int,
    followedAt: timestamp,
    followerId: id,
    turn: optional(int),
    parted: optional(flag),
  },
  { partition: ['userId', 'bucket'], clustering: ['followedAt', 'followerId'] },
);

/** The followees of a user, newest follow first; a partition is a month. */
export const followingByUser = table(
  'following_by_user',
  { userId: id, bucket: int, followedAt: timestamp, followeeId: id },
  { partition: ['userId', 'bucket'], clustering: ['followedAt', 'followeeId'] },
);

/**
 * The pulled authors that a user follows, whose tweets are merged in when the timeline is read. With `pulled` false, an author
 * that the user has unfollowed, whose tweets are still being removed from the timeline. `sinceTurn`: see `pulledSince`.
 */
export const pulledByUser = table(
  'pulled_by_user',
  { userId: id, authorId: id, pulled: optional(flag), sinceTurn: optional(int) },
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
    lowTurn: optional(int),
    lowImported: optional(flag),
    lowParted: optional(flag),
    highFollows: optional(flag),
    highSince: optional(timestamp),
    highAt: optional(timestamp),
    highTurn: optional(int),
    highImported: optional(flag),
    highParted: optional(flag),
  },
  { partition: ['pair'] },
);
