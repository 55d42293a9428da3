/** The smallest signed 64-bit integer, in decimal. */
export const MIN_ID = String(-(2n ** 63n));
/** The largest signed 64-bit integer, in decimal. */
export const MAX_ID = String(2n ** 63n - 1n);

/** A position before all ids, also before 0. Only positions in lists have it. */
export const BEFORE_ALL_IDS = '-1';

/** Compares 64-bit ids in decimal, all 0 or greater, or `BEFORE_ALL_IDS`. A longer one is greater, so this needs no BigInt. */
export function compareIds(a: string, b: string): number {
  if (a === BEFORE_ALL_IDS || b === BEFORE_ALL_IDS)
    return Number(b === BEFORE_ALL_IDS) - Number(a === BEFORE_ALL_IDS);
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/**
 * Whether a text is a 64-bit id in decimal: 0 to 2^63-1, without leading zeros. An imported account may have id 0.
 *
 * @example
 * ```ts
 * isId('42'); // true
 * isId('042'); // false
 * ```
 */
export function isId(text: string): boolean {
  return /^(0|[1-9]\d{0,18})$/.test(text) && BigInt(text) < 2n ** 63n;
}

/**
 * Whether a value holds an id: as it is, or as a whole number within a text, a list or JSON.
 *
 * @example
 * ```ts
 * isHeldIn('{"by":"42"}', '42'); // true
 * isHeldIn('421', '42'); // false
 * ```
 */
export function isHeldIn(value: unknown, id: string): boolean {
  if (value === id) return true;
  if (value === null || value === undefined || value instanceof Date || Buffer.isBuffer(value)) return false;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.includes(id) && new RegExp(`(?<![\\d.-])${id}(?![\\d.])`).test(text);
}
