import type { Row } from '../../kit/cassandra/table';
import type { Load } from '../../kit/reads/load';
import { isId } from '../../kit/base/ids';
import { cachedProfile, users } from './user.table';

type UserRow = Row<typeof users>;

/** The user with a username, ignoring case; null when there is none, or it is hidden. Reads one partition, or two if the name is a number. */
export async function userByUsername(load: Load, username: string): Promise<UserRow | null> {
  if (!isLookup(username)) return null;
  // A user without a username has its id as username, and no profile.
  const numbered = isId(username) ? await load(users.get, { userId: username }) : null;
  if (numbered?.username === username) return shownUser(load, numbered);
  return shownUser(load, await load(cachedProfile, { usernameFolded: username.toLowerCase() }));
}

/** A user, unless that is hidden. */
export function shownUser(load: Load, user: UserRow | null): UserRow | null {
  return user !== null && load.isHidden?.(user.userId) === true ? null : user;
}

/** The bounds of a name that is looked up. Imported names may be longer than those that users choose here. */
export const NAME_BOUNDS = { maxLength: 500 };

/** Whether a name can exist: not empty, which Cassandra refuses as a partition key, and within the bounds. */
export function isLookup(name: string): boolean {
  return name.length > 0 && name.length <= NAME_BOUNDS.maxLength;
}
