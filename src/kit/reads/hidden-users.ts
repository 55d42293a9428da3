import type { Database } from '../cassandra/database';

const hiddenUsers = new WeakMap<Database, Map<string, ReadonlySet<string>>>();

/**
 * Hides users, and everything that they have made, from all callers of a server. The set may change later. Each reason has a set of its
 * own, so that a user for whom one reason ends stays hidden for another.
 */
export function hideUsers(database: Database, userIds: ReadonlySet<string>, reason = ''): void {
  const sets = hiddenUsers.get(database) ?? new Map<string, ReadonlySet<string>>();
  hiddenUsers.set(database, sets.set(reason, userIds));
}

/** The test whether a user is hidden; undefined if nobody is, so that pages need not test each row. */
export function hiddenTest(database: Database): ((userId: string) => boolean) | undefined {
  const sets = hiddenUsers.get(database);
  if (sets === undefined) return undefined;
  const [one, ...more] = [...sets.values()].filter(({ size }) => size > 0);
  if (one === undefined) return undefined;
  return more.length === 0
    ? (userId) => one.has(userId)
    : (userId) => one.has(userId) || more.some((set) => set.has(userId));
}
