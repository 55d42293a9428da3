import { runEvery } from '../base/run-every';
import { runShared } from '../base/shared-runs';
import type { Database } from '../cassandra/database';
import type { HiddenChange } from './hidden-history';
import { hideUsers } from './hidden-users';

/** How often a server looks for changes, in milliseconds. */
const LOOK_EVERY_MS = 2000;
/** How far each look goes back: clocks of servers differ, and a row may become visible late. */
const CLOCKS_LOOK_BACK_MS = 30_000;
/** When no look has succeeded for this long, an operator is told. */
const WARNED_AFTER_MS = 60_000;

/** Looks again and again who is hidden for one reason. */
export interface Watch {
  /** The users who are. Of a change by another server, it is told some seconds later. */
  readonly hidden: ReadonlySet<string>;
  /** Looks now. */
  look(this: void): Promise<void>;
  stop(this: void): void;
}

/** The source of the users who are hidden for one reason. */
interface Source<Change extends HiddenChange> {
  /** Reads the changes since a moment, the older ones first. */
  read(this: void, since: Date): AsyncIterable<Change>;
  /** Is given the last change of each user that was read, which it may know already. */
  apply(this: void, change: Change): void;
  /**
   * Whether a quiet time is not read again, because it may have many partitions. Otherwise everything since the newest change is read, and
   * so also changes that become visible late.
   */
  readonly skipsQuietTime?: boolean;
}

/**
 * Reads which users are hidden, hides them on this server, and looks for changes every two seconds. `warn` is told when that fails for a
 * minute.
 */
export async function watchHidden<Change extends HiddenChange>(
  database: Database,
  reason: string,
  { read, apply, skipsQuietTime = false }: Source<Change>,
  warn: (line: string) => void,
): Promise<Watch> {
  const hidden = new Set<string>();
  let newest = 0;
  let warnedAt = Infinity;
  const readNew = async () => {
    const began = Number(lookFrom(database, Infinity));
    const last = new Map<string, Change>();
    for await (const change of read(lookFrom(database, newest))) last.set(change.userId, change);
    for (const change of last.values()) {
      newest = Math.max(newest, Number(change.at));
      if (change.isHidden) hidden.add(change.userId);
      else hidden.delete(change.userId);
      apply(change);
    }
    // Changes from now on have a later time, apart from the differences of clocks.
    if (skipsQuietTime) newest = Math.max(newest, began);
    warnedAt = performance.now() + WARNED_AFTER_MS;
  };
  // The looks follow one another: of two at once, the later one might be the first to end.
  const look = () => runShared(hidden, 'look', null, readNew);
  await look();
  hideUsers(database, hidden, reason);
  const { stop } = runEvery(LOOK_EVERY_MS, look, () => {
    if (performance.now() < warnedAt) return;
    warnedAt = Infinity;
    warn(
      `The database did not say for a minute which users are ${reason}: those who are since then are shown here.`,
    );
  });
  return { hidden, look, stop: () => void stop() };
}

/**
 * Returns the moment from which changes are read: the time of the newest known change, if it has one, but no later than now by Cassandra's
 * clock. A server whose clock was ahead has stored times in the future, and so does this machine if its clock is ahead; the changes of
 * others until then must be read as well.
 */
function lookFrom(database: Pick<Database, 'clock'>, newest: number): Date {
  const now = Date.now() - database.clock.aheadMs();
  return new Date(Math.max(0, Math.min(newest, now) - CLOCKS_LOOK_BACK_MS));
}
