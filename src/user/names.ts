import type { Database } from '../kit/cassandra/database';
import { decideUntilWritten } from '../kit/cassandra/decide';
import { badInput, conflict } from '../kit/errors';
import { createLoad } from '../kit/load';
import { isId } from '../kit/relay/node';
import type { Row } from '../kit/cassandra/table';
import { users } from './user.table';

/** A name that only one user has: each kind has a table that says whose it is. */
interface Kind {
  readonly what: string;
  readonly read: string;
  readonly claim: string;
  readonly takeOver: string;
  readonly release: string;
  /** Whether a user has that name, whatever the table says. */
  isOf(user: Row<typeof users>, folded: string): boolean;
}

function kindOf(what: string, table: string, column: string, isOf: Kind['isOf']): Kind {
  return {
    what,
    read: `SELECT CAST(user_id AS text) AS "userId", CAST(WRITETIME(user_id) AS text) AS since FROM ${table} WHERE ${column} = ?`,
    claim: `INSERT INTO ${table} (${column}, user_id) VALUES (?, ?) IF NOT EXISTS`,
    takeOver: `UPDATE ${table} SET user_id = ? WHERE ${column} = ? IF user_id = ?`,
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
const KEPT = 60_000;

/** Checks the form of a name. Throws `BAD_USER_INPUT`. */
export function checkName({ what }: Kind, name: string): string {
  if (!/^[A-Za-z0-9_]{1,30}$/.test(name))
    throw badInput(
      `${what} must be 1 to 30 letters, digits and _, but got: ${JSON.stringify(name.slice(0, 100))}`,
    );
  return name;
}

/** Claims a name for a user, who may not be there yet. `CONFLICT` when it is another's. */
export async function claimName(database: Database, kind: Kind, name: string, userId: string): Promise<void> {
  const folded = name.toLowerCase();
  const taken = () => conflict(`The ${kind.what} ${name} is taken.`);
  const userOf = (id: string) => createLoad(database)(users.get, { userId: id });
  // Who is known by number only has that number for a name, and no row that says so.
  if (kind === usernames && isId(name) && name !== userId && (await userOf(name))?.username === name)
    throw taken();
  await decideUntilWritten(database, { cql: kind.read, params: [folded] }, async (rows) => {
    const owner = rows[0] as { userId: string; since: string } | undefined;
    if (owner === undefined)
      return { writes: [{ query: kind.claim, params: [folded, userId] }], result: undefined };
    if (owner.userId === userId) return { writes: [], result: undefined };
    const user = await userOf(owner.userId);
    if (user && kind.isOf(user, folded)) throw taken();
    if (Date.now() - Number(owner.since) / 1000 < KEPT) throw taken();
    return { writes: [{ query: kind.takeOver, params: [userId, folded, owner.userId] }], result: undefined };
  });
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
