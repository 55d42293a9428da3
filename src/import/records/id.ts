import { MAX_ID } from '../../kit/base/ids';
import { copyText } from './copy-text';

const digits = /^0*([0-9]{1,19})$/;

/**
 * The canonical form of a decimal id from 1 to 2^63-1, or null if `text` is not one. Works on strings, because a float
 * cannot tell neighbouring 64-bit ids apart.
 */
export function parseId(text: string): string | null {
  const id = parseAccountId(text);
  return id === '0' ? null : id;
}

/** The same for an account id, which may be 0, because some edge lists count from 0. */
export function parseAccountId(text: string): string | null {
  const id = digits.exec(text)?.[1];
  if (id === undefined) return null;
  return id.length < MAX_ID.length || id <= MAX_ID ? copyText(id) : null;
}
