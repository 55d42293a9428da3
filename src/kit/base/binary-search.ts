/** Returns how many items come before the first that does not pass. All items that pass must come before the others. */
export function countWhile<T>(items: readonly T[], passes: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
