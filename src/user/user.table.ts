import { flag, id, int, optional, text, timestamp } from '../kit/cassandra/column';
import { table } from '../kit/cassandra/table';

/** Who a user is, by id. */
export const users = table(
  'users',
  {
    userId: id,
    username: text,
    name: text,
    description: optional(text),
    twitterAccount: optional(text),
    createdAt: timestamp,
  },
  { partition: ['userId'] },
);

/** Whose a username is, folded to lower case. A name that is the user's own id has no row. `stored`: see `confirmName`. */
export const usersByUsername = table(
  'users_by_username',
  { usernameFolded: text, userId: id, stored: optional(flag) },
  { partition: ['usernameFolded'] },
);

/** Whose a Twitter account is; the name is folded to lower case. */
export const usersByTwitterAccount = table(
  'users_by_twitter_account',
  { accountFolded: text, userId: id, stored: optional(flag) },
  { partition: ['accountFolded'] },
);

/** A user's counts: of what was imported (`…Count`), and what acts have added since or taken away. */
export const userCounts = table(
  'user_counts',
  {
    userId: id,
    followerCount: optional(int),
    followingCount: optional(int),
    tweetCount: optional(int),
    followers: optional(int),
    following: optional(int),
    tweets: optional(int),
  },
  { partition: ['userId'] },
);

/** Who has come to which order of magnitude of followers: see `topUserRowsOf`. */
export const topUsers = table(
  'top_users',
  { part: int, magnitude: int, userId: id },
  { partition: ['part', 'magnitude'], clustering: ['userId'] },
);

/** Into how many partitions the users of a magnitude are cut: a prime number, since ids are often multiples of others. */
export const TOP_USER_SHARDS = 61;
