import { perTurn } from '../base/per-turn';
import type { Database } from '../cassandra/database';
import type { Statement } from '../cassandra/statement';
import type { Gate, Pass } from '../reads/gate';
import { createLoad, type Load } from '../reads/load';

/** The means by which a piece of work reads. */
interface SharedRead {
  readonly load: Load;
  readonly pass: Pass;
  /** How many reads the work has asked for so far. */
  readonly reads: number;
  /** How many rows it has got, about: a result counts as many as it has items or `rows`, or says by its `size`. */
  readonly rows: number;
}

/** Does work that reads together with other work. */
export type SharedReads = <T>(work: (shared: SharedRead) => Promise<T>) => Promise<T>;

/** A `load` that several works use. */
interface Shared {
  readonly load: Load;
  readonly pass: Pass;
  /** How many works use it, and one more while others may join. */
  users: number;
}

/**
 * Creates the function by which subscriptions read. All works that begin in the same turn of the event loop share one `load`, so that
 * thousands of subscriptions, woken by one signal, read by a few requests. Nothing is read before the turn, and the server's cache is not
 * used, so no event is older than its signal.
 */
export function createSharedReads(database: Database, gate: Gate, milliseconds: number): SharedReads {
  const leave = (shared: Shared) => {
    shared.users--;
    if (shared.users === 0) shared.pass.close();
  };
  const sharedOfTurn = perTurn((): Shared => {
    const pass = gate.openPass(milliseconds);
    return { pass, load: createLoad(database, undefined, pass), users: 1 };
  }, leave);
  return async (work) => {
    const shared = sharedOfTurn();
    shared.users++;
    const { load: read, pass } = shared;
    const load: Load = Object.assign(
      <Key, Result>(statement: Statement<Key, Result>, key: Key) => {
        own.reads++;
        return read(statement, key).then((result) => {
          own.rows += countRows(result);
          return result;
        });
      },
      // Others may still need what was read.
      { forget: () => undefined, isHidden: read.isHidden, within: read.within },
    );
    const own = { load, pass, reads: 0, rows: 0 };
    try {
      return await work(own);
    } finally {
      leave(shared);
    }
  };
}

function countRows(result: unknown): number {
  if (Array.isArray(result)) return result.length;
  const { size, rows } = (result ?? {}) as { readonly size?: unknown; readonly rows?: unknown };
  return typeof size === 'number' ? size : Array.isArray(rows) ? rows.length : 1;
}
