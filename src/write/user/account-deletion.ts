import { MAX_MAGNITUDE } from '../../kit/base/magnitude';
import { shardOf } from '../../kit/base/shard-of';
import type { Columns, Table } from '../../kit/cassandra/table';
import { removalOf } from '../../kit/cassandra/write';
import { createLoad } from '../../kit/reads/load';
import { putAll } from '../../kit/writes/row-writer';
import {
  profilesByUsername,
  TOP_USER_SHARDS,
  topUsers,
  userCounts,
  users,
  usersByTwitterAccount,
  usersByUsername,
} from '../../features/user/user.table';
import { usersByIdentity } from '../../features/viewer/viewer.table';
import { clearOwn, idsAmong, type DeletionPart, type Swept } from '../account-deletion';
import { releaseName, reserveName, twitterAccounts, usernames } from './names';

/**
 * Names of the person that its row does not have: those of changes that were cut off. What the row has is released or reserved before, and then is
 * nobody's or of another id.
 */
export const userSwept: readonly Swept[] = [
  sweepNames(usersByUsername, usernames),
  sweepNames(usersByTwitterAccount, twitterAccounts),
];

function sweepNames(
  table: Table<Columns, string, string>,
  { release }: Pick<typeof usernames, 'release'>,
): Swept {
  const [name = ''] = table.partition;
  return {
    table,
    columns: ['userId'],
    removals: (row, userIds) =>
      idsAmong(userIds, [row['userId']]).map((userId) => ({
        ...{ query: release, params: [row[name], userId] },
        ...{ userIds: [userId], isDecided: true },
      })),
  };
}

const forgetIdentity = 'DELETE FROM users_by_identity WHERE issuer = ? AND subject = ? IF user_id = ?';
const forgetUser = 'DELETE FROM users WHERE user_id = ? IF EXISTS';

/** The user itself: counts, names and identity. The username stays reserved, so that nobody can pretend to be who has left. */
export const userDeletionParts: readonly DeletionPart[] = [
  clearOwn('counts', userCounts),
  {
    name: 'users',
    phase: 'identity',
    tables: [users, usersByUsername, usersByTwitterAccount, usersByIdentity, profilesByUsername, topUsers],
    async *remove(writeServices, { userId, issuer, subject }) {
      const { database } = writeServices;
      const shard = shardOf(userId, TOP_USER_SHARDS);
      const ranked = Array.from({ length: MAX_MAGNITUDE }, (_, index) =>
        removalOf(topUsers, { shard, magnitude: index + 1, userId }),
      );
      await putAll(writeServices.bulk(), ranked);
      if (issuer !== null && subject !== null && subject !== '')
        await database.compareAndWrite([{ query: forgetIdentity, params: [issuer, subject, userId] }]);
      const user = await createLoad(database)(users.get, { userId });
      if (user === null) return;
      if (user.username !== userId) await reserveName(database, usernames, user.username, userId);
      if (user.twitterAccount !== null)
        await releaseName(database, twitterAccounts, user.twitterAccount, userId);
      await putAll(writeServices.bulk(), [
        removalOf(profilesByUsername, { usernameFolded: user.username.toLowerCase() }),
      ]);
      // Last, because it says which the names are.
      await database.compareAndWrite([{ query: forgetUser, params: [userId] }]);
      yield { after: '', rows: { users: 1 } };
    },
  },
];
