import { readLeaving } from '../../features/account/leaving';
import type { Database } from '../../kit/cassandra/database';
import { restartDeletions } from '../../write/account/request-deletion';
import { findDeletedAccounts, hasBegun } from './deleted-accounts';

/** How many users whom an import names are remembered. Of more, only those are looked at whom a look has found leaving. */
const MAX_REMEMBERED = 300_000;
/** How many of them are looked at a time. */
const USERS_AT_ONCE = 1000;

/** The users whose accounts are being deleted, or were since the import began. Servers know them in the same way. */
export interface Leavers {
  /** Looks now. They are few, and the rows of each stay until the deletion is complete. */
  look(this: void): Promise<void>;
  has(this: void, userId: string): boolean;
  /** Remembers users of whom the import writes rows. */
  remember(this: void, userIds: Iterable<string>): void;
  /** Those whose deletion has begun: it may not have seen all rows of the import. Call it when these are stored. */
  gone(this: void): Promise<ReadonlySet<string>>;
  /** Lets the deletions of those begin again. Call it when nothing more is stored. */
  restart(this: void): Promise<void>;
}

/** Creates the `Leavers` of an import. */
export function createLeavers(database: Database): Leavers {
  const leaving = new Set<string>();
  const named = new Set<string>();
  const gone = async () => {
    const all = [...(named.size < MAX_REMEMBERED ? named : new Set([...named, ...leaving]))];
    const found = new Set<string>();
    for (let n = 0; n < all.length; n += USERS_AT_ONCE)
      for (const userId of await findDeletedAccounts(database, all.slice(n, n + USERS_AT_ONCE), hasBegun))
        found.add(userId);
    return found;
  };
  return {
    async look() {
      for await (const { userId, isHidden } of readLeaving(database))
        if (isHidden) leaving.add(userId);
        else leaving.delete(userId);
    },
    has: (userId) => leaving.has(userId),
    remember(userIds) {
      for (const userId of userIds) if (named.size < MAX_REMEMBERED) named.add(userId);
    },
    gone,
    async restart() {
      await restartDeletions(database, [...(await gone())]);
      named.clear();
    },
  };
}
