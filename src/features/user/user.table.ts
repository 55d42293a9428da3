import { flag, idOf, int, optional, text, timestamp } from '../../kit/cassandra/column';
import { cacheable } from '../../kit/cassandra/statement';
import { table, type Row } from '../../kit/cassandra/table';

/** The greatest size of a display name in bytes. */
export const MAX_NAME_BYTES = 2000;
/** The greatest size of a description in bytes. */
export const MAX_DESCRIPTION_BYTES = 10_000;

/** The longest username that an import keeps, even if it breaks this API's rules for usernames. Longer ones are rejected. */
export const MAX_USERNAME_CHARACTERS = 500;
/** The same in bytes: a UTF-16 code unit has three at most. */
export const MAX_USERNAME_BYTES = 3 * MAX_USERNAME_CHARACTERS;
/** A folded username: in lower case, İ has three bytes instead of two. */
const usernameFolded = text(1.5 * MAX_USERNAME_BYTES);

/** A user, by id. */
export const users = table(
  'users',
  {
    userId: idOf('User'),
    username: text(MAX_USERNAME_BYTES),
    name: text(MAX_NAME_BYTES),
    description: optional(text(MAX_DESCRIPTION_BYTES)),
    twitterAccount: optional(text(MAX_USERNAME_BYTES)),
    createdAt: timestamp,
  },
  {
    role: { kind: 'truth', why: 'it says who a user is' },
    writeLoad: { rows: { signUp: 1 }, transactions: { signUp: 2 }, bytes: 250, spread: { over: 'acts' } },
    partition: ['userId'],
  },
);

/** Users younger than this, in milliseconds, may be gone soon: a new user is withdrawn if another one gets its name first. */
const PERMANENT_AFTER_MS = 60 * 60_000;

/** Whether a user stays. Users are removed only by operators, and by imports that learn the id of a user who was known by name only. */
export function isPermanent({ createdAt }: Pick<Row<typeof users>, 'createdAt'>): boolean {
  return Number(createdAt) < Date.now() - PERMANENT_AFTER_MS;
}

/** Reads a user to show it, perhaps as it was a moment ago. */
export const cachedUser = cacheable(users.get, { absence: false });

/** The owner of a username, which is folded to lower case. A username that is the user's own id has no row. `stored`: see `confirmName`. */
export const usersByUsername = table(
  'users_by_username',
  { usernameFolded, userId: idOf('User'), stored: optional(flag) },
  {
    role: {
      kind: 'partly derived',
      why: 'names follow from users; the names of deleted accounts stand here alone',
    },
    writeLoad: { rows: { signUp: 1 }, transactions: { signUp: 2 }, bytes: 40, spread: { over: 'acts' } },
    partition: ['usernameFolded'],
  },
);

/**
 * A copy of the row of `users`, by username. A username that is the user's own id has no row. A table of its own, because its
 * rows are written plainly and those of `users_by_username` by lightweight transactions. A row may be missing, but never wrong.
 */
export const profilesByUsername = table(
  'profiles_by_username',
  { usernameFolded, ...users.columns },
  { writeLoad: { rows: { signUp: 1 }, bytes: 270, spread: { over: 'acts' } }, partition: ['usernameFolded'] },
);

/** Reads a profile to show it, perhaps as it was a moment ago. */
export const cachedProfile = cacheable(profilesByUsername.get, { absence: false });

/** The owner of a Twitter account, whose name is folded to lower case. `stored`: see `confirmName`. */
export const usersByTwitterAccount = table(
  'users_by_twitter_account',
  { accountFolded: usernameFolded, userId: idOf('User'), stored: optional(flag) },
  {
    writeLoad: { rows: { signUp: 1 }, transactions: { signUp: 1 }, bytes: 30, spread: { over: 'acts' } },
    partition: ['accountFolded'],
  },
);

/** A user's counts: the imported numbers (`…Count`), and what mutations have added or removed since. */
export const userCounts = table(
  'user_counts',
  {
    userId: idOf('User'),
    importedFollowers: optional(int),
    importedFollowing: optional(int),
    importedTweets: optional(int),
    followers: optional(int),
    following: optional(int),
    tweets: optional(int),
  },
  {
    writeLoad: { rows: { follow: 2, tweet: 1 }, bytes: 40, spread: { over: 'subjects' } },
    partition: ['userId'],
  },
);

/** Reads counts to show them, perhaps as they were a moment ago. A user without a row has no followers. */
export const cachedUserCounts = cacheable(userCounts.get, { absence: true });

/** The number of followers in a row of counts. */
export function followerCount(row: Row<typeof userCounts> | null): number {
  return (row?.importedFollowers ?? 0) + (row?.followers ?? 0);
}

/** The number of shards of a magnitude: a prime, because ids are often multiples of other numbers. */
export const TOP_USER_SHARDS = 61;

/** The users who have reached a magnitude of followers, in shards: see `topUserRowsOf`. */
export const topUsers = table(
  'top_users',
  { shard: int, magnitude: int, userId: idOf('User') },
  {
    writeLoad: { rows: { signUp: 1 }, bytes: 25, spread: { over: 'nothing', shards: TOP_USER_SHARDS } },
    partition: ['shard', 'magnitude'],
    clustering: ['userId'],
  },
);
