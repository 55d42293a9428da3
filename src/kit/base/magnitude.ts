/** The order of magnitude of a count: 0 for 0, 1 for 1, 2 for 2 and 3, 3 for 4 to 7, …: its length in bits. */
export function magnitudeOf(count: number): number {
  return count < 1 ? 0 : Math.floor(Math.log2(count)) + 1;
}

/** More than any count has. */
export const MAX_MAGNITUDE = 32;
/** All that a count above 0 may have. */
export const magnitudes = Array.from({ length: MAX_MAGNITUDE }, (_, n) => n + 1);
