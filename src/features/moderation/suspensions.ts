import { runShared } from '../../kit/base/shared-runs';
import type { Database } from '../../kit/cassandra/database';
import { hideUsers } from '../../kit/reads/hidden-users';

/** How often a server looks for suspensions, in milliseconds. */
const LOOK_EVERY_MS = 2000;
/** How far each look goes back: clocks of servers differ, and a row may become visible late. */
const LOOK_BACK_MS = 30_000;

/** After so many failures in a row an operator is told. */
const WARNED_FAILURES = 30;

const read =
  'SELECT changed_at, CAST(user_id AS text) AS user_id, suspended FROM suspensions WHERE shard = 0 AND changed_at >= ?';

/** The suspended users, as a server knows them: all of them, in memory. */
export interface Suspensions {
  /** Whether a user is suspended; at most some seconds ago, if another server did it. */
  isSuspended(this: void, userId: string): boolean;
  /** Looks for suspensions now. */
  look(this: void): Promise<void>;
  stop(this: void): void;
}

/**
 * Reads who is suspended, hides these users on this server, and looks for changes every two seconds. `warn` is told when that fails for a
 * minute.
 */
export async function startSuspensions(
  database: Database,
  warn: (line: string) => void,
): Promise<Suspensions> {
  const suspended = new Set<string>();
  let newest = 0;
  const readNew = async () => {
    const since = new Date(Math.max(0, newest - LOOK_BACK_MS));
    const last = new Map<string, boolean>();
    // Older rows come first, so the last one of a user decides.
    for await (const row of database.stream(read, [since])) {
      last.set(String(row['user_id']), row['suspended'] === true);
      newest = Math.max(newest, Number(row['changed_at']));
    }
    for (const [userId, isSuspended] of last)
      if (isSuspended) suspended.add(userId);
      else suspended.delete(userId);
  };
  // One after another: of two at once, the later one might be the first to end.
  const look = () => runShared(suspended, 'look', null, readNew);
  await look();
  hideUsers(database, suspended);
  let failures = 0;
  const lookAgain = async () => {
    try {
      await look();
      failures = 0;
    } catch {
      if (++failures === WARNED_FAILURES)
        warn(
          'The database did not say for a minute who is suspended: users who were suspended meanwhile are shown here.',
        );
    }
  };
  const timer = setInterval(() => void lookAgain(), LOOK_EVERY_MS).unref();
  return {
    isSuspended: (userId) => suspended.has(userId),
    look,
    stop() {
      clearInterval(timer);
    },
  };
}
