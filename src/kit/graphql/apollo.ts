import { ApolloServer, type ApolloServerPlugin, type GraphQLResponse } from '@apollo/server';
import { ApolloServerErrorCode, unwrapResolverError } from '@apollo/server/errors';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config';
import { catalogue, ClientError, retryAfterOf } from '../errors';
import type { RequestLimits } from '../http/rate-limits';
import type { Load, ReadLog } from '../load';
import { mutationsIn, pointsOf, refuseIntrospection } from './admission';
import { compiledExecution } from './executor';
import { checkNodes, limitRules } from './limits';
import { readsJsonOnly } from './media-type';

/** How many characters of operations with their sizes are remembered as checked. */
const MOST_CHECKED_TEXT = 4_000_000;

/** What every request's context has beside what the resolvers of an API use. */
export interface RequestContext {
  readonly load: Load;
  /** Present when somebody wants to know the reads. */
  readonly log?: ReadLog;
  /** The reads that the operation may cause at most, once that is known. */
  bound?: { readonly reads: number };
  /** What the caller may still do. */
  readonly limits: RequestLimits;
  /** Whether the caller may ask for the schema. */
  readonly mayIntrospect: boolean;
  /** For the line in the server's log. */
  operation: string | undefined;
}

/** Makes the GraphQL server: compiled execution, limits, errors of the catalogue only. */
export function createApollo(
  schema: GraphQLSchema,
  config: Pick<ServerConfig, 'limits'>,
  logger: Logger,
): ApolloServer<RequestContext> {
  return new ApolloServer<RequestContext>({
    gateway: compiledExecution(schema),
    introspection: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    // Nothing here is granted to a browser by itself (no cookies), and GET runs no mutations: plain GET queries are fine.
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

/** Holds the limit on nodes, tells the operation to the log, and answers with the reads where they were asked for. */
function requestPlugin({ limits }: Pick<ServerConfig, 'limits'>): ApolloServerPlugin<RequestContext> {
  const checked = new LRUCache<string, true>({
    maxSize: MOST_CHECKED_TEXT,
    sizeCalculation: (_, key) => key.length,
  });
  return {
    async requestDidStart() {
      return {
        async didResolveOperation(resolved) {
          const { schema, document, operation, request, operationName, queryHash, contextValue } = resolved;
          contextValue.operation = operationName ?? undefined;
          const variables = request.variables ?? {};
          const key = `${queryHash} ${operationName ?? ''} ${sizesIn(variables)}`;
          if (!checked.has(key)) {
            checkNodes(schema, document, variables, operationName ?? undefined, limits);
            checked.set(key, true);
          }
          if (!contextValue.mayIntrospect) refuseIntrospection(document);
          contextValue.limits.charge(
            pointsOf(contextValue),
            operation ? mutationsIn(operation, document) : 0,
          );
          return Promise.resolve();
        },
        async willSendResponse({ contextValue, request, response }) {
          const { log, limits } = contextValue;
          limits.settle(pointsOf(contextValue));
          const { query, http } = request;
          if (query && response.http.status === 400 && readsJsonOnly(http?.headers.get('accept')))
            response.http.status = 200;
          if (isRateLimited(response.body)) response.http.status = 429;
          if (log && response.body.kind === 'single') {
            response.body.singleResult.extensions = {
              ...response.body.singleResult.extensions,
              explain: log.reads,
            };
          }
          return Promise.resolve();
        },
      };
    },
  };
}

/** Whether an answer is a refusal and nothing else, whose status is then for what stands between client and server, too. */
function isRateLimited(body: GraphQLResponse['body']): boolean {
  if (body.kind !== 'single' || body.singleResult.data) return false;
  return body.singleResult.errors?.some(({ extensions }) => extensions?.['code'] === 'RATE_LIMITED') ?? false;
}

/** All that the number of nodes depends on: variables that are null, numbers or say what is included, and the lengths of lists. */
function sizesIn(variables: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(
    Object.entries(variables).flatMap(([name, value]) =>
      Array.isArray(value)
        ? [name, value.length, 'items']
        : value === null || typeof value === 'number' || typeof value === 'boolean'
          ? [name, value]
          : [],
    ),
  );
}

/** Lets only the catalogue's codes out; the cause of what is ours to mend is logged and not shown. */
function formatError(
  formatted: GraphQLFormattedError,
  error: unknown,
  logger: Logger,
): GraphQLFormattedError {
  const original = unwrapResolverError(error);
  const { locations, path } = formatted;
  const place = { ...(locations && { locations }), ...(path && { path }) };
  const own =
    original instanceof ClientError ? original : error instanceof GraphQLError ? error.originalError : null;
  if (own instanceof ClientError || original instanceof ClientError) {
    const known = own instanceof ClientError ? own : (original as ClientError);
    if (known.originalError) logger.warn({ err: known.originalError }, 'the database did not answer');
    const retryAfter = retryAfterOf(known);
    const extensions = { code: known.extensions['code'], ...(retryAfter !== null && { retryAfter }) };
    return { message: known.message, ...place, extensions };
  }
  const code = formatted.extensions?.['code'];
  if (typeof code === 'string' && code in catalogue && code !== 'INTERNAL_SERVER_ERROR') {
    return { message: formatted.message, ...place, extensions: { code } };
  }
  if (code !== undefined && code !== ApolloServerErrorCode.INTERNAL_SERVER_ERROR) {
    return { message: formatted.message, ...place, extensions: { code: 'BAD_USER_INPUT' } };
  }
  if (error instanceof GraphQLError && !error.originalError && error.nodes) {
    return { message: formatted.message, ...place, extensions: { code: 'BAD_USER_INPUT' } };
  }
  logger.error({ err: original }, 'internal error');
  return {
    message: 'Something went wrong in the server.',
    ...place,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  };
}
