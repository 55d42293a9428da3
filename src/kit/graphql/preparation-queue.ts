import { countedWait, createWaits, type Waits } from '../base/waits';
import type { Pass } from '../reads/gate';

/** Work that blocks the processor long enough for other requests to notice. All requests that need it share its result. */
interface Work {
  /** Identifies the work. */
  readonly key: string;
  /** The caller that needs it. Callers take turns, however much work each of them needs. */
  readonly caller: string;
  /** The pass of the request that needs it. The request waits as long as the pass is open. */
  readonly pass: Pass;
  /** Whether another request has done it. */
  isDone(this: void): boolean;
}

/** A queue of work that blocks the processor: one request works at a time. */
export interface PreparationQueue {
  /**
   * Resolves to true when it is the request's turn to do the work, and to false when the work is done. A request that has the
   * turn keeps it for further work. Rejects when the pass is closed. The number of waiting requests of a caller is not limited
   * here, because the number of its requests at once is.
   */
  wait(work: Work): Promise<boolean>;
}

interface QueuedWork {
  readonly work: Work;
  readonly begun: Signal;
  readonly ended: Signal;
}

/**
 * Lets requests parse, validate and compile new documents one after another. After each of them the server has as much time
 * for requests with known documents as the work took, so a flood of new documents takes at most half of the processor. The
 * work must follow its turn without waiting for input or output, or else its time is not measured. `waits` counts those that had to
 * wait.
 */
export function createPreparationQueue(waits: Waits = createWaits()): PreparationQueue {
  // The work that has not begun, by caller. A map keeps the order of insertion: the first caller is next.
  const waiting = new Map<string, QueuedWork[]>();
  const queuedByKey = new Map<string, QueuedWork>();
  let current: QueuedWork | null = null;
  let isWorking = false;
  const begin = (queued: QueuedWork) => {
    current = queued;
    isWorking = true;
    const began = performance.now();
    queued.begun.give();
    // Runs after all promises that the work resolves.
    setImmediate(() => {
      isWorking = false;
      const milliseconds = performance.now() - began;
      end(queued);
      setTimeout(beginNext, milliseconds);
    });
  };
  const end = (queued: QueuedWork) => {
    queuedByKey.delete(queued.work.key);
    queued.ended.give();
  };
  const beginNext = () => {
    current = null;
    for (const [caller, [next, ...others]] of waiting) {
      waiting.delete(caller);
      if (others.length > 0) waiting.set(caller, others);
      if (next) begin(next);
      return;
    }
  };
  const add = (work: Work): QueuedWork => {
    const own = waiting.get(work.caller) ?? [];
    const queued = { work, begun: createSignal(), ended: createSignal() };
    queuedByKey.set(work.key, queued);
    if (current === null) begin(queued);
    else waiting.set(work.caller, [...own, queued]);
    return queued;
  };
  const leave = (queued: QueuedWork) => {
    const own = waiting.get(queued.work.caller);
    if (!own?.includes(queued)) return;
    const others = own.filter((other) => other !== queued);
    if (others.length > 0) waiting.set(queued.work.caller, others);
    else waiting.delete(queued.work.caller);
    end(queued);
  };
  return {
    async wait(work) {
      while (!work.isDone()) {
        if (isWorking && current?.work.pass === work.pass) return true;
        const other = queuedByKey.get(work.key);
        if (other) {
          await countedWait(waits, work.pass.within(other.ended.given));
          continue;
        }
        const queued = add(work);
        try {
          const begun = work.pass.within(queued.begun.given);
          await (current === queued ? begun : countedWait(waits, begun));
          return true;
        } catch (error) {
          leave(queued);
          throw error;
        }
      }
      return false;
    },
  };
}

/** A promise, and the function that resolves it. */
interface Signal {
  readonly given: Promise<void>;
  give(this: void): void;
}

function createSignal(): Signal {
  let resolve = (): void => undefined;
  const given = new Promise<void>((resolveGiven) => {
    resolve = resolveGiven;
  });
  return {
    given,
    give: () => {
      resolve();
    },
  };
}
