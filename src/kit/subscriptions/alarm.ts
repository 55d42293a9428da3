import type { Live } from './live';

/** The reason why a subscription woke: a signal, the time since the last read, or its end. */
type Woken = 'signal' | 'time' | 'end';

/** Milliseconds between two reads that signals cause: a list that changes often is not read for each change. */
const MIN_BETWEEN_MS = 100;
/** The most items that are kept until the subscription reads. With more, it reads its list. */
export const MAX_ITEMS = 10;
const NO_ITEMS: readonly string[] = [];
/** How many further topics a subscription listens to. Without a signal, it reads when its time has come. */
const MAX_TOPICS = 100;

/**
 * Waits for the next reason to read. Signals that come between two waits are not lost. `close` must be called. It is a class, as
 * is everything that each subscription has: functions that closures share would be created for each of them.
 */
export class Alarm {
  readonly #live: Omit<Live<never>, 'read' | 'readRows'>;
  /** The functions that stop the signals of the topics that it began with. */
  readonly #offs: readonly (() => void)[];
  /** The further topics, and what stops their signals. */
  #further: Map<string, () => void> | null = null;
  #cancelTime: () => void;
  #isSignalled = false;
  /** The items that signals have named since `takeItems`; null if one of these signals named none. */
  #items: readonly string[] | null = NO_ITEMS;
  #isDue = false;
  #signalledAt = -Infinity;
  /** The timer while signals are held back. */
  #held: NodeJS.Timeout | undefined;
  #waiting: (() => void) | null = null;
  /** Whether the subscription waits for a reason to read, and for nothing else. */
  #isIdle = false;
  #isUnchanged: (() => Promise<boolean>) | null = null;
  #isClosed = false;

  constructor(live: Omit<Live<never>, 'read' | 'readRows'>, topics: readonly string[], lateTopic?: string) {
    this.#live = live;
    this.#offs = [
      ...topics.map((topic) => live.signals.on(topic, this.#onSignal)),
      ...(lateTopic === undefined ? [] : [live.signals.on(lateTopic, this.#onTime)]),
    ];
    this.#cancelTime = this.#setTime();
    live.ending.onEnd(this.#wake);
  }

  /** Resolves to the next reason to read. */
  async wait(): Promise<Woken> {
    while (!this.#live.ending.isEnded()) {
      // The time comes first: otherwise a list that always changes would never be read as a whole.
      if (this.#isDue) {
        this.#isDue = false;
        this.#isSignalled = false;
        this.#items = NO_ITEMS;
        this.#cancelTime();
        this.#cancelTime = this.#setTime();
        return 'time';
      }
      if (this.#isSignalled) {
        const left = this.#signalledAt + MIN_BETWEEN_MS - performance.now();
        if (left <= 0) {
          this.#isSignalled = false;
          this.#signalledAt = performance.now();
          return 'signal';
        }
        this.#held ??= setTimeout(() => {
          this.#held = undefined;
          this.#wake();
        }, left);
      }
      this.#isIdle = true;
      await new Promise<void>((resolve) => (this.#waiting = resolve));
      this.#isIdle = false;
    }
    return 'end';
  }

  /**
   * Sets a check that is asked each time when it is time to read. If it says that the read would find nothing, the subscription is not
   * woken, because the objects that a woken subscription leaves behind live until the next time and are expensive to collect.
   */
  ask(isUnchanged: () => Promise<boolean>): void {
    this.#isUnchanged = isUnchanged;
  }

  /** The items that signals have named since the last call. Null if a signal named none: then the list must be read. */
  takeItems(): readonly string[] | null {
    const items = this.#items;
    this.#items = NO_ITEMS;
    return items;
  }

  /** Waits some milliseconds, or until the subscription ends. */
  async pause(milliseconds: number): Promise<void> {
    const { ending } = this.#live;
    if (ending.isEnded()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#waiting = () => {
        // Signals do not shorten a pause.
        if (!ending.isEnded()) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#waiting = null;
  }

  /** Listens to further topics, in place of those of the last call. */
  listen(wanted: readonly string[]): void {
    if (wanted.length === 0 && this.#further === null) return;
    const further = (this.#further ??= new Map<string, () => void>());
    const kept = new Set(wanted.slice(0, MAX_TOPICS));
    for (const [topic, off] of further) {
      if (kept.has(topic)) continue;
      off();
      further.delete(topic);
    }
    for (const topic of kept)
      if (!further.has(topic)) further.set(topic, this.#live.signals.on(topic, this.#onSignal));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTime();
    clearTimeout(this.#held);
    for (const off of this.#further?.values() ?? []) off();
    for (const off of this.#offs) off();
  }

  readonly #wake = () => {
    this.#waiting?.();
  };

  readonly #onSignal = (item?: string) => {
    const items = this.#items;
    this.#items =
      item === undefined || items === null || items.length === MAX_ITEMS ? null : [...items, item];
    this.#isSignalled = true;
    if (this.#held === undefined) this.#wake();
  };

  readonly #onTime = () => {
    this.#isDue = true;
    this.#wake();
  };

  readonly #onTick = () => {
    if (this.#isIdle && this.#isUnchanged !== null) void this.#askNow(this.#isUnchanged);
    else this.#onTime();
  };

  async #askNow(isUnchanged: () => Promise<boolean>): Promise<void> {
    // A read that fails is repeated by the subscription itself, which shows the error.
    const isQuiet = await isUnchanged().catch(() => false);
    if (this.#isClosed) return;
    if (!isQuiet) {
      this.#onTime();
      return;
    }
    this.#cancelTime();
    this.#cancelTime = this.#setTime();
  }

  #setTime(): () => void {
    // Servers and subscriptions do not read all at once.
    const { ticker, readEveryMs } = this.#live;
    return ticker.after(readEveryMs * (0.75 + Math.random() / 2), this.#onTick);
  }
}
