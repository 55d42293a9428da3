import 'reflect-metadata';
import { ArgsType, Field, Int } from 'type-graphql';
import { badInput } from '../base/errors';
import { Bounded } from '../input/input-bounds';
import { decodeCursor, type Position } from './cursor';

/** The bounds of a cursor; none that this API returns is longer. */
const CURSOR_BOUNDS = { maxLength: 200 };

/** The arguments of a connection that pages forwards only. */
@ArgsType()
export class ForwardArgs {
  @Field(() => Int, {
    nullable: true,
    description:
      'How many items to return, from the start of the list or after `after`: 1 to 100, and 25 by default.',
  })
  first?: number | null;

  @Bounded(CURSOR_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description: 'A cursor that this list returned for the same arguments: the page begins after it.',
  })
  after?: string | null;
}

/** The arguments of a connection that pages in both directions (GraphQL Cursor Connections Specification). */
@ArgsType()
export class PageArgs extends ForwardArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'How many items to return, from the end of the list or before `before`: 1 to 100.',
  })
  last?: number | null;

  @Bounded(CURSOR_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description: 'A cursor that this list returned for the same arguments: the page ends before it.',
  })
  before?: string | null;
}

/** How many items a page has if the arguments give no number. */
export const DEFAULT_PAGE_SIZE = 25;
/** The most items of a page. */
export const MAX_PAGE_SIZE = 100;

/** Which rows make a page: at most `limit`, from a position on, or from the end of the list if that is null. */
export interface Page {
  readonly limit: number;
  readonly backwards: boolean;
  readonly from: Position | null;
}

/** The arguments of a connection, before they are checked. */
export interface ConnectionArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

/** The cursor that an argument gives; null if it gives none, or an empty text, which some clients send in place of none. */
export function cursorIn(argument: string | null | undefined): string | null {
  return argument === undefined || argument === '' ? null : argument;
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
  if (first != null && last != null) throw badInput('Give first or last, but got both.');
  if (first != null && before !== null) throw badInput('first must be used with after, but got before.');
  if (last != null && after !== null) throw badInput('last must be used with before, but got after.');
  if (after !== null && before !== null) throw badInput('Give after or before, but got both.');
  const backwards = last != null || before !== null;
  const limit = first ?? last ?? defaultSize;
  if (limit < 1 || limit > MAX_PAGE_SIZE) {
    throw badInput(`${backwards ? 'last' : 'first'} must be 1 to ${MAX_PAGE_SIZE}, but got: ${limit}`);
  }
  const cursor = backwards ? before : after;
  return { limit, backwards, from: cursor === null ? null : decodeCursor(list, cursor) };
}
