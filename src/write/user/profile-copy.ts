import { writtenAt } from '../../kit/cassandra/column';
import type { Database, Write } from '../../kit/cassandra/database';
import { getStatement } from '../../kit/cassandra/statement';
import type { Row, RowOf } from '../../kit/cassandra/table';
import { readMany } from '../../kit/reads/load';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import { profilesByUsername, users, usersByUsername } from '../../features/user/user.table';
import { shortTask, type DeclaredHandler, type Payload } from '../../kit/work/handler';
import { updateCopiesLater } from '../news/update-copies';
import { findByNewName } from '../user-search/followees';
import type { WriteServices } from '../write-services';
import { releaseFormer } from './twitter-account';

const datedColumns = { ...users.columns, nameAt: writtenAt('name') };

/** Reads a user, and when its row last changed: every change of the row writes the name. */
const readDated = getStatement<{ userId: string }, RowOf<typeof datedColumns>>({
  ...users,
  columns: datedColumns,
});

/**
 * The row by which a username finds the whole user; none for a username that is the user's own id, because `users` is then
 * read by it. `at` is the write timestamp in microseconds: that of the user's row, so that the latest change wins.
 */
export function buildProfileRows(user: Row<typeof users>, at: number): Write[] {
  const { userId, username, name, description, twitterAccount, createdAt } = user;
  if (username === userId) return [];
  const usernameFolded = username.toLowerCase();
  const copied = { userId, username, name, description, twitterAccount, createdAt };
  return [writeOf(profilesByUsername, { usernameFolded, ...copied }, { at })];
}

/** The rows of `buildProfileRows` of those of some users who own their usernames, by their rows as they are stored now. */
export async function profileRowsOfUsers(database: Database, userIds: readonly string[]): Promise<Write[]> {
  const found = await readMany(
    database,
    readDated,
    userIds.map((userId) => ({ userId })),
  );
  const stored = found.flatMap((user) => user ?? []);
  const owners = await readMany(
    database,
    usersByUsername.get,
    stored.map(({ username }) => ({ usernameFolded: username.toLowerCase() })),
  );
  // If two users have one username, one of them is about to be withdrawn.
  return stored.flatMap((user, index) =>
    owners[index]?.userId === user.userId ? buildProfileRows(user, Number(user.nameAt)) : [],
  );
}

/** Makes the copy of a user in `profiles_by_username` equal to the user's row. */
export async function copyProfile(database: Database, userId: string): Promise<void> {
  for (const { query, params } of await profileRowsOfUsers(database, [userId])) {
    // A null removes what the user had before. Left unset, it would stay.
    await database.write(
      query,
      params.map((value) => value ?? null),
    );
  }
}

/** Removes the copy of a user whose row was last changed at `at`. A later copy under that name, of another user, stays. */
export async function removeProfile(database: Database, username: string, at: number): Promise<void> {
  const { query, params } = removalOf(profilesByUsername, { usernameFolded: username.toLowerCase() }, at);
  await database.write(query, params);
}

/** The payload of the task of a change: `accounts` are the Twitter accounts that it changes from and to. */
export function profilePayload(userId: string, accounts: readonly string[]): Payload {
  return { userId, ...(accounts.length > 0 && { accounts: accounts.join(' ') }) };
}

function accountsIn(accounts: string): string[] {
  return accounts.split(' ').filter((account) => account !== '');
}

/** About how many rows a change of a profile reads and writes. */
const ROWS_OF_PROFILE = 10;

/** Copies a user's profile after a sign-up or a change that was interrupted, releases the accounts that it does not have, and leaves the copies in news and of followers to other tasks. */
export function profileHandler(writeServices: WriteServices): DeclaredHandler {
  const work = { rows: ROWS_OF_PROFILE, person: ({ userId }: Payload) => userId };
  return shortTask(work, async ({ userId = '', accounts = '' }) => {
    await releaseFormer(writeServices.database, userId, accountsIn(accounts));
    await copyProfile(writeServices.database, userId);
    await findByNewName(writeServices, userId);
    await updateCopiesLater(writeServices, userId);
  });
}
