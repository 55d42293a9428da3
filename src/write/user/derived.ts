import { isConflict } from '../../kit/base/errors';
import { parseMagnitude } from '../../kit/base/magnitude';
import type { AnyTable } from '../../kit/cassandra/table';
import { createLoad, readMany } from '../../kit/reads/load';
import { writeOf } from '../../kit/cassandra/write';
import {
  followerCount,
  profilesByUsername,
  topUsers,
  userCounts,
  users,
  usersByTwitterAccount,
  usersByUsername,
} from '../../features/user/user.table';
import { joinProperties, type DerivationSource, type DerivedTable } from '../derived-table';
import {
  claimName,
  confirmName,
  isBeingClaimed,
  NOBODY_ELSE,
  releaseName,
  twitterAccounts,
  usernames,
} from './names';
import { profileRowsOfUsers } from './profile-copy';
import { buildTopUserRows } from './user-counts';

/** The usernames and Twitter accounts of users. The source key is the user id. */
const nameSource: DerivationSource = {
  table: users,
  keyOf: (key) => joinProperties(key, 'userId'),
  async *writesOf({ database }, sourceKeys) {
    const found = await readMany(
      database,
      users.get,
      sourceKeys.map((userId) => ({ userId })),
    );
    yield found.flatMap((user) => {
      if (user === null) return [];
      const { userId, username, twitterAccount } = user;
      const usernameFolded = username.toLowerCase();
      const accountFolded = twitterAccount?.toLowerCase();
      return [
        // A user who is known by a number only has no row for the name.
        ...(username === userId ? [] : [writeOf(usersByUsername, { usernameFolded, userId })]),
        ...(accountFolded === undefined ? [] : [writeOf(usersByTwitterAccount, { accountFolded, userId })]),
      ];
    });
  },
};

/**
 * A table that says which user has a name. It is written only by lightweight transactions, so that a user who signs up
 * meanwhile does not lose a name. The column `stored` is not compared, because it does not come from the source.
 */
function nameTable(table: AnyTable, kind: typeof usernames, column: string): DerivedTable {
  return {
    table,
    sources: [nameSource],
    sourceKeyOf: (row) => String(row['userId']),
    ignoredColumns: ['stored'],
    isTransient: async ({ database }, row) =>
      row['userId'] === NOBODY_ELSE || isBeingClaimed(database, kind, String(row[column])),
    async put({ database }, row, found) {
      const [name, userId] = [String(row[column]), String(row['userId'])];
      const owner = found === null ? undefined : String(found['userId']);
      const other = owner === undefined ? null : await createLoad(database)(users.get, { userId: owner });
      // Two users have the same name, and nothing here tells which of them it belongs to.
      if (other !== null && kind.isOf(other, name)) return false;
      try {
        await claimName(database, kind, name, userId, owner);
        await confirmName(database, kind, name, userId);
        return true;
      } catch (error) {
        if (isConflict(error)) return false;
        throw error;
      }
    },
    remove: ({ database }, row) => releaseName(database, kind, String(row[column]), String(row['userId'])),
  };
}

/** The numbers of followers. The source key is `<user id> <magnitude>`; the magnitude may be left out, as for tweets. */
const followerCountSource: DerivationSource = {
  table: userCounts,
  keyOf: (key) => joinProperties(key, 'userId'),
  async *writesOf({ database }, sourceKeys) {
    const named = sourceKeys.map((one) => one.split(' '));
    const keys = named.map(([userId = '']) => ({ userId }));
    const [found, counts] = await Promise.all([
      readMany(database, users.get, keys),
      readMany(database, userCounts.get, keys),
    ]);
    yield found.flatMap((user, index) => {
      if (user === null) return [];
      const magnitude = parseMagnitude(named[index]?.[1]);
      const followers = magnitude === null ? followerCount(counts[index] ?? null) : 2 ** (magnitude - 1);
      return buildTopUserRows(user.userId, followers);
    });
  },
};

/** The copies by which usernames find whole users. The source key is the user id. */
const profileSource: DerivationSource = {
  table: users,
  keyOf: (key) => joinProperties(key, 'userId'),
  async *writesOf({ database }, sourceKeys) {
    yield await profileRowsOfUsers(database, sourceKeys);
  },
};

/** The tables of usernames and of Twitter accounts, the profiles of usernames, and the users with the most followers. */
export const userTables: readonly DerivedTable[] = [
  nameTable(usersByUsername, usernames, 'usernameFolded'),
  nameTable(usersByTwitterAccount, twitterAccounts, 'accountFolded'),
  { table: profilesByUsername, sources: [profileSource], sourceKeyOf: (row) => String(row['userId']) },
  {
    table: topUsers,
    sources: [followerCountSource],
    sourceKeyOf: (row) => joinProperties(row, 'userId', 'magnitude'),
    isFromCounts: true,
  },
];
