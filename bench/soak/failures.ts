import { say } from '../measure';

/** How many texts of failures are kept. */
const KEPT = 20;

/** Counts what should not happen, and prints and keeps the first of it. */
export interface Failures {
  add(this: void, what: string): void;
  count(): number;
  /** The first failures. */
  texts(): readonly string[];
}

/** Creates a counter of failures. */
export function createFailures(): Failures {
  const kept: string[] = [];
  let count = 0;
  return {
    add(what) {
      count++;
      if (kept.length >= KEPT) return;
      kept.push(what);
      say(what);
    },
    count: () => count,
    texts: () => kept,
  };
}
