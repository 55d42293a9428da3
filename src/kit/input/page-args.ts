import 'reflect-metadata';
import 'reflect-metadata';
import { ArgsType, Field, Int } from 'type-graphql';
import { Bounded } from './input-bounds';

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
