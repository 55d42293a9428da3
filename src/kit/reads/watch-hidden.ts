import { runEvery } from '../base/run-every';
import { runShared } from '../base/shared-runs';
import type { Database } from '../cassandra/database';

/** How often a server looks for changes, in milliseconds. */
const LOOK_EVERY_MS = 2000;
/** How far each look goes back: clocks of servers differ, and a row may become visible late. */
const CLOCKS_LOOK_BACK_MS = 30_000;
/** When no look has succeeded for this long, an operator is told. */
const WARNED_AFTER_MS = 60_000;

/** Looks again and again who is hidden. */
export interface Watch {
  /** Looks now. */
  look(this: void): Promise<void>;
  stop(this: void): void;
}

/** Reads what has changed, now and then every two seconds. `warn` is called when that fails for a minute. */
export async function watchHidden(
  of: object,
  readNew: () => Promise<void>,
  warn: () => void,
): Promise<Watch> {
  let warnedAt = Infinity;
  const look = async () => {
    // One after another: of two at once, the later one might be the first to end.
    await runShared(of, 'look', null, readNew);
    warnedAt = performance.now() + WARNED_AFTER_MS;
  };
  await look();
  const { stop } = runEvery(LOOK_EVERY_MS, look, () => {
    if (performance.now() < warnedAt) return;
    warnedAt = Infinity;
    warn();
  });
  return { look, stop: () => void stop() };
}

/**
 * The moment from which on changes are read, if the newest that is known has a time. No later than now by Cassandra's clock: of changes by a
 * server whose clock was ahead, and of this machine's clock if that is ahead, the times may be in the future, and what others change
 * until then must be read as well.
 */
export function lookFrom(database: Pick<Database, 'clock'>, newest: number): Date {
  const now = Date.now() - database.clock.aheadMs();
  return new Date(Math.max(0, Math.min(newest, now) - CLOCKS_LOOK_BACK_MS));
}
