import { createFairSemaphore } from '../base/fair-semaphore';
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

/**
 * Lets requests parse, validate and compile new documents one after another. After each of them the server has as much time
 * for requests with known documents as the work took, so a flood of new documents takes at most half of the processor. The
 * work must follow its turn without waiting for input or output, or else its time is not measured. `waits` counts those that had to
 * wait.
 */
export function createPreparationQueue(waits: Waits = createWaits()): PreparationQueue {
  const room = createFairSemaphore(1);
  /** What is resolved when the work of a key has ended, or was given up. */
  const endOf = new Map<string, PromiseWithResolvers<void>>();
  /** The request whose turn it is. */
  let current: Pass | null = null;
  const end = (key: string) => {
    endOf.get(key)?.resolve();
    endOf.delete(key);
  };
  /** Begins the turn of a request, by its entry in the room. */
  const begin = ({ key, pass }: Work, entry: { readonly person: string }) => {
    current = pass;
    const began = performance.now();
    // Runs after all promises that the work resolves.
    setImmediate(() => {
      current = null;
      end(key);
      setTimeout(room.release, performance.now() - began, entry);
    });
  };
  const waitForTurn = async (work: Work) => {
    endOf.set(work.key, Promise.withResolvers());
    const isFirst = room.isEmpty();
    const entry = { person: work.caller };
    const taken = room.take(entry).then(() => {
      begin(work, entry);
    });
    const begun = work.pass.within(taken);
    try {
      await (isFirst ? begun : countedWait(waits, begun));
    } catch (error) {
      if (room.giveUp(entry)) end(work.key);
      throw error;
    }
  };
  return {
    async wait(work) {
      while (!work.isDone()) {
        if (current === work.pass) return true;
        const other = endOf.get(work.key);
        if (other === undefined) {
          await waitForTurn(work);
          return true;
        }
        await countedWait(waits, work.pass.within(other.promise));
      }
      return false;
    },
  };
}
