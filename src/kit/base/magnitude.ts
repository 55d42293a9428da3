/** The magnitude of a count is its length in bits: 0 for 0, 1 for 1, 2 for 2 and 3, 3 for 4 to 7, and so on. */
export function magnitudeOf(count: number): number {
  return count < 1 ? 0 : Math.floor(Math.log2(count)) + 1;
}

/** The greatest count of a magnitude. */
export function mostOf(magnitude: number): number {
  return 2 ** magnitude - 1;
}

/** The greatest magnitude of a count. */
export const MAX_MAGNITUDE = 32;
/** Every magnitude that a count above 0 can have. */
export const magnitudes = Array.from({ length: MAX_MAGNITUDE }, (_, n) => n + 1);

/** Parses a magnitude; null if `word` is not one. */
export function parseMagnitude(word: string | undefined): number | null {
  const magnitude = Number(word);
  return magnitude >= 1 && magnitude <= MAX_MAGNITUDE ? magnitude : null;
}
