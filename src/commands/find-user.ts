import { usersByUsername } from '../features/user/user.table';
import { NOBODY_ELSE } from '../write/user/names';
import { isId } from '../kit/base/ids';
import type { Database } from '../kit/cassandra/database';
import { createLoad } from '../kit/reads/load';

/** The id of a user whom somebody names by it, or by a username with or without @. Throws if nobody has the username, or has it any more. */
export async function findUserId(database: Database, target: string): Promise<string> {
  // A username may be a number, too: it might be chosen to name somebody else.
  if (isId(target)) return target;
  const usernameFolded = target.replace(/^@/, '').toLowerCase();
  const named = await createLoad(database)(usersByUsername.get, { usernameFolded });
  if (named?.userId === NOBODY_ELSE) throw new Error(`The account of ${target} was deleted here.`);
  if (named !== null) return named.userId;
  throw new Error(`There is no user with the username ${JSON.stringify(target)}.`);
}
