import type { Database } from '../cassandra/database';
import type { Statement } from '../cassandra/statement';
import type { Gate, Pass } from '../data/gate';
import { createLoad, type Load } from '../data/load';
import type { RequestContext } from './request-context';
import type { Subscriber } from './subscriptions';

/** Reads for a subscriber, and charges the subscriber for it. */
export type SharedReads = <T>(
  subscriber: Subscriber,
  work: (context: RequestContext) => Promise<T>,
) => Promise<T>;

/** A `load` that several subscribers use. */
interface Shared {
  readonly load: Load;
  readonly pass: Pass;
  /** How many works use it, and one more while others may join. */
  users: number;
}

/**
 * Creates the function by which subscriptions read. All that begin in the same turn of the event loop share one `load`, so that
 * thousands of subscriptions, woken by one signal, read by a few requests. Each pays for what it asked for.
 */
export function createSharedReads(database: Database, gate: Gate, milliseconds: number): SharedReads {
  let current: Shared | null = null;
  const leave = (shared: Shared) => {
    shared.users--;
    if (shared.users === 0) shared.pass.close();
  };
  const enter = (): Shared => {
    if (current === null) {
      const pass = gate.enter(milliseconds);
      const shared: Shared = { pass, load: createLoad(database, undefined, pass), users: 1 };
      current = shared;
      setImmediate(() => {
        current = null;
        leave(shared);
      });
    }
    current.users++;
    return current;
  };
  return async (subscriber, work) => {
    const shared = enter();
    const { load: read, pass } = shared;
    let reads = 0;
    const load: Load = Object.assign(
      <Key, Result>(statement: Statement<Key, Result>, key: Key) => {
        reads++;
        return read(statement, key);
      },
      // Others may still need what was read.
      { forget: () => undefined },
    );
    const limits = subscriber.limits();
    try {
      const result = await work(subscriber.contextOf({ pass, limits, load }));
      limits.charge(Math.max(1, reads), 0);
      return result;
    } finally {
      limits.leave();
      leave(shared);
    }
  };
}
