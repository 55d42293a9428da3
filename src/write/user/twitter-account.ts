import type { Row } from '../../kit/cassandra/table';
import type { Database } from '../../kit/cassandra/database';
import { isConflict } from '../../kit/base/errors';
import { decideUntilWritten } from '../../kit/cassandra/decide';
import type { users } from '../../features/user/user.table';
import { confirmName, releaseName, twitterAccounts } from './names';

type UserRow = Row<typeof users>;

/** Reads what a change of a profile depends on. */
export const readProfile =
  'SELECT name, CAST(WRITETIME(name) AS text) AS "nameAt", twitter_account AS "twitterAccount" FROM users WHERE user_id = ?';

/** A row of `readProfile`. */
export type Profile = Pick<UserRow, 'name' | 'twitterAccount'> & { readonly nameAt: string };

const updateAccount =
  'UPDATE users SET name = ?, twitter_account = ? WHERE user_id = ? IF name = ? AND twitter_account = ?';

/**
 * Confirms the Twitter account that the row of a user has. If another user got it meanwhile, restores the one that `user` had before, and throws
 * `CONFLICT`.
 */
export async function confirmAccount(
  database: Database,
  user: Pick<UserRow, 'userId' | 'twitterAccount'>,
  account: string,
): Promise<void> {
  await confirmName(database, twitterAccounts, account, user.userId).catch(async (error: unknown) => {
    if (isConflict(error)) await restoreAccount(database, user, account);
    throw error;
  });
}

/**
 * Releases those of some Twitter accounts of a user that its row does not have: of two changes at one moment the last counts, and one that was cut
 * off may have left the account of before, or the one that it claimed.
 */
export async function releaseFormer(
  database: Database,
  userId: string,
  accounts: readonly string[],
): Promise<void> {
  for (const account of new Set(accounts.map((one) => one.toLowerCase()))) {
    const has = async () => {
      const [row] = (await database.readSerial(readProfile, [userId])) as readonly Profile[];
      return row?.twitterAccount?.toLowerCase() === account;
    };
    if (await has()) continue;
    await releaseName(database, twitterAccounts, account, userId);
    // A change that came between may have found the account to be its own.
    if (await has()) await confirmAccount(database, { userId, twitterAccount: null }, account);
  }
}

async function restoreAccount(
  database: Database,
  { userId, twitterAccount }: Pick<UserRow, 'userId' | 'twitterAccount'>,
  lost: string,
): Promise<void> {
  await decideUntilWritten(database, { cql: readProfile, params: [userId] }, ([row]) => {
    const { name, twitterAccount: stored } = (row ?? {}) as Partial<Profile>;
    const isLost = stored?.toLowerCase() === lost.toLowerCase();
    const params = [name, twitterAccount, userId, name, stored];
    return { writes: isLost ? [{ query: updateAccount, params }] : [], result: undefined };
  });
}
