import { runShared } from '../base/shared-runs';
import type { Database } from '../cassandra/database';

/** How often a server looks for changes, in milliseconds. */
const LOOK_EVERY_MS = 2000;
/** How far each look goes back: clocks of servers differ, and a row may become visible late. */
const CLOCKS_LOOK_BACK_MS = 30_000;
/** After so many failures in a row an operator is told. */
const WARNED_FAILURES = 30;

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
  // The looks follow one another: of two at once, the later one might be the first to end.
  const look = () => runShared(of, 'look', null, readNew);
  await look();
  let failures = 0;
  const lookAgain = async () => {
    try {
      await look();
      failures = 0;
    } catch {
      if (++failures === WARNED_FAILURES) warn();
    }
  };
  const timer = setInterval(() => void lookAgain(), LOOK_EVERY_MS).unref();
  return {
    look,
    stop() {
      clearInterval(timer);
    },
  };
}

/**
 * Returns the moment from which changes are read: the time of the newest known change, if it has one, but no later than now by Cassandra's
 * clock. A server whose clock was ahead has stored times in the future, and so does this machine if its clock is ahead; the changes of
 * others until then must be read as well.
 */
export function lookFrom(database: Pick<Database, 'clock'>, newest: number): Date {
  const now = Date.now() - database.clock.aheadMs();
  return new Date(Math.max(0, Math.min(newest, now) - CLOCKS_LOOK_BACK_MS));
}
