import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { features } from './features';
import { buildApi } from './kit/graphql/schema';
import type { NodeTypes } from './kit/graphql/node-resolver';
import { writeFeatures } from './write-features';

const nodeTypes: NodeTypes = Object.fromEntries(
  features.flatMap((feature) => Object.entries(feature.nodeTypes ?? {})),
);

/** Builds the executable schema of all features, with their queries and mutations. */
export function createSchema(): GraphQLSchema {
  const resolvers = features.flatMap(({ resolvers = [], connections = [] }) => [
    ...connections.flatMap((connection) => connection.resolvers),
    ...resolvers,
  ]);
  const mutations = writeFeatures.flatMap((feature) => feature.mutations);
  return buildApi([...resolvers, ...mutations], nodeTypes);
}
