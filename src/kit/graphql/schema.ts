import 'reflect-metadata';
import {
  GraphQLInterfaceType,
  GraphQLObjectType,
  lexicographicSortSchema,
  printSchema,
  specifiedDirectives,
  type GraphQLSchema,
} from 'graphql';
import { buildSchemaSync, type NonEmptyArray, type PubSub } from 'type-graphql';
import { costDirectives, withCosts } from '../cost/cost-directives';
import { encodeNodeId } from './global-id';
import { callDirectly } from './direct-resolvers';
import { returnEarlyPages } from './early-page';
import { createNodeResolver, type NodeTypes } from './node-resolver';
import type { PageInfo } from '../lists/connection-types';
import { applyBounds } from '../input/input-bounds';
import { semanticNonNull, withSemanticNonNull } from './semantic-non-null';

/** Builds the executable schema of the resolvers, with `node` and `nodes`. Throws if an argument or input field has no bounds. */
export function buildApi(resolvers: readonly (new () => object)[], nodeTypes: NodeTypes): GraphQLSchema {
  const all: NonEmptyArray<new () => object> = [createNodeResolver(nodeTypes), ...resolvers];
  const schema = buildSchemaSync({
    resolvers: all,
    validate: false,
    pubSub,
    directives: [...specifiedDirectives, ...costDirectives, semanticNonNull],
  });
  applyBounds(schema);
  callDirectly(schema, all);
  // type-graphql's own resolveType is asynchronous, and graphql-jit does not wait for it.
  const node = schema.getType('Node');
  if (node instanceof GraphQLInterfaceType)
    node.resolveType = (value: { __typename: string }) => value.__typename;
  // graphql-jit waits for a promise that a resolver returns, but not for one that is a property.
  const pageInfo = schema.getType('PageInfo');
  if (pageInfo instanceof GraphQLObjectType) {
    const { hasNextPage, hasPreviousPage } = pageInfo.getFields();
    if (hasNextPage) hasNextPage.resolve = (page: PageInfo) => page.hasNextPage;
    if (hasPreviousPage) hasPreviousPage.resolve = (page: PageInfo) => page.hasPreviousPage;
  }
  // A plain function creates a node's global id, because type-graphql's wrapper would take longer than the id itself.
  for (const [name, { key, shownBy }] of Object.entries(nodeTypes)) {
    if (shownBy) returnEarlyPages(schema, name, shownBy);
    const type = schema.getType(name);
    if (!(type instanceof GraphQLObjectType)) continue;
    const field = type.getFields()['id'];
    if (field) field.resolve = (row: Readonly<Record<string, string>>) => encodeNodeId(name, row[key] ?? '');
  }
  return schema;
}

/** type-graphql requires one, although subscriptions here have no topics of its own: each gives the function that begins it. */
const pubSub: PubSub = {
  publish: refuseTopics,
  subscribe: refuseTopics,
};

function refuseTopics(): never {
  throw new Error('A subscription must have `subscribe`, not topics.');
}

/** Prints a schema as it is committed in `schema.graphql`, with what its fields cost, and which are null only by an error. */
export function printed(schema: GraphQLSchema): string {
  const text = withCosts(printSchema(lexicographicSortSchema(schema)), schema);
  return `${withSemanticNonNull(text, schema)}\n`;
}
