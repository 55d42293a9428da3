import { ApolloServer, type ApolloServerPlugin, type ApolloServerOptionsWithGateway } from '@apollo/server';
import { ApolloServerErrorCode, unwrapResolverError } from '@apollo/server/errors';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config/config';
import type { Read } from '../reads/load';
import { pointsOfAnswer, pointsUsed } from './admission';
import { countCharacters, limitAnswer } from './answer-size';
import type { DocumentStore } from './document-store';
import { catalogue, ClientError, detailsIn } from '../base/errors';
import type { QueryCost } from '../cost/query-cost';
import { limitRules } from './limits';
import type { Operations } from './operations';
import type { RequestContext } from './request-context';
import { codesIn, setResponseStatus } from './response-status';
import { invalidRequest } from './executor';

/** The maximum length of a message in characters: graphql-js repeats a value that it refuses, however long it is. */
const MAX_MESSAGE_LENGTH = 1000;

/** Creates the GraphQL server: compiled execution, limits, and errors with the codes of the catalogue only. */
export function createApollo(
  schema: GraphQLSchema,
  config: Pick<ServerConfig, 'limits'>,
  logger: Logger,
  { documents, operations }: { readonly documents: DocumentStore; readonly operations: Operations },
): ApolloServer<RequestContext> {
  return new ApolloServer<RequestContext>({
    gateway: createGateway(schema, operations),
    documentStore: documents,
    introspection: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    // A browser has no rights of its own (there are no cookies), and GET runs no mutations, so plain GET queries are safe.
    csrfPrevention: false,
    validationRules: limitRules(config.limits),
    logger,
    formatError: (formatted, error) => formatError(formatted, error, logger),
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      requestPlugin(config),
    ],
  });
}

/** Adds cost and reads to answers that should have them, and limits the size of answers. */
function requestPlugin({ limits }: Pick<ServerConfig, 'limits'>): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      const started = performance.now();
      return {
        async willSendResponse({ contextValue, request, response }) {
          const { log, cost, costOnly, pass, explainRefused } = contextValue;
          contextValue.limits.giveBackUnused(pointsUsed(contextValue));
          if (log && response.body.kind === 'single') {
            const { reads } = log;
            response.body.singleResult.extensions = {
              ...response.body.singleResult.extensions,
              explain: reads,
              ...(cost && { cost: { ...explainedCost(cost, limits), ...measured(reads, started) } }),
            };
          }
          if (costOnly && cost && response.body.kind === 'single')
            response.body.singleResult.extensions = { cost: explainedCost(cost, limits) };
          if (explainRefused && response.body.kind === 'single')
            response.body.singleResult.extensions = {
              ...response.body.singleResult.extensions,
              explainRefused,
            };
          if (response.body.kind === 'single') {
            const characters = countCharacters(response.body.singleResult, limits.answerBytes);
            contextValue.limits.countAnswer(pointsOfAnswer(characters));
          }
          limitAnswer(response, limits.answerBytes, pass);
          setResponseStatus(response, request);
          if (response.body.kind === 'single')
            contextValue.logged.codes = codesIn(response.body.singleResult.errors);
          return Promise.resolve();
        },
      };
    },
  };
}

/** The bound of a query and the limits that apply to it, as answers show them. */
function explainedCost(
  { reads, rows, bytes, reservedBytes, nodes, values, fields }: QueryCost,
  limits: ServerConfig['limits'],
) {
  return {
    bound: reads,
    boundOfRows: rows,
    boundOfBytes: bytes,
    ...(reservedBytes !== undefined && { reservedBytes }),
    boundOfNodes: nodes,
    boundOfValues: values,
    limit: limits.reads,
    limitOfRows: limits.rows,
    limitOfBytes: limits.bytes,
    limitOfNodes: limits.nodesAtWorst,
    limitOfValues: limits.values,
    fields: fields(),
  };
}

/** Returns the sizes of the reads for an answer, and how long they took. */
function measured(reads: readonly Read[], started: number) {
  return {
    reads: reads.reduce((sum, { partitions }) => sum + partitions, 0),
    rows: reads.reduce((sum, { rows }) => sum + rows, 0),
    bytes: reads.reduce((sum, { bytes }) => sum + bytes, 0),
    milliseconds: Math.round((performance.now() - started) * 100) / 100,
  };
}

/** Sends only codes of the catalogue. The cause of an error of the server or the database is logged and never sent. */
export function formatError(
  formatted: GraphQLFormattedError,
  error: unknown,
  logger: Logger,
): GraphQLFormattedError {
  const original = unwrapResolverError(error);
  const { locations, path } = formatted;
  const message =
    formatted.message.length > MAX_MESSAGE_LENGTH
      ? `${formatted.message.slice(0, MAX_MESSAGE_LENGTH)}…`
      : formatted.message;
  const location = { ...(locations && { locations }), ...(path && { path }) };
  const own =
    original instanceof ClientError ? original : error instanceof GraphQLError ? error.originalError : null;
  if (own instanceof ClientError) {
    if (own.originalError) {
      // Without a stack, which the driver also writes into messages: while the database is away, this is logged for each request.
      const [cause] = own.originalError.message.split('\n', 1);
      logger.warn({ cause }, 'the database did not answer');
    }
    const extensions = { code: own.extensions['code'], ...detailsIn(own.extensions) };
    return { message: own.message, ...location, extensions };
  }
  const given = formatted.extensions ?? {};
  const { code } = given;
  if (typeof code === 'string' && code in catalogue && code !== 'INTERNAL_SERVER_ERROR') {
    return { message, ...location, extensions: { code, ...detailsIn(given) } };
  }
  if (code !== undefined && code !== ApolloServerErrorCode.INTERNAL_SERVER_ERROR) {
    return { message, ...location, extensions: { code: 'BAD_USER_INPUT', ...detailsIn(given) } };
  }
  if (error instanceof GraphQLError && !error.originalError && error.nodes) {
    return { message, ...location, extensions: { code: 'BAD_USER_INPUT', ...detailsIn(given) } };
  }
  logger.error({ err: original }, 'internal error');
  return {
    message: 'Something went wrong in the server.',
    ...location,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  };
}

type Gateway = ApolloServerOptionsWithGateway<never>['gateway'];
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;

/** Makes Apollo run operations by `operations`. Apollo accepts a custom executor in no other form than a gateway. */
function createGateway(schema: GraphQLSchema, operations: Operations): Gateway {
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
