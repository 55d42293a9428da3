import type { EventEmitter } from 'node:events';
import { createQueue, type Queue } from '../base/queue';

/** While connections arrive, one waiting request of each caller begins after this many milliseconds. */
const MAX_PAUSE_MS = 5;
/** How many requests of a caller begin in a turn. Fewer would cost more, because what they read is sent to Cassandra together. */
const MAX_BEGUN_IN_TURN = 16;

/** Lets requests begin one after another if many arrive at once. */
interface Arrivals {
  /**
   * Resolves when a request of a caller may begin; null if it may begin at once. In a turn of the event loop 16 requests of each caller
   * begin, however many have arrived; while connections arrive, one begins every 5 ms. Rejects if too many of the caller's wait.
   */
  waitToBegin(this: void, caller: string): Promise<void> | null;
}

/**
 * Creates the order in which the requests of a server begin. While connections arrive, requests wait some milliseconds: Node accepts one
 * connection in each turn of the event loop (libuv since version 1.45), so a client that connects behind 300 others waits for 300 turns,
 * with all that is done in them. Of each caller, `maxWaiting` requests may wait, because each takes memory; `refuse` makes the error of
 * one more.
 */
export function createArrivals(
  server: Pick<EventEmitter, 'on'>,
  maxWaiting: number,
  refuse: () => Error,
): Arrivals {
  const waiting = new Map<string, Queue<() => void>>();
  /** How many requests of each caller have begun in this turn. */
  const begun = new Map<string, number>();
  let isAccepting = false;
  let isScheduled = false;
  let lastBegan = 0;
  const endTurn = () => {
    isScheduled = false;
    begun.clear();
    const wasAccepting = isAccepting;
    isAccepting = false;
    if (waiting.size === 0) return;
    if (!wasAccepting) beginNext(MAX_BEGUN_IN_TURN);
    else if (performance.now() - lastBegan >= MAX_PAUSE_MS) beginNext(1);
    schedule();
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(endTurn);
  };
  const beginNext = (most: number) => {
    lastBegan = performance.now();
    for (const [caller, requests] of waiting) {
      let count = 0;
      while (count < most && requests.first()) {
        requests.take()?.();
        count += 1;
      }
      begun.set(caller, count);
      if (!requests.first()) waiting.delete(caller);
    }
  };
  server.on('connection', () => {
    isAccepting = true;
    schedule();
  });
  return {
    waitToBegin(caller) {
      schedule();
      const count = begun.get(caller) ?? 0;
      if (!isAccepting && count < MAX_BEGUN_IN_TURN && !waiting.has(caller)) {
        begun.set(caller, count + 1);
        return null;
      }
      const requests = waiting.get(caller) ?? createQueue();
      if (requests.count() >= maxWaiting) return Promise.reject(refuse());
      waiting.set(caller, requests);
      return new Promise((resolve) => {
        requests.add(resolve);
      });
    },
  };
}
