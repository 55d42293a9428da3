import 'reflect-metadata';
import { ArgsType, Field, Int } from 'type-graphql';
import { badInput } from '../base/errors';
import { Bounded } from '../input/input-bounds';
import { decodeCursor, type Position } from './cursor';

/** The bounds of a cursor, which is never longer. */
const CURSOR_BOUNDS = { maxLength: 200 };

/** The arguments of a connection that goes forwards only. */
@ArgsType()
export class ForwardArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'How many items after `after`: 1 to 100, 25 when not given.',
  })
  first?: number | null;

  @Bounded(CURSOR_BOUNDS)
  @Field(() => String, { nullable: true, description: 'A cursor of this list: items that stand behind it.' })
  after?: string | null;
}

/** The arguments of a connection that goes both ways (GraphQL Cursor Connections Specification). */
@ArgsType()
export class PageArgs extends ForwardArgs {
  @Field(() => Int, { nullable: true, description: 'How many items before `before`: 1 to 100.' })
  last?: number | null;

  @Bounded(CURSOR_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description: 'A cursor of this list: items that stand in front of it.',
  })
  before?: string | null;
}

/** How many items a page has that names no number, and the most that it may name. */
export const DEFAULT_PAGE_SIZE = 25;
export const MAX_PAGE_SIZE = 100;

/** What a page asks for, checked. */
export interface Page {
  readonly limit: number;
  readonly backwards: boolean;
  readonly from: Position | null;
}

/** What a page is asked for by, before it is checked. */
export interface Asked {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

/** Checks the arguments of a connection against the Relay rules; throws `BAD_USER_INPUT`. */
export function pageOf(
  list: string,
  { first, after, last, before }: Asked,
  byDefault = DEFAULT_PAGE_SIZE,
): Page {
  if (first != null && last != null) throw badInput('Give first or last, but got both.');
  if (first != null && before != null) throw badInput('first goes with after, but got before.');
  if (last != null && after != null) throw badInput('last goes with before, but got after.');
  if (after != null && before != null) throw badInput('Give after or before, but got both.');
  const backwards = last != null || before != null;
  const limit = first ?? last ?? byDefault;
  if (limit < 1 || limit > MAX_PAGE_SIZE) {
    throw badInput(`${backwards ? 'last' : 'first'} must be 1 to ${MAX_PAGE_SIZE}, but got: ${limit}`);
  }
  const cursor = backwards ? before : after;
  return { limit, backwards, from: cursor == null ? null : decodeCursor(list, cursor) };
}
