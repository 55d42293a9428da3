import type { Database } from '../../kit/cassandra/database';
import type { HiddenChange } from '../../kit/reads/hidden-history';
import { hideUsers } from '../../kit/reads/hidden-users';
import { lookFrom, watchHidden, type Watch } from '../../kit/reads/watch-hidden';

const read =
  'SELECT changed_at, CAST(user_id AS text) AS user_id, suspended FROM suspensions WHERE shard = 0 AND changed_at >= ?';

/** The suspended users, as a server knows them: all of them, in memory. */
export interface Suspensions extends Watch {
  /** Whether a user is suspended; at most some seconds ago, if another server did it. */
  isSuspended(this: void, userId: string): boolean;
  /** The time for a change of a user now: later than that of the last one, whatever the clocks say, because the last one decides. */
  timeOfChange(this: void, userId: string): Date;
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
  const changedAt = new Map<string, number>();
  let newest = 0;
  const readNew = async () => {
    const since = lookFrom(database, newest);
    const last = new Map<string, boolean>();
    // Older rows come first, so the last one of a user decides.
    for await (const row of database.stream(read, [since])) {
      const [userId, at] = [String(row['user_id']), Number(row['changed_at'])];
      last.set(userId, row['suspended'] === true);
      changedAt.set(userId, at);
      newest = Math.max(newest, at);
    }
    for (const [userId, isSuspended] of last)
      if (isSuspended) suspended.add(userId);
      else suspended.delete(userId);
  };
  const watch = await watchHidden(suspended, readNew, () => {
    warn(
      'The database did not say for a minute who is suspended: users who were suspended meanwhile are shown here.',
    );
  });
  hideUsers(database, suspended, 'suspended');
  return {
    ...watch,
    isSuspended: (userId) => suspended.has(userId),
    timeOfChange: (userId) => new Date(Math.max(Date.now(), (changedAt.get(userId) ?? 0) + 1)),
  };
}

/** Reads who was suspended and who was not any more, in the order of time. */
export async function* readSuspensions(database: Database): AsyncGenerator<HiddenChange> {
  for await (const row of database.stream(read, [new Date(0)]))
    yield {
      userId: String(row['user_id']),
      at: row['changed_at'] as Date,
      isHidden: row['suspended'] === true,
    };
}

/** Reads who is suspended now, and since when, in the order in which they were. */
export async function readSuspended(database: Database): Promise<ReadonlyMap<string, Date>> {
  const suspended = new Map<string, Date>();
  // The last change of a user decides.
  for await (const { userId, at, isHidden } of readSuspensions(database)) {
    if (isHidden) suspended.set(userId, at);
    else suspended.delete(userId);
  }
  return suspended;
}
