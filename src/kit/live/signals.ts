/**
 * Tells those who wait for a change that they should read again. A signal is only a hint: it names a topic and carries no data,
 * so losing all signals costs latency only.
 */
export interface Signals {
  /** Wakes whoever waits for one of these topics. */
  publish(this: void, topics: readonly string[]): void;
  /** Calls `wake` for each signal of a topic, until the returned function is called. */
  on(this: void, topic: string, wake: () => void): () => void;
}

/** Creates the signals of one process. */
export function createSignals(): Signals {
  const waiting = new Map<string, Set<() => void>>();
  return {
    publish(topics) {
      for (const topic of topics) for (const wake of waiting.get(topic) ?? []) wake();
    },
    on(topic, wake) {
      const wakes = waiting.get(topic) ?? new Set();
      waiting.set(topic, wakes.add(wake));
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0 && waiting.get(topic) === wakes) waiting.delete(topic);
      };
    },
  };
}
