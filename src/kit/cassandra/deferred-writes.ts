import type { Database, Write } from './database';
import { MAX_BATCH_BYTES, writeBytes } from './write';

/** A write that waits for another one, with which it is one request. */
export interface DeferredWrite {
  /** Resolves when it is stored. */
  readonly stored: Promise<void>;
  /** Whether nothing has taken it along yet. */
  isWaiting(this: void): boolean;
  /** Sends it, if nothing has taken it along yet. */
  send(this: void): void;
}

/** A write that waits, and what to tell when it was sent. */
interface Waiting {
  readonly write: Write;
  readonly settle: (sent: Promise<void>) => void;
}

const waitingOf = new WeakMap<Database, Set<Waiting>>();

/** Leaves a write to the next `writeWithDeferred` of this connection. Somebody must call `send` in the end. */
export function deferWrite(database: Database, write: Write): DeferredWrite {
  const { promise: stored, resolve: settle }: PromiseWithResolvers<void> = Promise.withResolvers();
  let waiting = waitingOf.get(database);
  if (waiting === undefined) waitingOf.set(database, (waiting = new Set()));
  const all = waiting;
  const own: Waiting = { write, settle };
  all.add(own);
  return {
    stored,
    isWaiting: () => all.has(own),
    send() {
      if (all.delete(own)) settle(database.write(write.query, write.params));
    },
  };
}

/** Stores a write together with those that wait, as far as a batch takes them. Each of them may be stored without the others. */
export function writeWithDeferred(database: Database, write: Write): Promise<void> {
  const waiting = waitingOf.get(database) ?? new Set();
  const taken: Waiting[] = [];
  let bytes = writeBytes(write);
  for (const one of waiting) {
    bytes += writeBytes(one.write);
    if (bytes > MAX_BATCH_BYTES) break;
    waiting.delete(one);
    taken.push(one);
  }
  if (taken.length === 0) return database.write(write.query, write.params);
  const sent = database.batch([write, ...taken.map((one) => one.write)]);
  for (const { settle } of taken) settle(sent);
  return sent;
}
