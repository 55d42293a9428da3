import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import {
  getVariableValues,
  GraphQLError,
  valueFromASTUntyped,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';

type Gateway = ApolloServerOptionsWithGateway<never>['gateway'];
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;

/** Resolvers give strings, numbers and booleans as they are: checked by types, not at each value. */
const compilation = { disableLeafSerialization: true };
/** How many errors in variables are told; as many as graphql-js tells. */
const MAX_VARIABLE_ERRORS = 50;
/** How many compiled operations are kept. */
const MOST_COMPILED = 1000;

/**
 * Runs operations compiled by graphql-jit, each compiled once. Apollo takes an executor of one's own only in the shape
 * of a gateway, hence this shape.
 */
export function compiledExecution(schema: GraphQLSchema): Gateway {
  const compiled = new LRUCache<string, Compiled>({ max: MOST_COMPILED });
  const executor: Executor = async ({ queryHash, operation, operationName, document, context, request }) => {
    // The type says that it is always there.
    if (!(operation as unknown)) return { errors: [noOperation(request.operationName)] };
    if (!schema.getRootType(operation.operation))
      return { errors: [refused(`This API has no ${operation.operation}s.`)] };
    const name = operationName ?? undefined;
    const key = `${queryHash} ${name ?? ''}`;
    let query = compiled.get(key);
    if (query === undefined) {
      const made = compileQuery(schema, document, name, compilation);
      if (!isCompiledQuery(made))
        throw new Error('graphql-jit could not compile a query', { cause: made.errors });
      query = { query: made.query, defaults: defaultsOf(operation) };
      compiled.set(key, query);
    }
    const result = await query.query(undefined, context, { ...query.defaults, ...request.variables });
    if (result.errors === undefined) return result;
    // Without data the variables are at fault, of which graphql-js tells more exactly what.
    if (result.data === undefined) {
      const variables = request.variables ?? {};
      const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
        maxErrors: MAX_VARIABLE_ERRORS,
      });
      return { errors: (errors ?? result.errors).map(({ message, nodes }) => refused(message, nodes)) };
    }
    return withExtensions(result, result.errors);
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

interface Compiled {
  readonly query: CompiledQuery['query'];
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** graphql-jit runs the only operation of a document, whatever name was asked for. */
function noOperation(name: string | undefined): GraphQLError {
  return refused(
    name === undefined
      ? 'operationName must be given, since the query has several operations.'
      : `operationName must name an operation of the query, but got: ${JSON.stringify(name.slice(0, 100))}`,
  );
}

function refused(message: string, nodes?: GraphQLError['nodes']): GraphQLError {
  return new GraphQLError(message, { nodes: nodes ?? null, extensions: { code: 'BAD_USER_INPUT' } });
}

/** The variables' defaults: graphql-jit forgets those of non-null types. */
function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}

/** graphql-jit's own errors have no extensions, which Apollo reads. */
function withExtensions(result: ExecutionResult, given: readonly GraphQLError[]): ExecutionResult {
  const errors = given.map((error) => {
    // The type says that they are always there.
    const extensions: unknown = error.extensions;
    const { message, path, originalError } = error;
    return extensions === undefined ? new GraphQLError(message, { path, originalError }) : error;
  });
  return { ...result, errors };
}
