import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/data/load';
import { isId } from '../kit/base/ids';
import { users, usersByUsername } from './user.table';

/** The user of a name, irrespective of case; null when there is none. Costs one or two partitions. */
export async function userByUsername(load: Load, username: string): Promise<Row<typeof users> | null> {
  if (!isLookup(username)) return null;
  const usernameFolded = username.toLowerCase();
  const found = await load(usersByUsername.get, { usernameFolded });
  const user = found && (await load(users.get, found));
  // A sign-up that was cut off may have claimed the name for a user who has another one since.
  if (user?.username.toLowerCase() === usernameFolded) return user;
  // A user known by number only has that number for a name, and no row of `users_by_username`.
  const numbered = isId(username) ? await load(users.get, { userId: username }) : null;
  return numbered?.username === username ? numbered : null;
}

/** The bounds of a name that is looked up: an imported one may be longer than those that are made here. */
export const NAME_BOUNDS = { maxLength: 500 };

/** Whether there can be such a name: Cassandra takes no empty partition key and none over 64 KiB. */
export function isLookup(name: string): boolean {
  return name.length > 0 && name.length <= NAME_BOUNDS.maxLength;
}
