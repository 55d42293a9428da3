/**
 * Tells those who wait for a change that they should read again. A signal is only a hint: it names a topic and perhaps the item
 * that is new, and carries no data, so losing all signals costs latency only.
 */
export interface Signals {
  /** Wakes the subscriptions that wait for one of these topics. `item` is the id of the new item, if there is one. */
  publish(this: void, topics: readonly string[], item?: string): void;
  /** Calls `wake` for each signal of a topic, until the returned function is called. */
  on(this: void, topic: string, wake: Wake): () => void;
}

/** Is told of a signal, and of the item that is new. */
type Wake = (item?: string) => void;

/** Creates the signals of one process. */
export function createSignals(): Signals {
  // Most topics have one waiter, and a set for each of them would take more memory than the rest.
  const waiting = new Map<string, Wake | Set<Wake>>();
  return {
    publish(topics, item) {
      for (const topic of topics) {
        const wakes = waiting.get(topic);
        if (typeof wakes === 'function') wakes(item);
        else for (const wake of wakes ?? []) wake(item);
      }
    },
    on(topic, wake) {
      const others = waiting.get(topic);
      if (others === undefined) waiting.set(topic, wake);
      else if (typeof others === 'function') waiting.set(topic, new Set([others, wake]));
      else others.add(wake);
      return () => {
        const wakes = waiting.get(topic);
        if (wakes instanceof Set) wakes.delete(wake);
        if (wakes === wake || (wakes instanceof Set && wakes.size === 0)) waiting.delete(topic);
      };
    },
  };
}
