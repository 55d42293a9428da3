import type { Load } from '../reads/load';
import type { Signals } from './signals';

/** The means by which a list is read. */
export interface Reading {
  readonly load: Load;
}

/** The means of a subscription while it runs. `C` is the context in which its lists are read. */
export interface Live<C extends Reading> {
  readonly signals: Signals;
  readonly ticker: Ticker;
  /** When the server received the subscription, in milliseconds. Without a cursor, only what was posted from then on is given. */
  readonly receivedAt: number;
  /** The end of the subscription, for whatever reason. */
  readonly ending: Ending;
  /** About how many milliseconds pass between two reads if there is no signal. */
  readonly readEveryMs: number;
  /** Does what is needed to begin when there is room for it among the caller's requests: many subscriptions may begin at once. */
  begin<T>(this: void, work: () => Promise<T>): Promise<T>;
  /**
   * Reads with a new `load`, and charges the caller for it. Nothing that was read may be kept for a later call. Subscriptions that read in
   * the same turn of the event loop share their requests to the database.
   */
  read<T>(this: void, work: (context: C) => Promise<T>): Promise<T>;
  /** The same without a context, which takes longer to create than a row to read. */
  readRows<T>(this: void, work: (load: Load) => Promise<T>): Promise<T>;
}

/** The end of a subscription. It does what an AbortSignal does, of which each would take a kilobyte. */
export class Ending {
  #isEnded = false;
  #wakes: readonly (() => void)[] = [];

  isEnded(): boolean {
    return this.#isEnded;
  }

  /** Ends the subscription. Later calls have no effect. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const wake of this.#wakes) wake();
  }

  /** Calls `wake` once, when the subscription ends. */
  onEnd(wake: () => void): void {
    this.#wakes = [...this.#wakes, wake];
  }
}

/** Wakes many waiters together, so that what they read next is read by few requests. */
export interface Ticker {
  /** Calls `wake` once, `milliseconds` from now or a little later. Returns the function that cancels it. */
  after(this: void, milliseconds: number, wake: () => void): () => void;
  stop(this: void): void;
}

/** Milliseconds between two ticks. */
const TICK_MS = 250;

/** Creates a ticker, which must be stopped. */
export function createTicker(): Ticker {
  const due = new Map<number, Set<() => void>>();
  const now = () => Math.floor(performance.now() / TICK_MS);
  let last = now();
  const timer = setInterval(() => {
    for (const until = now(); last < until;) {
      const wakes = due.get(++last);
      due.delete(last);
      for (const wake of wakes ?? []) wake();
    }
  }, TICK_MS).unref();
  return {
    after(milliseconds, wake) {
      const tick = Math.max(last, now()) + 1 + Math.floor(milliseconds / TICK_MS);
      const wakes = due.get(tick) ?? new Set();
      due.set(tick, wakes.add(wake));
      return () => wakes.delete(wake);
    },
    stop() {
      clearInterval(timer);
    },
  };
}
