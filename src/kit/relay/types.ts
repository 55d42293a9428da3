import { Field, ObjectType } from 'type-graphql';

/** Where a page stands in its list. */
@ObjectType({
  simpleResolvers: true,
  description: 'Where a page stands in its list. Costs nothing beyond the page.',
})
export class PageInfo {
  @Field(() => Boolean, {
    description: 'Exact going forwards (`first`); true going backwards when there was a `before`.',
  })
  hasNextPage: boolean;

  @Field(() => Boolean, {
    description: 'Exact going backwards (`last`); true going forwards when there was an `after`.',
  })
  hasPreviousPage: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first edge: give it as `before`.' })
  startCursor: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last edge: give it as `after`.' })
  endCursor: string | null;
}

/** The base of a connection's type: edges, and where the page stands. A connection adds its `nodes`. */
export function ConnectionOf<E extends object>(edge: () => new () => E) {
  @ObjectType({ simpleResolvers: true })
  abstract class ConnectionBase {
    @Field(() => [edge()], { description: 'The items of the page with their cursors.' })
    edges: E[];

    @Field(() => PageInfo, { description: 'Where the page stands. Costs nothing beyond the page.' })
    pageInfo: PageInfo;
  }
  return ConnectionBase;
}
