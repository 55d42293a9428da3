/** The smallest signed 64-bit integer, in decimal. */
export const MIN_ID = String(-(2n ** 63n));
/** The largest signed 64-bit integer, in decimal. */
export const MAX_ID = String(2n ** 63n - 1n);

/** Compares 64-bit ids in decimal, all 0 or greater. A longer one is greater, so this needs no BigInt. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** Whether a text is a 64-bit id in decimal: 0 to 2^63-1, without leading zeros. An imported account may have id 0. */
export function isId(text: string): boolean {
  return /^(0|[1-9]\d{0,18})$/.test(text) && BigInt(text) < 2n ** 63n;
}
