import 'reflect-metadata';
import { Field, ObjectType } from 'type-graphql';

/** The type `PageInfo` of Relay. */
@ObjectType({ simpleResolvers: true, description: 'Where a page is in its list.' })
export class PageInfo {
  @Field(() => Boolean, {
    description:
      'Whether the list goes on after the page, also where the page is short or empty. After a `before` it is false if finding out would read too much.',
  })
  hasNextPage: boolean;

  @Field(() => Boolean, {
    description:
      'Whether the list goes on before the page, also where the page is short or empty. After an `after` it is false if finding out would read too much.',
  })
  hasPreviousPage: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'The cursor where the page begins; use it as `before` for the page before this one.',
  })
  startCursor: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The cursor where the page ends; use it as `after` for the next page.',
  })
  endCursor: string | null;
}

/** Creates the base class of an edge type: an item and its cursor. Subclasses add what the list knows about the item. */
export function EdgeOf<N extends object>(node: () => new () => N) {
  @ObjectType({ simpleResolvers: true })
  abstract class EdgeBase {
    @Field(() => String, { description: 'The position of the item in this list, for `after` and `before`.' })
    cursor: string;

    @Field(() => node(), { description: 'The item.' })
    node: N;
  }
  return EdgeBase;
}

/** Creates the base class of a connection type: edges and `PageInfo`. Subclasses add `nodes`. */
export function ConnectionOf<E extends object>(edge: () => new () => E) {
  @ObjectType({ simpleResolvers: true })
  abstract class ConnectionBase {
    @Field(() => [edge()], { description: 'The items of the page with their cursors.' })
    edges: E[];

    @Field(() => PageInfo, { description: 'Where the page is in its list.' })
    pageInfo: PageInfo;
  }
  return ConnectionBase;
}
