import { badArgument, badInput } from '../base/errors';
import { decodeCursor, type Position } from './cursor';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type ConnectionArguments, cursorIn } from '../input/page-args';

/** The rows of a page: at most `limit`, from a position on, or from the end of the list if that is null. */
export interface Page {
  readonly limit: number;
  readonly backwards: boolean;
  readonly from: Position | null;
}

/**
 * Checks the arguments of a connection against the rules of Relay, and decodes the cursor. Throws `BAD_USER_INPUT`.
 *
 * @example
 * ```ts
 * const page = pageOf('rooms', { first: 10, after: null });
 * ```
 */
export function pageOf(
  list: string,
  { first, last, ...given }: ConnectionArguments,
  defaultSize = DEFAULT_PAGE_SIZE,
): Page {
  const [after, before] = [cursorIn(given.after), cursorIn(given.before)];
  if (first != null && last != null) throw badInput('Give first or last, but got both.', 'last');
  if (first != null && before !== null)
    throw badInput('first must be used with after, but got before.', 'before');
  if (last != null && after !== null)
    throw badInput('last must be used with before, but got after.', 'after');
  if (after !== null && before !== null) throw badInput('Give after or before, but got both.', 'before');
  const backwards = last != null || before !== null;
  const limit = first ?? last ?? defaultSize;
  if (limit < 1 || limit > MAX_PAGE_SIZE) {
    throw badArgument(backwards ? 'last' : 'first', `must be 1 to ${MAX_PAGE_SIZE}, but got: ${limit}`);
  }
  const cursor = backwards ? before : after;
  const from = cursor === null ? null : decodeCursor(list, cursor, backwards ? 'before' : 'after');
  return { limit, backwards, from };
}
