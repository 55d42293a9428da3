/** How many tasks of one sort run at once. Short and long tasks have lanes of their own, so neither waits for the other. */
export interface Lane {
  /** Resolves when there is room for a task, in the order of the calls. */
  take(): Promise<void>;
  /** Takes room at once, even if there is none, for a task that goes on after it has waited outside. */
  retake(): void;
  /** Gives room back. */
  release(): void;
  /** For how many more tasks there is room at once. */
  free(): number;
}

/** Creates a lane with room for `size` tasks. */
export function createLane(size: number): Lane {
  let free = size;
  const waiting: (() => void)[] = [];
  return {
    async take() {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    retake() {
      free--;
    },
    release() {
      // Below zero, those that went on without room give back what they took.
      const next = free < 0 ? undefined : waiting.shift();
      if (next) next();
      else free++;
    },
    free: () => Math.max(0, free),
  };
}
