/** The ends of the range of ids. */
export const LEAST_ID = String(-(2n ** 63n));
export const LARGEST_ID = String(2n ** 63n - 1n);

/** Compares 64-bit ids in decimal, none below 0: the longer one is greater, so that no big number is needed. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
