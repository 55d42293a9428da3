import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';

type Gateway = ApolloServerOptionsWithGateway<never>['gateway'];
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;

/** How many compiled operations are kept. */
const MOST_COMPILED = 1000;

/**
 * Runs operations compiled by graphql-jit, each compiled once. Apollo takes an executor of one's own only in the shape
 * of a gateway, hence this shape.
 */
export function compiledExecution(schema: GraphQLSchema): Gateway {
  const compiled = new LRUCache<string, CompiledQuery>({ max: MOST_COMPILED });
  const executor: Executor = async ({ queryHash, operationName, document, context, request }) => {
    const name = operationName ?? undefined;
    const key = `${queryHash} ${name ?? ''}`;
    let query = compiled.get(key);
    if (query === undefined) {
      const made = compileQuery(schema, document, name);
      if (!isCompiledQuery(made)) return made;
      query = made;
      compiled.set(key, query);
    }
    return query.query(undefined, context, request.variables);
  };
  return {
    async load() {
      return { executor };
    },
    onSchemaLoadOrUpdate(callback) {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    async stop() {
      return Promise.resolve();
    },
  };
}
