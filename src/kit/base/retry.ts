import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats an attempt until it succeeds. `pauseAfter` gives the milliseconds to wait before the next attempt, by the error and
 * the number of attempts so far; null ends with the error.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  pauseAfter: (error: unknown, attempts: number) => number | null,
): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const pause = pauseAfter(error, attempts);
      if (pause === null) throw error;
      await sleep(pause);
    }
  }
}
