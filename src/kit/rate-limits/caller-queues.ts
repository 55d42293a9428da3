import { countedWait, createWaits, type Waits } from '../base/waits';
import { createFairSemaphore, type FairSemaphore } from '../base/fair-semaphore';
import type { Pass } from '../reads/gate';

/**
 * The maximum weight of all requests of one caller that run at once. A heavier request runs alone. The limit protects other
 * callers: a request of theirs waits for each of the running requests several times, once before each of its reads.
 */
export const MAX_WEIGHT = 0.25;

/** Limits how much work is done for one caller at once. */
interface CallerQueues {
  /**
   * Resolves when the caller's running requests leave room for another, first come first served, to a function that gives the
   * room back. `weight` is the request's cost as a fraction of what one request may cost. Rejects when the pass is closed.
   */
  waitForRoom(caller: string, weight: number, pass: Pass): Promise<() => void>;
}

/** Creates the queues of a server's callers. A caller without running or waiting requests takes no memory. `waits` counts those that had to wait. */
export function createCallerQueues(waits: Waits = createWaits()): CallerQueues {
  const rooms = new Map<string, FairSemaphore>();
  return {
    async waitForRoom(caller, weight, pass) {
      const room = rooms.get(caller) ?? createFairSemaphore(MAX_WEIGHT);
      rooms.set(caller, room);
      const entry = { weight };
      let hasLeft = false;
      const leave = () => {
        if (hasLeft) return;
        hasLeft = true;
        if (!room.giveUp(entry)) room.release(entry);
        if (room.isEmpty()) rooms.delete(caller);
      };
      try {
        const taken = pass.within(room.take(entry));
        await (room.isWaitedFor() ? countedWait(waits, taken) : taken);
        return leave;
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** The room that one request has among those of its caller. */
interface RequestRoom {
  /**
   * Waits for room. A request that needs more later gives back what it has and waits again, so requests that have room never wait for
   * each other. Rejects when the pass is closed.
   */
  take(this: void, weight: number, pass: Pass): Promise<void>;
  /** Gives the room back when the request has ended, also room for which a field that nobody waits for any more still waits. */
  leave(this: void): void;
}

/** Creates the room of a request, which takes none at first. */
export function createRequestRoom(queues: CallerQueues, caller: string): RequestRoom {
  let giveBack = (): void => undefined;
  let hasLeft = false;
  let taking = Promise.resolve();
  const takeNext = async (weight: number, pass: Pass) => {
    giveBack();
    giveBack = await queues.waitForRoom(caller, weight, pass);
    if (hasLeft) giveBack();
  };
  return {
    // One after another: a second wait beside the first would wait for it.
    take: (weight, pass) => (taking = taking.then(() => takeNext(weight, pass))),
    leave() {
      hasLeft = true;
      giveBack();
    },
  };
}
