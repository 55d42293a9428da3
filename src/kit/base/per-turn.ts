import { createFairSemaphore, type Entry } from './fair-semaphore';

/**
 * Creates a function that returns the same value to all calls of one turn of the event loop. `create` makes the value of a turn; `over` gets it
 * when the turn is over.
 */
export function perTurn<T>(create: () => T, over: (value: T) => void = () => undefined): () => T {
  let current: { readonly value: T } | null = null;
  const end = () => {
    const ended = current;
    current = null;
    if (ended) over(ended.value);
  };
  return () => {
    if (current === null) {
      current = { value: create() };
      setImmediate(end);
    }
    return current.value;
  };
}

const turn = perTurn(
  () => Promise.withResolvers<null>(),
  ({ resolve }) => {
    resolve(null);
  },
);

/**
 * Waits until the event loop has handled everything that has arrived. The driver then writes all statements that it is given by one system
 * call, which saves a good part of the cost of a read, for the server and for Cassandra.
 */
export function endOfTurn(): Promise<unknown> {
  return turn().promise;
}

/** A request whose work waits. */
interface Waiter {
  /** Rejects when the request has ended before the work. */
  within<T>(this: void, work: Promise<T>): Promise<T>;
}

/**
 * Creates a function that waits for a turn of the event loop in which work of some size may be done. In a turn, work of `most` is done, or one
 * piece of work that is larger. So a request with much work does not stop all others. Requests take turns, one piece of work each, and what waits
 * when its request ends is not done.
 */
export function limitTurns(most: number): (size: number, waiter: Waiter) => Promise<void> {
  const room = createFairSemaphore(most);
  const done = perTurn<Entry[]>(
    () => [],
    (entries) => {
      for (const entry of entries) room.release(entry);
    },
  );
  return async (size, waiter) => {
    // Parts of a request have a `load` of their own, but they all share this.
    const entry = { weight: Math.min(size, most), person: waiter.within };
    const isNext = room.take(entry).then(() => {
      done().push(entry);
    });
    try {
      await waiter.within(isNext);
    } catch (error) {
      room.giveUp(entry);
      throw error;
    }
  };
}

/**
 * Waits until a text of JSON with so many characters may be parsed. A MiB that is all long numbers takes some 100 ms.
 */
export const waitToParse = limitTurns(128 * 1024);
