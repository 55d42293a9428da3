import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/data/load';
import { isId } from '../kit/base/ids';
import { shownProfile, users, usersByUsername } from './user.table';

/** The user with a username, ignoring case; null when there is none. Reads one partition, and at most four. */
export async function userByUsername(load: Load, username: string): Promise<Row<typeof users> | null> {
  if (!isLookup(username)) return null;
  // A user without a username has its id as username, and no row in the tables of names.
  const numbered = isId(username) ? await load(users.get, { userId: username }) : null;
  if (numbered?.username === username) return numbered;
  const usernameFolded = username.toLowerCase();
  const profile = await load(shownProfile, { usernameFolded });
  if (profile) return profile;
  // There is no such user, or its row is from before there were copies, or its sign-up was cut off.
  const found = await load(usersByUsername.get, { usernameFolded });
  const user = found && (await load(users.get, found));
  // A sign-up that was cut off may have claimed the name for a user who has another name now.
  return user?.username.toLowerCase() === usernameFolded ? user : null;
}

/** The bounds of a name that is looked up. Imported names may be longer than those that users choose here. */
export const NAME_BOUNDS = { maxLength: 500 };

/** Whether a name can exist: not empty, which Cassandra refuses as a partition key, and within the bounds. */
export function isLookup(name: string): boolean {
  return name.length > 0 && name.length <= NAME_BOUNDS.maxLength;
}
