import { setTimeout as sleep } from 'node:timers/promises';

/** Work that runs again and again. */
export interface Repeated {
  /** Begins no further run, tells the run that is under way to end, and resolves when it has ended. */
  stop(this: void): Promise<void>;
}

/**
 * Runs work at once and then at intervals until it is stopped, one run after another: while a run takes longer than an interval, the next
 * one is left out. `onError` is told of runs that fail before `stop` is called. The timer does not keep the process alive.
 */
export function runEvery(
  intervalMs: number | (() => number),
  work: (stopping: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): Repeated {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    while (!signal.aborted) {
      const began = performance.now();
      await work(signal).catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      });
      const interval = typeof intervalMs === 'number' ? intervalMs : intervalMs();
      const left = interval - ((performance.now() - began) % interval);
      await sleep(left, undefined, { signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
