/** Counts what is open, by whose it is. */
export interface Counts {
  /** Counts one more of an owner, unless it has as many as it may have: then it tells false. */
  add(owner: string): boolean;
  /** Counts one less of an owner. */
  remove(owner: string): void;
}

/** Makes counts of at most `max` for each owner. Owners of nothing take no memory. */
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
