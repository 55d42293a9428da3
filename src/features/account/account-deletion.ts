import type { Database } from '../../kit/cassandra/database';
import { monthOf } from '../../kit/lists/buckets';
import type { HiddenChange } from '../../kit/reads/hidden-history';
import { watchHidden, type Watch } from '../../kit/reads/watch-hidden';

/** How many months rows of `leaving_users` are kept: longer than a deletion may wait and take. */
const KEPT_MONTHS = 14;
/** The time to live of those rows in seconds. */
export const LEAVING_TTL_SECONDS = KEPT_MONTHS * 31 * 86_400;

const select =
  'SELECT changed_at, CAST(user_id AS text) AS user_id, starts_at FROM leaving_users WHERE month = ? AND changed_at >= ?';

/** The months that may have rows of a time since a moment. */
export function monthsSince(since: Date): number[] {
  const last = monthOf(new Date());
  const first = Math.max(monthOf(since), last - KEPT_MONTHS);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** A change of whether the account of a user is being deleted. */
interface LeavingChange extends HiddenChange {
  /** When the deletion is to begin; null if the user came back. */
  readonly startsAt: Date | null;
}

/** Reads which users began to leave, and which came back, in the order of time, since a moment or as far as that is kept. */
export async function* readLeaving(database: Database, since = new Date(0)): AsyncGenerator<LeavingChange> {
  for (const month of monthsSince(since))
    for await (const row of database.stream(select, [month, since])) {
      const startsAt = row['starts_at'] as Date | null;
      yield {
        userId: String(row['user_id']),
        at: row['changed_at'] as Date,
        isHidden: startsAt !== null,
        startsAt,
      };
    }
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
export async function watchAccountDeletions(
  database: Database,
  warn: (line: string) => void,
): Promise<Leaving> {
  const startsAt = new Map<string, Date>();
  const read = (since: Date) => readLeaving(database, since);
  const apply = ({ userId, startsAt: moment }: LeavingChange) => {
    if (moment === null) startsAt.delete(userId);
    else startsAt.set(userId, moment);
  };
  const watch = await watchHidden(database, 'leaving', { read, apply, skipsQuietTime: true }, warn);
  return {
    ...watch,
    isLeaving: (userId) => watch.hidden.has(userId),
    due: (now) => [...startsAt].flatMap(([userId, moment]) => (moment <= now ? [userId] : [])),
    settle: (userId) => void startsAt.delete(userId),
  };
}
