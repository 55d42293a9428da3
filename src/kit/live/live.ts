import type { Load } from '../data/load';
import type { Signals } from './signals';

/** What a list is read with. */
export interface Reading {
  readonly load: Load;
}

/** What a subscription has while it runs. `C` is the context in which its lists are read. */
export interface Live<C extends Reading> {
  readonly signals: Signals;
  readonly ticker: Ticker;
  /** Is aborted when the subscription ends, for whatever reason. */
  readonly ended: AbortSignal;
  /** About how many milliseconds pass between two reads if there is no signal. */
  readonly readEveryMs: number;
  /**
   * Reads with a new `load`, and charges the caller for it. Nothing that was read may be kept for a later call. Subscriptions
   * that read in the same turn of the event loop share their requests to the database.
   */
  read<T>(this: void, work: (context: C) => Promise<T>): Promise<T>;
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

/** What woke a subscription: a signal, the time since the last read, or its end. */
export type Woken = 'signal' | 'time' | 'end';

/** Waits for the next reason to read. */
export interface Alarm {
  wait(this: void): Promise<Woken>;
  /** Waits some milliseconds, or until the subscription ends. */
  pause(this: void, milliseconds: number): Promise<void>;
  /** Listens to further topics, in place of those of the last call. */
  listen(this: void, topics: readonly string[]): void;
  close(this: void): void;
}

/** Milliseconds between two reads that signals cause: a list that changes often is not read for each change. */
const MIN_BETWEEN_MS = 100;
/** How many further topics a subscription listens to. Without a signal, it reads when its time has come. */
const MAX_TOPICS = 100;

/** Creates the alarm of a subscription. Signals that come between two waits are not lost. `close` must be called. */
export function createAlarm(
  { signals, ticker, ended, readEveryMs }: Omit<Live<never>, 'read'>,
  topics: readonly string[],
  lateTopic?: string,
): Alarm {
  let isSignalled = false;
  let isDue = false;
  let signalledAt = -Infinity;
  /** Set while signals are held back. */
  let held: NodeJS.Timeout | undefined;
  let waiting: (() => void) | null = null;
  const wake = () => {
    waiting?.();
    waiting = null;
  };
  const onSignal = () => {
    isSignalled = true;
    if (held === undefined) wake();
  };
  const onTime = () => {
    isDue = true;
    wake();
  };
  const setTime = () =>
    // Servers and subscriptions do not read all at once.
    ticker.after(readEveryMs * (0.75 + Math.random() / 2), onTime);
  const offs = topics.map((topic) => signals.on(topic, onSignal));
  if (lateTopic !== undefined) offs.push(signals.on(lateTopic, onTime));
  const further = new Map<string, () => void>();
  let cancel = setTime();
  ended.addEventListener('abort', wake);
  return {
    async wait() {
      while (!ended.aborted) {
        // The time comes first: else a list that always changes would never be read as a whole.
        if (isDue) {
          isDue = false;
          isSignalled = false;
          cancel();
          cancel = setTime();
          return 'time';
        }
        const left = signalledAt + MIN_BETWEEN_MS - performance.now();
        if (isSignalled && left <= 0) {
          isSignalled = false;
          signalledAt = performance.now();
          return 'signal';
        }
        if (isSignalled)
          held ??= setTimeout(() => {
            held = undefined;
            wake();
          }, left);
        await new Promise<void>((resolve) => {
          waiting = resolve;
        });
      }
      return 'end';
    },
    async pause(milliseconds) {
      if (ended.aborted) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(end, milliseconds);
        function end() {
          clearTimeout(timer);
          ended.removeEventListener('abort', end);
          resolve();
        }
        ended.addEventListener('abort', end);
      });
    },
    listen(wanted) {
      const kept = new Set(wanted.slice(0, MAX_TOPICS));
      for (const [topic, off] of further) {
        if (kept.has(topic)) continue;
        off();
        further.delete(topic);
      }
      for (const topic of kept) if (!further.has(topic)) further.set(topic, signals.on(topic, onSignal));
    },
    close() {
      cancel();
      clearTimeout(held);
      for (const off of further.values()) off();
      ended.removeEventListener('abort', wake);
      for (const off of offs) off();
    },
  };
}
