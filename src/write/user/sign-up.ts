import type { Database } from '../../kit/cassandra/database';
import { decideUntilWritten } from '../../kit/cassandra/decide';
import type { Row } from '../../kit/cassandra/table';
import { type ClientError, conflict, isConflict, unauthenticated } from '../../kit/base/errors';
import { claimKey } from '../../kit/writes/idempotency';
import { checkedName, checkedText } from '../../kit/input/input-text';
import { createLoad } from '../../kit/reads/load';
import { timeOfId } from '../../kit/base/snowflake';
import { writeOf } from '../../kit/cassandra/write';
import type { Viewer } from '../../context';
import { requireStaying } from '../../features/viewer/viewer';
import { indexUser } from '../user-search/index-users';
import type { WriteServices } from '../write-services';
import {
  checkName,
  claimName,
  confirmName,
  isConfirmed,
  isOthers,
  releaseName,
  twitterAccounts,
  usernames,
} from './names';
import { type CreateUserInput, DESCRIPTION, NAME, type UpdateUserInput } from './user.input';
import { copyProfile, removeProfile } from './profile-copy';
import { confirmAccount, readProfile, releaseFormer, type Profile } from './twitter-account';
import { users } from '../../features/user/user.table';

type UserRow = Row<typeof users>;

const readIdentity =
  'SELECT CAST(user_id AS text) AS "userId" FROM users_by_identity WHERE issuer = ? AND subject = ?';

const claimIdentity =
  'INSERT INTO users_by_identity (issuer, subject, user_id) VALUES (?, ?, ?) IF NOT EXISTS';

/**
 * Creates the user of the caller's identity; a service creates users for others. A repeated call returns the user that the
 * first one created. Throws `UNAUTHENTICATED`, `BAD_USER_INPUT`, and `CONFLICT` for a name that is taken or an identity
 * that has another user.
 */
export async function signUp(
  { database, outbox, worker }: WriteServices,
  viewer: Viewer,
  input: CreateUserInput,
): Promise<UserRow> {
  checkName(usernames, input.username);
  checkedName('input.name', input.name, NAME);
  checkProfile(input);
  const userId = await idFor(database, viewer, input, worker.nextId());
  const existing = await createLoad(database)(users.get, { userId });
  if (existing) {
    if (existing.username.toLowerCase() !== input.username.toLowerCase()) throw otherUser(existing);
    // The call that stored the user may have been cut off before this. A username that is the user's own id needs no row.
    if (existing.username !== userId) await confirmNames(database, existing);
    await copyProfile(database, userId);
    await indexUser(database, userId);
    return existing;
  }
  await claimName(database, usernames, input.username, userId);
  if (input.twitterAccount != null) {
    await claimName(database, twitterAccounts, input.twitterAccount, userId).catch(async (error: unknown) => {
      if (isConflict(error)) await releaseName(database, usernames, input.username, userId);
      throw error;
    });
  }
  const isNamed = (user: UserRow) => user.username.toLowerCase() === input.username.toLowerCase();
  const created = await outbox.enqueueAndRun('profile', { userId }, async () => {
    const stored = await storeOnce(database, {
      userId,
      username: input.username,
      name: input.name,
      description: input.description ?? null,
      twitterAccount: input.twitterAccount ?? null,
      createdAt: timeOfId(userId),
    });
    if (isNamed(stored)) {
      await confirmNames(database, stored);
      await copyProfile(database, userId);
      await indexUser(database, userId);
    }
    return stored;
  });
  if (isNamed(created)) return created;
  // The same identity signed up with another name at the same time, and was first.
  await releaseName(database, usernames, input.username, userId);
  if (
    input.twitterAccount != null &&
    input.twitterAccount.toLowerCase() !== created.twitterAccount?.toLowerCase()
  )
    await releaseName(database, twitterAccounts, input.twitterAccount, userId);
  throw otherUser(created);
}

/**
 * Confirms the names of a new user. The username comes last, so a confirmed username means that all names are confirmed. If
 * another user got one of them, withdraws the new user and throws `CONFLICT`.
 */
async function confirmNames(database: Database, user: UserRow): Promise<void> {
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

/** Deletes a new user whose names another user got meanwhile, unless its Twitter account has changed since. */
async function withdraw(database: Database, { userId, username, twitterAccount }: UserRow): Promise<void> {
  let nameAt = 0;
  const isGone = await decideUntilWritten(database, { cql: readProfile, params: [userId] }, ([row]) => {
    if (row === undefined) return { writes: [], result: true };
    const stored = row as Profile;
    nameAt = Number(stored.nameAt);
    const isNew = stored.twitterAccount === twitterAccount;
    const write = { query: unstore, params: [userId, username, twitterAccount] };
    return { writes: isNew ? [write] : [], result: isNew };
  });
  if (!isGone) return;
  // The copy is removed before another user gets the name. If somebody has it already, the copy may be theirs, stored before this user: it
  // stays.
  if (nameAt > 0 && !(await isOthers(database, usernames, username, userId)))
    await removeProfile(database, username, nameAt);
  await indexUser(database, userId);
  await releaseName(database, usernames, username, userId);
  if (twitterAccount !== null) await releaseName(database, twitterAccounts, twitterAccount, userId);
}

function otherUser({ username }: UserRow): ClientError {
  return conflict(`This identity already has a user: ${username}.`);
}

/** Stores a new user unless one with this id exists. Resolves to the stored one. */
async function storeOnce(database: Database, user: UserRow): Promise<UserRow> {
  const { query, params } = writeOf(users, user);
  const insert = { query: `${query} IF NOT EXISTS`, params };
  await decideUntilWritten(database, { cql: readProfile, params: [user.userId] }, (rows) => ({
    writes: rows.length === 0 ? [insert] : [],
    result: undefined,
  }));
  return (await createLoad(database)(users.get, { userId: user.userId })) ?? user;
}

/** The id of the user that a caller creates: the same for each repetition of the call. */
async function idFor(
  database: Database,
  viewer: Viewer,
  input: CreateUserInput,
  fresh: string,
): Promise<string> {
  const { caller } = viewer;
  if (caller.kind === 'anonymous')
    throw unauthenticated('This needs a token that names an identity, but got none.');
  if (caller.kind === 'service') {
    const { idempotencyKey, ...content } = input;
    if (idempotencyKey == null) return fresh;
    const given = [content.username, content.name, content.description, content.twitterAccount];
    // The keeper differs from any user id, because the idempotency keys of tweets are stored under user ids.
    const keeper = JSON.stringify([caller.issuer, caller.subject]);
    return claimKey(database, keeper, idempotencyKey, given, fresh);
  }
  const known = await viewer.accountId();
  if (known !== null) {
    requireStaying(viewer, known);
    return known;
  }
  const identity = [caller.issuer, caller.subject];
  return decideUntilWritten(database, { cql: readIdentity, params: identity }, (rows) => {
    const claimed = rows[0] as { userId: string } | undefined;
    if (claimed) return { writes: [], result: claimed.userId };
    return { writes: [{ query: claimIdentity, params: [...identity, fresh] }], result: fresh };
  });
}

// This is a lightweight transaction, so that Cassandra orders the updates of two servers, not their clocks. Each one writes the name, even
// if that stays: its write time dates the copies of the user, and a removed value has none.
const update =
  'UPDATE users SET name = ?, description = ?, twitter_account = ? WHERE user_id = ? IF username = ? AND name = ?';

/** Checks the values of a change of a profile. Throws `BAD_USER_INPUT`. */
export function checkUpdate(input: UpdateUserInput): void {
  checkProfile(input);
  if (input.name != null) checkedName('input.name', input.name, NAME);
}

/** The Twitter accounts of a user before and after a change of it. */
export function accountsOf(
  { twitterAccount: before }: Pick<UserRow, 'twitterAccount'>,
  { twitterAccount: after }: Pick<UpdateUserInput, 'twitterAccount'>,
): string[] {
  return after === undefined ? [] : [before, after].filter((account) => account !== null);
}

/**
 * Changes a user's profile by values that were checked; undefined ones leave theirs unchanged. Resolves to whether the name has changed, also
 * if the former one came from another change at the same moment. Throws `CONFLICT` for a Twitter account that belongs to another user.
 */
export async function updateProfile(
  { database }: WriteServices,
  user: UserRow,
  input: UpdateUserInput,
): Promise<{ readonly isRenamed: boolean }> {
  const { userId } = user;
  const { name, description, twitterAccount: after } = input;
  if (after != null) await claimName(database, twitterAccounts, after, userId);
  // Of all attempts, because the last one may find what an earlier one has written.
  let isRenamed = false;
  const accounts = accountsOf(user, input);
  await decideUntilWritten(database, { cql: readProfile, params: [userId] }, ([row]) => {
    const found = (row ?? user) as Pick<UserRow, 'name' | 'twitterAccount'>;
    isRenamed ||= name != null && name !== found.name;
    if (after !== undefined && found.twitterAccount !== null) accounts.push(found.twitterAccount);
    const params = [name ?? found.name, description, after, userId, user.username, found.name];
    return { writes: [{ query: update, params }], result: undefined };
  });
  if (after === undefined) return { isRenamed };
  if (after !== null) await confirmAccount(database, user, after);
  await releaseFormer(database, userId, accounts);
  return { isRenamed };
}

function checkProfile({
  description,
  twitterAccount,
}: Pick<UpdateUserInput, 'description' | 'twitterAccount'>): void {
  if (description != null) checkedText('input.description', description, DESCRIPTION);
  if (twitterAccount != null) checkName(twitterAccounts, twitterAccount);
}
