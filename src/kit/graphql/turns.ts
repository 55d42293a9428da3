import { overloaded } from '../errors';

/** Documents that may wait for their turn; their requests are answered within some seconds. */
const MAX_WAITING = 200;
/** Seconds after which a client that was refused should try again. */
const RETRY_AFTER_SECONDS = 2;

/** Turns for work that takes the processor for so long that others would notice. */
export interface Turns {
  /** Resolves when it is the caller's turn. Rejects with `UNAVAILABLE` where too many wait already. */
  wait(): Promise<void>;
}

/**
 * Lets requests parse, validate and compile new documents one after another. Between two of them the server has as much
 * time for requests with documents that it knows as the last one took, so a flood of new documents takes at most half of
 * the processor. Work must follow its turn without waiting for input or output, else its time is not noticed.
 */
export function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const begin = (start: () => void) => {
    isTaken = true;
    const began = performance.now();
    start();
    // Runs after all promises that the work resolves.
    setImmediate(() => setTimeout(end, performance.now() - began));
  };
  const end = () => {
    const next = waiting.shift();
    if (next) begin(next);
    else isTaken = false;
  };
  return {
    wait: () =>
      new Promise((resolve, reject) => {
        if (!isTaken) begin(resolve);
        else if (waiting.length < MAX_WAITING) waiting.push(resolve);
        else reject(overloaded(RETRY_AFTER_SECONDS));
      }),
  };
}
