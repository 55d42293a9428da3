/** How often work has waited for its turn, and for how many seconds together. */
export interface Waits {
  count: number;
  seconds: number;
}

/** Creates the count of what waits in one queue. */
export function createWaits(): Waits {
  return { count: 0, seconds: 0 };
}

/** Counts a wait that began at a moment on the clock of `performance.now()`. */
export function countWait(waits: Waits, began: number): void {
  waits.count += 1;
  waits.seconds += (performance.now() - began) / 1000;
}

/** Runs work that only waits, and counts it with its duration, also if it fails. */
export async function countedWait<T>(waits: Waits, work: Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await work;
  } finally {
    countWait(waits, began);
  }
}
