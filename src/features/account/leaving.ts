import type { Database } from '../../kit/cassandra/database';
import { monthOf } from '../../kit/lists/buckets';
import type { HiddenChange } from '../../kit/reads/hidden-history';
import { hideUsers } from '../../kit/reads/hidden-users';
import { lookFrom, watchHidden, type Watch } from '../../kit/reads/watch-hidden';

/** How many months rows of `leaving_users` are kept: longer than a deletion may wait and take. */
const KEPT_MONTHS = 14;
/** The time to live of those rows in seconds. */
export const LEAVING_TTL_SECONDS = KEPT_MONTHS * 31 * 86_400;

const read =
  'SELECT changed_at, CAST(user_id AS text) AS user_id, starts_at FROM leaving_users WHERE month = ? AND changed_at >= ?';

/** The months that may have rows of a time since a moment. */
export function monthsSince(since: Date): number[] {
  const last = monthOf(new Date());
  const first = Math.max(monthOf(since), last - KEPT_MONTHS);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Reads which users began to leave, and which came back, in the order of time, as far as that is kept. */
export async function* readLeaving(database: Database): AsyncGenerator<HiddenChange> {
  for (const month of monthsSince(new Date(0)))
    for await (const row of database.stream(read, [month, new Date(0)]))
      yield {
        userId: String(row['user_id']),
        at: row['changed_at'] as Date,
        isHidden: row['starts_at'] !== null,
      };
}

/** The users whose accounts are being deleted, as a server knows them: all of them, in memory. */
export interface Leaving extends Watch {
  /** Whether the account of a user is being deleted; at most some seconds ago, if another server was told. */
  isLeaving(this: void, userId: string): boolean;
  /** The users whose deletion should have begun by a moment. */
  due(this: void, now: Date): string[];
  /**
   * Does not name a user as due any more, because the deletion is done, until a row says that it has begun again. The user stays hidden:
   * other servers may still keep rows.
   */
  settle(this: void, userId: string): void;
}

/**
 * Reads which users are leaving, hides them on this server, and looks for changes every two seconds. `warn` is told when that fails for a
 * minute.
 */
export async function startLeaving(database: Database, warn: (line: string) => void): Promise<Leaving> {
  const hidden = new Set<string>();
  const startsAt = new Map<string, Date>();
  let newest = 0;
  const readNew = async () => {
    const began = Number(lookFrom(database, Infinity));
    const since = lookFrom(database, newest);
    const last = new Map<string, Date | null>();
    // Older rows come first, so the last one of a user decides.
    for (const month of monthsSince(since))
      for await (const row of database.stream(read, [month, since])) {
        last.set(String(row['user_id']), row['starts_at'] as Date | null);
        newest = Math.max(newest, Number(row['changed_at']));
      }
    // Rows that are written from now on have a later time, apart from the differences of clocks.
    newest = Math.max(newest, began);
    for (const [userId, moment] of last)
      if (moment === null) {
        hidden.delete(userId);
        startsAt.delete(userId);
      } else {
        hidden.add(userId);
        startsAt.set(userId, moment);
      }
  };
  const watch = await watchHidden(hidden, readNew, () => {
    warn('The database did not say for a minute whose accounts are being deleted: they may be shown here.');
  });
  hideUsers(database, hidden, 'leaving');
  return {
    ...watch,
    isLeaving: (userId) => hidden.has(userId),
    due: (now) => [...startsAt].flatMap(([userId, moment]) => (moment <= now ? [userId] : [])),
    settle: (userId) => void startsAt.delete(userId),
  };
}
