import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import { invalidRequest } from './executor';
import type { Operations } from './operations';
import type { RequestContext } from './request-context';

type Gateway = ApolloServerOptionsWithGateway<never>['gateway'];
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;

/** Makes Apollo run operations by `operations`. Apollo accepts a custom executor in no other form than a gateway. */
export function gatewayOf(schema: GraphQLSchema, operations: Operations): Gateway {
  const executor: Executor = async ({ queryHash, operation, document, context, request }) => {
    // It is undefined if no operation has the requested name, although its type says that it is always there.
    if (!(operation as unknown)) return { errors: [noOperation(request.operationName)] };
    const requested = { document, operation, queryHash, variables: request.variables ?? {} };
    return operations.run(requested, context as RequestContext);
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

/** Creates the error for an operation name that is missing or unknown. graphql-jit would run an only operation under any name. */
function noOperation(name: string | undefined): GraphQLError {
  return invalidRequest(
    name === undefined
      ? 'operationName must be given, since the query has several operations.'
      : `operationName must name an operation of the query, but got: ${JSON.stringify(name.slice(0, 100))}`,
  );
}
