import type { Database } from '../../kit/cassandra/database';
import { decideUntilWritten } from '../../kit/cassandra/decide';
import { badInput, conflict, type ClientError } from '../../kit/base/errors';
import { createLoad } from '../../kit/data/load';
import { isId } from '../../kit/relay/node';
import type { Row } from '../../kit/cassandra/table';
import { users } from '../../user/user.table';

/** A name that only one user has: each kind has a table that says whose it is. */
interface Kind {
  readonly what: string;
  readonly read: string;
  readonly claim: string;
  readonly takeOver: string;
  readonly confirm: string;
  readonly release: string;
  /** Whether a user has that name, whatever the table says. */
  isOf(user: Row<typeof users>, folded: string): boolean;
}

function kindOf(what: string, table: string, column: string, isOf: Kind['isOf']): Kind {
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

/** The names that users have for good. */
export const usernames = kindOf(
  'username',
  'users_by_username',
  'username_folded',
  (user, folded) => user.username.toLowerCase() === folded,
);

/** The accounts on Twitter that users say are theirs. */
export const twitterAccounts = kindOf(
  'twitterAccount',
  'users_by_twitter_account',
  'account_folded',
  (user, folded) => user.twitterAccount?.toLowerCase() === folded,
);

/** How long a name is kept, in milliseconds, for a user who has not come to have it: whoever claimed it was cut off. */
const CLAIM_MS = 60_000;

/** Checks the form of a name. Throws `BAD_USER_INPUT`. */
export function checkName({ what }: Kind, name: string): string {
  if (!/^[A-Za-z0-9_]{1,30}$/.test(name))
    throw badInput(
      `${what} must be 1 to 30 letters, digits and _, but got: ${JSON.stringify(name.slice(0, 100))}`,
    );
  return name;
}

interface Claim {
  readonly userId: string;
  /** When it was made, in microseconds. */
  readonly since: string;
  /** True once its user is stored under the name. */
  readonly stored: boolean | null;
}

function taken({ what }: Kind, name: string): ClientError {
  return conflict(`The ${what} ${name} is taken.`);
}

/**
 * Claims a name for a user, who may not be there yet; also from the user of the id `from`, which gives way. `CONFLICT` when
 * it is another's.
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
  // Who is known by number only has that number for a name, and no row that says so.
  if (kind === usernames && isId(name) && name !== userId && (await userOf(name))?.username === name)
    throw taken(kind, name);
  let former: string | undefined;
  await decideUntilWritten(database, { cql: kind.read, params: [folded] }, async (rows) => {
    const owner = rows[0] as Claim | undefined;
    if (owner === undefined)
      return { writes: [{ query: kind.claim, params: [folded, userId] }], result: undefined };
    if (owner.userId === userId) return { writes: [], result: undefined };
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
  // Its owner may have come to have it meanwhile: whichever of the two looks last, here or in `confirmName`, sees the other.
  const user = await userOf(former);
  if (!user || !kind.isOf(user, folded)) return;
  await database.compareAndWrite([{ query: kind.takeOver, params: [former, folded, userId, null] }]);
  throw taken(kind, name);
}

/**
 * Makes a claimed name its user's for good, once that is stored: of a user who was long in coming, and another who took
 * the name over meanwhile, one has it. `CONFLICT` when that is the other.
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
    // Where there is none, another sign-up of the same identity gave it back.
    const isOwn = owner === undefined || owner.userId === userId;
    const write = { query: kind.confirm, params: [userId, folded, owner?.userId ?? null] };
    return { writes: isOwn && !owner?.stored ? [write] : [], result: isOwn };
  });
  if (!isConfirmed) throw taken(kind, name);
}

/** Whether a name is a user's for good. */
export async function isConfirmed(
  database: Database,
  kind: Kind,
  name: string,
  userId: string,
): Promise<boolean> {
  const [owner] = (await database.read(kind.read, [name.toLowerCase()])) as readonly Claim[];
  return owner?.userId === userId && owner.stored === true;
}

/** Whether somebody has claimed a name a moment ago and may be about to have it. */
export async function isBeingClaimed(database: Database, kind: Kind, name: string): Promise<boolean> {
  const [owner] = (await database.readSerial(kind.read, [name.toLowerCase()])) as readonly Claim[];
  return owner !== undefined && owner.stored !== true && Date.now() - Number(owner.since) / 1000 < CLAIM_MS;
}

/** Gives a name back. */
export async function releaseName(
  database: Database,
  kind: Kind,
  name: string,
  userId: string,
): Promise<void> {
  await database.compareAndWrite([{ query: kind.release, params: [name.toLowerCase(), userId] }]);
}
