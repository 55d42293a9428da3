import 'reflect-metadata';
import { Field, ObjectType } from 'type-graphql';

/** Where a page stands in its list. */
@ObjectType({ simpleResolvers: true, description: 'Where a page stands in its list.' })
export class PageInfo {
  @Field(() => Boolean, {
    description:
      'Whether the list goes on after the page. Comes with the page; after a `before`, one more read of the list, of at most 64 months (days or years, by what the list is cut into).',
  })
  hasNextPage: boolean;

  @Field(() => Boolean, {
    description:
      'Whether the list goes on before the page. Comes with the page; after an `after`, one more read of the list, of at most 64 months (days or years, by what the list is cut into).',
  })
  hasPreviousPage: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first edge: give it as `before`.' })
  startCursor: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last edge: give it as `after`.' })
  endCursor: string | null;
}

/** The base of an edge's type: an item, and its place. What a list knows of an item beside it an edge adds. */
export function EdgeOf<N extends object>(node: () => new () => N) {
  @ObjectType({ simpleResolvers: true })
  abstract class EdgeBase {
    @Field(() => String, { description: 'A place in this list, for `after` and `before`. Costs nothing.' })
    cursor: string;

    @Field(() => node(), { description: 'Comes with the page.' })
    node: N;
  }
  return EdgeBase;
}

/** The base of a connection's type: edges, and where the page stands. A connection adds its `nodes`. */
export function ConnectionOf<E extends object>(edge: () => new () => E) {
  @ObjectType({ simpleResolvers: true })
  abstract class ConnectionBase {
    @Field(() => [edge()], { description: 'The items of the page with their cursors.' })
    edges: E[];

    @Field(() => PageInfo, { description: 'Where the page stands. Comes with the page.' })
    pageInfo: PageInfo;
  }
  return ConnectionBase;
}
