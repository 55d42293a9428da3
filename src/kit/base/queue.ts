/** How many taken items a queue keeps at most before it may forget them together. */
const MIN_FORGOTTEN = 64;

/**
 * A queue: first in, first out. Each step takes constant time on average, however many items wait, while `Array.shift` moves all of them.
 */
export interface Queue<T> {
  add(this: void, item: T): void;
  /** Adds an item that goes before all others. */
  addFirst(this: void, item: T): void;
  /** The item that waits for the longest time. */
  first(this: void): T | undefined;
  /** Takes that item out. */
  take(this: void): T | undefined;
  /** How many items wait. */
  count(this: void): number;
}

/** Creates an empty queue. */
export function createQueue<T>(): Queue<T> {
  let items: (T | undefined)[] = [];
  let taken = 0;
  return {
    add(item) {
      items.push(item);
    },
    addFirst(item) {
      if (taken > 0) items[--taken] = item;
      else items.unshift(item);
    },
    first: () => items[taken],
    count: () => items.length - taken,
    take() {
      const item = items[taken];
      // The old place of a taken item must not keep it in memory.
      if (taken < items.length) items[taken++] = undefined;
      if (taken > MIN_FORGOTTEN && 2 * taken > items.length) {
        items = items.slice(taken);
        taken = 0;
      }
      return item;
    },
  };
}
