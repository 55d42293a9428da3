import type { Database } from '../cassandra/database';

const hiddenUsers = new WeakMap<Database, ReadonlySet<string>>();

/** Hides users, and what they have made, from all callers of a server. The set may change later. */
export function hideUsers(database: Database, userIds: ReadonlySet<string>): void {
  hiddenUsers.set(database, userIds);
}

/** The test whether a user is hidden; undefined if nobody is, so that pages need not test each row. */
export function hiddenTest(database: Database): ((userId: string) => boolean) | undefined {
  const userIds = hiddenUsers.get(database);
  return userIds === undefined || userIds.size === 0 ? undefined : (userId) => userIds.has(userId);
}
