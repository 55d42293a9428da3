import type { FairSemaphore } from '../base/fair-semaphore';
import type { RequestLimits } from '../rate-limits/rate-limits';

/**
 * Executes an event in one of the server's places, when one is free. The event must have the room of its caller already, and nothing waits
 * for that in a place: otherwise a few callers whose rooms are full would hold all places, and so the events of everybody else. So `work`
 * gets limits by which the event leaves its place while it waits for more room, because a field reserves more.
 */
export async function executeInPlace<T>(
  places: FairSemaphore,
  limits: RequestLimits,
  work: (limits: RequestLimits) => Promise<T>,
): Promise<T> {
  await places.take();
  let isInside = true;
  let isOver = false;
  let hasBegun = false;
  let waiting = 0;
  const stepOut = () => {
    if (isInside) places.release();
    isInside = false;
  };
  const comeBack = () => {
    if (waiting > 0 || isOver) return;
    isInside = true;
    places.retake();
  };
  try {
    return await work({
      ...limits,
      async waitForRoom(weight, pass) {
        // Execution begins with the room that the event has.
        if (!hasBegun) {
          hasBegun = true;
          return;
        }
        waiting++;
        stepOut();
        try {
          await limits.waitForRoom(weight, pass);
        } finally {
          waiting--;
          comeBack();
        }
      },
    });
  } finally {
    isOver = true;
    stepOut();
  }
}
