import type { Database } from '../../kit/cassandra/database';
import { decideUntilWritten } from '../../kit/cassandra/decide';
import type { Row } from '../../kit/cassandra/table';
import { type ClientError, conflict, isConflict, unauthenticated } from '../../kit/base/errors';
import { claimKey } from '../../kit/data/idempotency';
import { writtenText } from '../../kit/input/input-text';
import { createLoad } from '../../kit/data/load';
import { timeOfId } from '../../kit/work/worker';
import { writeOf } from '../../kit/data/write';
import type { Viewer } from '../../context';
import type { WriteContext } from '../write-context';
import {
  checkName,
  claimName,
  isConfirmed,
  confirmName,
  releaseName,
  twitterAccounts,
  usernames,
} from './names';
import {
  type CreateUserInput,
  MAX_DESCRIPTION_GRAPHEMES,
  MAX_NAME_GRAPHEMES,
  type UpdateUserInput,
} from './user.input';
import { users } from '../../user/user.table';

type UserRow = Row<typeof users>;

const readUser = 'SELECT name, twitter_account AS "twitterAccount" FROM users WHERE user_id = ?';

const readIdentity =
  'SELECT CAST(user_id AS text) AS "userId" FROM users_by_identity WHERE issuer = ? AND subject = ?';

const claimIdentity =
  'INSERT INTO users_by_identity (issuer, subject, user_id) VALUES (?, ?, ?) IF NOT EXISTS';

/** Makes the caller's user, or, for a service, anybody. Repeated, it answers with the user that was made. */
export async function signUp(
  { database, worker }: WriteContext,
  viewer: Viewer,
  input: CreateUserInput,
): Promise<UserRow> {
  checkName(usernames, input.username);
  writtenText('name', input.name, MAX_NAME_GRAPHEMES);
  checkProfile(input);
  const userId = await idFor(database, viewer, input, worker.nextId());
  const there = await createLoad(database)(users.get, { userId });
  if (there) {
    if (there.username.toLowerCase() !== input.username.toLowerCase()) throw otherUser(there);
    // Whoever stored it may have been cut off before keeping its names. A number by which it is known is its own.
    if (there.username !== userId) await keepNames(database, there);
    return there;
  }
  await claimName(database, usernames, input.username, userId);
  if (input.twitterAccount != null) {
    await claimName(database, twitterAccounts, input.twitterAccount, userId).catch(async (error: unknown) => {
      if (isConflict(error)) await releaseName(database, usernames, input.username, userId);
      throw error;
    });
  }
  const made = await storeOnce(database, {
    userId,
    username: input.username,
    name: input.name,
    description: input.description ?? null,
    twitterAccount: input.twitterAccount ?? null,
    createdAt: timeOfId(userId),
  });
  if (made.username.toLowerCase() === input.username.toLowerCase()) {
    await keepNames(database, made);
    return made;
  }
  // The same identity came at the same time with another name, and was first.
  await releaseName(database, usernames, input.username, userId);
  if (
    input.twitterAccount != null &&
    input.twitterAccount.toLowerCase() !== made.twitterAccount?.toLowerCase()
  )
    await releaseName(database, twitterAccounts, input.twitterAccount, userId);
  throw otherUser(made);
}

/** Makes a new user's names its own for good, the username last: whoever has that has all. Else withdraws it: `CONFLICT`. */
async function keepNames(database: Database, user: UserRow): Promise<void> {
  const { userId, username, twitterAccount } = user;
  if (await isConfirmed(database, usernames, username, userId)) return;
  try {
    if (twitterAccount !== null) await confirmName(database, twitterAccounts, twitterAccount, userId);
    await confirmName(database, usernames, username, userId);
  } catch (error) {
    if (isConflict(error)) await withdraw(database, user);
    throw error;
  }
}

const unstore = 'DELETE FROM users WHERE user_id = ? IF username = ? AND twitter_account = ?';

/** Takes back a new user whose names another got meanwhile; one that has changed since is no new one. */
async function withdraw(database: Database, { userId, username, twitterAccount }: UserRow): Promise<void> {
  const isGone = await decideUntilWritten(database, { cql: readUser, params: [userId] }, ([row]) => {
    if (row === undefined) return { writes: [], result: true };
    const isNew = Reflect.get(row, 'twitterAccount') === twitterAccount;
    const write = { query: unstore, params: [userId, username, twitterAccount] };
    return { writes: isNew ? [write] : [], result: isNew };
  });
  if (!isGone) return;
  await releaseName(database, usernames, username, userId);
  if (twitterAccount !== null) await releaseName(database, twitterAccounts, twitterAccount, userId);
}

function otherUser({ username }: UserRow): ClientError {
  return conflict(`This identity has a user already: ${username}.`);
}

/** Stores a new user unless it is there; resolves to the one that is. */
async function storeOnce(database: Database, user: UserRow): Promise<UserRow> {
  const { query, params } = writeOf(users, user);
  const insert = { query: `${query} IF NOT EXISTS`, params };
  await decideUntilWritten(database, { cql: readUser, params: [user.userId] }, (rows) => ({
    writes: rows.length === 0 ? [insert] : [],
    result: undefined,
  }));
  return (await createLoad(database)(users.get, { userId: user.userId })) ?? user;
}

/** The id of the user that a caller makes: the same for each repetition. */
async function idFor(
  database: Database,
  viewer: Viewer,
  input: CreateUserInput,
  fresh: string,
): Promise<string> {
  const { caller } = viewer;
  if (caller.kind === 'anonymous') throw unauthenticated('This needs the token of an identity.');
  if (caller.kind === 'service') {
    const { idempotencyKey, ...content } = input;
    if (idempotencyKey == null) return fresh;
    const given = [content.username, content.name, content.description, content.twitterAccount];
    // Unlike any user's id, by which tweets have their keys.
    const keeper = JSON.stringify([caller.issuer, caller.subject]);
    return claimKey(database, keeper, idempotencyKey, given, fresh);
  }
  const known = await viewer.userId();
  if (known !== null) return known;
  const identity = [caller.issuer, caller.subject];
  return decideUntilWritten(database, { cql: readIdentity, params: identity }, (rows) => {
    const before = rows[0] as { userId: string } | undefined;
    if (before) return { writes: [], result: before.userId };
    return { writes: [{ query: claimIdentity, params: [...identity, fresh] }], result: fresh };
  });
}

// With a condition that always holds: so two servers' updates are ordered by Cassandra rather than by their clocks.
const update =
  'UPDATE users SET name = ?, description = ?, twitter_account = ? WHERE user_id = ? IF username = ?';

const updateKeepingName = `${update} AND name = ?`;

const updateAccount = 'UPDATE users SET twitter_account = ? WHERE user_id = ? IF twitter_account = ?';

/** Changes a user's profile; what is undefined stays. `CONFLICT` for an account that is another's. */
export async function updateProfile(
  { database }: WriteContext,
  user: UserRow,
  input: UpdateUserInput,
): Promise<void> {
  checkProfile(input);
  if (input.name != null) writtenText('name', input.name, MAX_NAME_GRAPHEMES);
  const { userId, twitterAccount: before } = user;
  const { name, description, twitterAccount: after } = input;
  if (after != null) await claimName(database, twitterAccounts, after, userId);
  await decideUntilWritten(database, { cql: readUser, params: [userId] }, ([row]) => {
    // What was taken away does not tell when: the name, written again, tells those who copy both.
    const kept = name == null && description === null ? (Reflect.get(row ?? user, 'name') as string) : null;
    const params = [name ?? kept ?? undefined, description, after, userId, user.username];
    const query = kept === null ? update : updateKeepingName;
    return { writes: [{ query, params: kept === null ? params : [...params, kept] }], result: undefined };
  });
  if (after != null)
    await confirmName(database, twitterAccounts, after, userId).catch(async (error: unknown) => {
      if (isConflict(error)) await restoreAccount(database, user, after);
      throw error;
    });
  if (after !== undefined && before !== null && before.toLowerCase() !== after?.toLowerCase())
    await releaseName(database, twitterAccounts, before, userId);
}

/** Gives a user the account from before back, where another got the new one meanwhile. */
async function restoreAccount(
  database: Database,
  { userId, twitterAccount }: UserRow,
  lost: string,
): Promise<void> {
  await decideUntilWritten(database, { cql: readUser, params: [userId] }, ([row]) => ({
    writes:
      row !== undefined && Reflect.get(row, 'twitterAccount') === lost
        ? [{ query: updateAccount, params: [twitterAccount, userId, lost] }]
        : [],
    result: undefined,
  }));
}

function checkProfile({
  description,
  twitterAccount,
}: Pick<UpdateUserInput, 'description' | 'twitterAccount'>): void {
  if (description != null) writtenText('description', description, MAX_DESCRIPTION_GRAPHEMES);
  if (twitterAccount != null) checkName(twitterAccounts, twitterAccount);
}
