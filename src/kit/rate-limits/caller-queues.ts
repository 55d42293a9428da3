import type { Pass } from '../reads/gate';

/**
 * The maximum weight of all requests of one caller that run at once. A heavier request runs alone. The limit protects other
 * callers: a request of theirs waits for each of the running requests several times, once before each of its reads.
 */
const MAX_WEIGHT = 0.25;

/** Limits how much work is done for one caller at once. */
interface CallerQueues {
  /**
   * Resolves when the caller's running requests leave room for another, first come first served, to a function that gives the
   * room back. `weight` is the request's cost as a fraction of what one request may cost. Rejects when the pass is closed.
   */
  enter(caller: string, weight: number, pass: Pass): Promise<() => void>;
}

interface Entry {
  readonly weight: number;
  begin(this: void): void;
}

interface Queue {
  readonly running: Set<Entry>;
  readonly waiting: Set<Entry>;
}

/** Creates the queues of a server's callers. A caller without running or waiting requests takes no memory. */
export function createCallerQueues(): CallerQueues {
  const queues = new Map<string, Queue>();
  const beginNext = (caller: string, { running, waiting }: Queue) => {
    for (const entry of waiting) {
      if (!fits(running, entry)) return;
      waiting.delete(entry);
      running.add(entry);
      entry.begin();
    }
    if (running.size === 0) queues.delete(caller);
  };
  return {
    async enter(caller, weight, pass) {
      const queue = queues.get(caller) ?? { running: new Set(), waiting: new Set() };
      queues.set(caller, queue);
      let entry: Entry | undefined;
      const begun = new Promise<void>((resolve) => {
        entry = { weight, begin: resolve };
        queue.waiting.add(entry);
      });
      const leave = () => {
        if (!entry) return;
        queue.waiting.delete(entry);
        queue.running.delete(entry);
        beginNext(caller, queue);
      };
      beginNext(caller, queue);
      try {
        await pass.within(begun);
        return leave;
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** Whether an entry may run beside the running ones. */
function fits(running: ReadonlySet<Entry>, { weight }: Entry): boolean {
  let used = 0;
  for (const entry of running) used += entry.weight;
  return running.size === 0 || used + weight <= MAX_WEIGHT;
}
