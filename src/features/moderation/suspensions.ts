import type { Database } from '../../kit/cassandra/database';
import type { HiddenChange } from '../../kit/reads/hidden-history';
import { watchHidden, type Watch } from '../../kit/reads/watch-hidden';

const select =
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
  const changedAt = new Map<string, number>();
  const read = (since: Date) => readSuspensions(database, since);
  const apply = ({ userId, at }: HiddenChange) => void changedAt.set(userId, Number(at));
  const watch = await watchHidden(database, 'suspended', { read, apply }, warn);
  return {
    ...watch,
    isSuspended: (userId) => watch.hidden.has(userId),
    timeOfChange: (userId) => new Date(Math.max(Date.now(), (changedAt.get(userId) ?? 0) + 1)),
  };
}

/** Reads who was suspended and who was not any more, in the order of time, since a moment or the beginning. */
export async function* readSuspensions(
  database: Database,
  since = new Date(0),
): AsyncGenerator<HiddenChange> {
  for await (const row of database.stream(select, [since]))
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
