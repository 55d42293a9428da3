import type { Database } from '../../kit/cassandra/database';
import { decideUntilWritten } from '../../kit/cassandra/decide';
import { badArgument, type ClientError, conflict } from '../../kit/base/errors';
import { createLoad } from '../../kit/reads/load';
import { isId } from '../../kit/base/ids';
import type { Row } from '../../kit/cassandra/table';
import { users } from '../../features/user/user.table';

/** A kind of unique name. Each kind has a table with the owner of each name. */
interface Kind {
  /** The name of the kind in error messages. */
  readonly what: string;
  readonly read: string;
  readonly claim: string;
  readonly takeOver: string;
  readonly confirm: string;
  readonly release: string;
  /** Whether the row of a user has the name, whatever the table of names says. */
  isOf(user: Row<typeof users>, folded: string): boolean;
}

function createKind(what: string, table: string, column: string, isOf: Kind['isOf']): Kind {
  return {
    what,
    read: `SELECT CAST(user_id AS text) AS "userId", CAST(WRITETIME(user_id) AS text) AS since, stored FROM ${table} WHERE ${column} = ?`,
    claim: `INSERT INTO ${table} (${column}, user_id) VALUES (?, ?) IF NOT EXISTS`,
    takeOver: `UPDATE ${table} SET user_id = ?, stored = null WHERE ${column} = ? IF user_id = ? AND stored = ?`,
    confirm: `UPDATE ${table} SET user_id = ?, stored = true WHERE ${column} = ? IF user_id = ?`,
    release: `DELETE FROM ${table} WHERE ${column} = ? IF user_id = ?`,
    isOf,
  };
}

/** Usernames: a user keeps its username for ever. */
export const usernames = createKind(
  'username',
  'users_by_username',
  'username_folded',
  (user, folded) => user.username.toLowerCase() === folded,
);

/** Twitter accounts that users have declared as theirs. */
export const twitterAccounts = createKind(
  'twitterAccount',
  'users_by_twitter_account',
  'account_folded',
  (user, folded) => user.twitterAccount?.toLowerCase() === folded,
);

/** The owner of a name that nobody can have any more, because the account that had it was deleted. No user has this id. */
export const NOBODY_ELSE = '-1';

/** How long a claim holds, in milliseconds, before its user has the name: after that, the claiming request was cut off. */
const CLAIM_MS = 60_000;

/** Checks the form of a name and returns it. Throws `BAD_USER_INPUT`. */
export function checkName({ what }: Kind, name: string): string {
  if (!/^[A-Za-z0-9_]{1,30}$/.test(name))
    throw badArgument(
      `input.${what}`,
      `must be 1 to 30 letters, digits and _, but got: ${JSON.stringify(name.slice(0, 100))}`,
    );
  return name;
}

interface Claim {
  readonly userId: string;
  /** When the claim was written, in microseconds. */
  readonly since: string;
  /** True once the name is confirmed. */
  readonly stored: boolean | null;
}

function taken({ what }: Kind, name: string): ClientError {
  return conflict(`The ${what} ${name} is taken.`);
}

/**
 * Claims a name for a user, whose row may not be stored yet. Takes the name over from the user `from`, if that is its owner.
 * Throws `CONFLICT` when the name belongs to anybody else or is being claimed.
 */
export async function claimName(
  database: Database,
  kind: Kind,
  name: string,
  userId: string,
  from?: string,
): Promise<void> {
  const folded = name.toLowerCase();
  const userOf = (id: string) => createLoad(database)(users.get, { userId: id });
  // A user without a username has the id as username, and no row in the table of names.
  if (kind === usernames && isId(name) && name !== userId && (await userOf(name))?.username === name)
    throw taken(kind, name);
  let former: string | undefined;
  await decideUntilWritten(database, { cql: kind.read, params: [folded] }, async (rows) => {
    const owner = rows[0] as Claim | undefined;
    if (owner === undefined)
      return { writes: [{ query: kind.claim, params: [folded, userId] }], result: undefined };
    if (owner.userId === userId) return { writes: [], result: undefined };
    if (owner.userId === NOBODY_ELSE) throw taken(kind, name);
    const params = [userId, folded, owner.userId, owner.stored];
    const takeOver = { writes: [{ query: kind.takeOver, params }], result: undefined };
    if (owner.userId === from) return takeOver;
    const user = await userOf(owner.userId);
    if (user && kind.isOf(user, folded)) throw taken(kind, name);
    if (Date.now() - Number(owner.since) / 1000 < CLAIM_MS) throw taken(kind, name);
    former = owner.userId;
    return takeOver;
  });
  if (former === undefined) return;
  // The former owner may have stored the name meanwhile: whichever reads last, this or `confirmName`, sees the other's write.
  const user = await userOf(former);
  if (!user || !kind.isOf(user, folded)) return;
  await database.compareAndWrite([{ query: kind.takeOver, params: [former, folded, userId, null] }]);
  throw taken(kind, name);
}

/**
 * Makes a claimed name permanent, once the row of its user is stored. If storing took so long that another user took the
 * name over, exactly one of the two keeps it. Throws `CONFLICT` when that is the other one.
 */
export async function confirmName(
  database: Database,
  kind: Kind,
  name: string,
  userId: string,
): Promise<void> {
  const folded = name.toLowerCase();
  const isConfirmed = await decideUntilWritten(database, { cql: kind.read, params: [folded] }, (rows) => {
    const owner = rows[0] as Claim | undefined;
    // If the name has no owner, another sign-up of the same identity released it.
    const isOwn = owner === undefined || owner.userId === userId;
    const write = { query: kind.confirm, params: [userId, folded, owner?.userId ?? null] };
    return { writes: isOwn && !owner?.stored ? [write] : [], result: isOwn };
  });
  if (!isConfirmed) throw taken(kind, name);
}

/** Whether a name is confirmed for a user. */
export async function isConfirmed(
  database: Database,
  kind: Kind,
  name: string,
  userId: string,
): Promise<boolean> {
  const [owner] = (await database.read(kind.read, [name.toLowerCase()])) as readonly Claim[];
  return owner?.userId === userId && owner.stored === true;
}

/** Whether a name belongs to another user, or is being claimed by one. */
export async function isOthers(
  database: Database,
  kind: Kind,
  name: string,
  userId: string,
): Promise<boolean> {
  const [owner] = (await database.readSerial(kind.read, [name.toLowerCase()])) as readonly Claim[];
  return owner !== undefined && owner.userId !== userId;
}

/**
 * Throws `CONFLICT` if a name is another user's, or nobody's any more. `claimName` decides, also about names that are being claimed; this
 * refuses the others before anything is stored for them.
 */
export async function requireFree(
  database: Database,
  kind: Kind,
  name: string,
  userId: string,
): Promise<void> {
  const folded = name.toLowerCase();
  const [owner] = (await database.read(kind.read, [folded])) as readonly Claim[];
  if (owner === undefined || owner.userId === userId) return;
  if (owner.userId === NOBODY_ELSE) throw taken(kind, name);
  const user = await createLoad(database)(users.get, { userId: owner.userId });
  if (user && kind.isOf(user, folded)) throw taken(kind, name);
}

/** Whether a name has a claim that is not confirmed yet and still holds. */
export async function isBeingClaimed(database: Database, kind: Kind, name: string): Promise<boolean> {
  const [owner] = (await database.readSerial(kind.read, [name.toLowerCase()])) as readonly Claim[];
  return owner !== undefined && owner.stored !== true && Date.now() - Number(owner.since) / 1000 < CLAIM_MS;
}

/** Reserves a name of a user who is about to be removed, so that nobody gets it. Does nothing if the name is not the user's. */
export async function reserveName(
  database: Database,
  kind: Kind,
  name: string,
  userId: string,
): Promise<void> {
  await database.compareAndWrite([
    { query: kind.confirm, params: [NOBODY_ELSE, name.toLowerCase(), userId] },
  ]);
}

/** Releases a name of a user, so that others can claim it. Does nothing if the name is not the user's. */
export async function releaseName(
  database: Database,
  kind: Kind,
  name: string,
  userId: string,
): Promise<void> {
  await database.compareAndWrite([{ query: kind.release, params: [name.toLowerCase(), userId] }]);
}
