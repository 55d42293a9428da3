/** Counts open things, such as requests or connections, by their owner. */
interface Counts {
  /** Counts one more for an owner. Returns false, and counts nothing, if the owner has the maximum already. */
  add(owner: string): boolean;
  /** Counts one less for an owner. */
  remove(owner: string): void;
}

/** Creates counts of at most `max` for each owner. An owner of nothing takes no memory. */
export function createCounts(max: number): Counts {
  const counts = new Map<string, number>();
  return {
    add(owner) {
      const count = counts.get(owner) ?? 0;
      if (count >= max) return false;
      counts.set(owner, count + 1);
      return true;
    },
    remove(owner) {
      const count = counts.get(owner) ?? 0;
      if (count > 1) counts.set(owner, count - 1);
      else counts.delete(owner);
    },
  };
}
