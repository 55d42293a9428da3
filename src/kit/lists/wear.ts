import { LRUCache } from 'lru-cache';

/** How many lists a server remembers: those from which rows were removed last. */
const MAX_LISTS = 50_000;
/** For how long removals count: the `gc_grace_seconds` of Cassandra, after which compaction drops their tombstones. */
const COUNTED_MS = 10 * 86_400_000;

interface Removals {
  count: number;
  /** The key of one of them. */
  sample: string;
  readonly since: number;
}

/** Counts the rows that are removed from lists, each of which leaves a tombstone. */
export interface Wear {
  /**
   * Counts a removal. Once there are enough of one list, returns the key of one of the others of them, chosen at random, and begins
   * anew; otherwise null.
   */
  add(list: string, key: string): string | null;
}

/** Creates a count that is complete with `enough` removals of a list. */
export function createWear(enough: number): Wear {
  const lists = new LRUCache<string, Removals>({ max: MAX_LISTS });
  return {
    add(list, key) {
      const now = Date.now();
      let removals = lists.get(list);
      if (removals === undefined || now - removals.since > COUNTED_MS)
        lists.set(list, (removals = { count: 0, sample: key, since: now }));
      removals.count++;
      if (removals.count >= enough) {
        lists.delete(list);
        return removals.sample;
      }
      if (Math.random() * removals.count < 1) removals.sample = key;
      return null;
    },
  };
}
