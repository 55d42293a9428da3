const largest = '9223372036854775807';
const digits = /^0*([0-9]{1,19})$/;

/**
 * The canonical form of a decimal id, 1 … 2^63-1, or null where `text` is none. Never goes through a float,
 * which could not tell neighbouring 64-bit ids apart.
 */
export function parseId(text: string): string | null {
  const id = parseAccountId(text);
  return id === '0' ? null : id;
}

/** The same of an account, which may be 0: there are edge lists that count from 0. */
export function parseAccountId(text: string): string | null {
  const id = digits.exec(text)?.[1];
  if (id === undefined) return null;
  return id.length < largest.length || id <= largest ? id : null;
}
