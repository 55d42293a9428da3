import { setImmediate as nextTurn } from 'node:timers/promises';

type Run = Promise<unknown>;

/** Runs by key: the last one that began, and the next one, which waits for it. */
interface Runs {
  readonly last: Map<string, Run>;
  readonly next: Map<string, Run>;
}

const runsByOwner = new WeakMap<object, Runs>();

/**
 * Runs work that copies what is stored, so that calls with one key which come at the same time share runs. While a run is under
 * way, all further calls share the next one. So each call gets a run that began after it and sees what the caller had stored.
 * Calls of different owners, which are connections to a database, share nothing. All works of one key have the same result.
 */
export function runShared<T>(owner: object, key: string, work: () => Promise<T>): Promise<T> {
  let runs = runsByOwner.get(owner);
  if (runs === undefined) runsByOwner.set(owner, (runs = { last: new Map(), next: new Map() }));
  const { last, next } = runs;
  const shared = next.get(key);
  if (shared !== undefined) return shared as Promise<T>;
  const before = last.get(key);
  const begin = () => {
    next.delete(key);
    return work();
  };
  // The first run begins when all calls of this turn of the event loop have come.
  const run = (before ?? nextTurn()).then(begin, begin);
  next.set(key, run);
  last.set(key, run);
  const end = () => {
    if (last.get(key) === run) last.delete(key);
  };
  run.then(end, end);
  return run;
}
