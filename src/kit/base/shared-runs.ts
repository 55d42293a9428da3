import { setTimeout as sleep } from 'node:timers/promises';
import { endOfTurn } from './per-turn';

/** The state that the calls of one key share. */
interface Calls {
  /** The items for the next run. */
  items: unknown[];
  /** The run that has not begun; null if nobody waits for one. */
  next: Promise<unknown> | null;
  /** How many runs have not ended. */
  runs: number;
  /** The run that comes before the next one, and when it began, on the clock of `performance.now()`. */
  last: Promise<unknown> | null;
  beganAt: number;
}

const callsByOwner = new WeakMap<object, Map<string, Calls>>();

/**
 * Runs work once for all calls of one key that come before it begins, with the items of these calls in their order. A run begins when the
 * turn of the event loop is over and the run before has ended, and at least `pauseMs` after that one began. So each call gets a run that
 * began after it and sees what the caller had stored. Calls of different owners, which are connections to a database, share nothing. All
 * calls of one key must pass the same work.
 */
export function runShared<Item, Result>(
  owner: object,
  key: string,
  item: Item,
  work: (items: readonly Item[]) => Promise<Result>,
  pauseMs = 0,
): Promise<Result> {
  let byKey = callsByOwner.get(owner);
  if (byKey === undefined) callsByOwner.set(owner, (byKey = new Map<string, Calls>()));
  let calls = byKey.get(key);
  if (calls === undefined)
    byKey.set(key, (calls = { items: [], next: null, runs: 0, last: null, beganAt: -Infinity }));
  calls.items.push(item);
  calls.next ??= nextRun(byKey, key, calls, work as (items: readonly unknown[]) => Promise<unknown>, pauseMs);
  return calls.next as Promise<Result>;
}

/** Whether calls of a key wait for a run, or one is under way. */
export function isRunning(owner: object, key: string): boolean {
  return (callsByOwner.get(owner)?.get(key)?.runs ?? 0) > 0;
}

function nextRun(
  byKey: Map<string, Calls>,
  key: string,
  calls: Calls,
  work: (items: readonly unknown[]) => Promise<unknown>,
  pauseMs: number,
): Promise<unknown> {
  const begin = async () => {
    const pause = calls.beganAt + pauseMs - performance.now();
    if (pause > 0) await sleep(pause);
    const { items } = calls;
    Object.assign(calls, { items: [], next: null, beganAt: performance.now() });
    return work(items);
  };
  const run = (calls.last ?? endOfTurn()).then(begin, begin);
  calls.last = run;
  calls.runs++;
  const end = () => {
    calls.runs--;
    if (calls.runs > 0) return;
    calls.last = null;
    // The moment at which the run began is needed until the pause is over.
    const forget = () => {
      if (calls.runs === 0 && byKey.get(key) === calls) byKey.delete(key);
    };
    const left = calls.beganAt + pauseMs - performance.now();
    if (left <= 0) forget();
    else setTimeout(forget, left).unref();
  };
  run.then(end, end);
  return run;
}
