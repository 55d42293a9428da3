import compress from '@fastify/compress';
import cors from '@fastify/cors';
import { fastifyApolloDrainPlugin } from '@as-integrations/fastify';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import type { Database } from '../cassandra/database';
import { checkCost, costWithDefaults } from '../cost/check-cost';
import type { ServerConfig } from '../config/config';
import { badInput, retryAfterOf } from '../base/errors';
import { createInputCheck } from '../graphql/check-inputs';
import { createDocumentStore } from '../graphql/document-store';
import { createPreparationQueue } from '../graphql/preparation-queue';
import { createKnownDocuments } from '../graphql/answer-known';
import { createApollo } from '../graphql/apollo';
import { createBeginOperation } from '../graphql/begin-operation';
import { compiledExecution } from '../graphql/executor';
import { createGate, type Gate } from '../data/gate';
import { endMutations } from '../graphql/deadline';
import { trackFields } from '../graphql/explain';
import { checkMerging } from '../graphql/check-merging';
import { checkSource } from '../graphql/limits';
import { readsJsonOnly } from '../graphql/media-type';
import { openTrustedDocuments } from '../graphql/trusted-documents';
import { registerGraphiql, type HeadersOfVisitor, type Page } from '../graphiql/graphiql';
import type { Load } from '../data/load';
import type { ReadCache } from '../data/read-cache';
import type { ModelSource } from '../model/model';
import { registerModel } from '../model/page';
import { enterRequests, limitConnections, timeouts } from './timeouts';
import { fillInDocument, queryTextOf } from './trusted-requests';
import { admitRequests, type Admission } from './admission';
import { serveAnswers } from './answers';
import { createContexts, type RequestIdentity } from './contexts';
import type { RequestLimits } from '../rate-limits/rate-limits';
import { registerOperations, serveOperationsApart, type MetricsSource } from './operations';

/** Milliseconds in which open requests must end when the server shuts down. */
const MAX_CLOSING_MS = 3000;

/** The values that the header `x-explain` may have. */
const EXPLAIN = ['true', 'only', 'false'];
/** How many characters of a header an error repeats at most. */
const MAX_SHOWN_CHARACTERS = 50;

/** Response headers that a page of an allowed origin may read. */
const EXPOSED_HEADERS = ['RateLimit', 'RateLimit-Policy', 'Retry-After'];

/** What the context of an API may have for the kit, besides what its resolvers use. */
export type AppContext = object & {
  /** Whether the caller may be shown results of which the server has kept `hits`: it must have seen all that it wrote. */
  mayReadCached?(this: void, hits: number): Promise<boolean>;
  /** Runs each mutation. */
  whileWriting?<T>(this: void, work: () => Promise<T>): Promise<T>;
};

/** What a server serves, and what it needs for that. */
export interface HttpServerOptions extends Admission {
  /** The schema and its tables. */
  readonly model: ModelSource;
  readonly database: Database;
  readonly config: ServerConfig;
  readonly logger: Logger;
  /** Bounds how much is read at once; the server creates its own if none is given. */
  readonly gate?: Gate;
  /** What GraphiQL shows, and the headers that it opens with. */
  readonly page: Page;
  readonly headersOf?: HeadersOfVisitor;
  /** What this server has read in the last moments. It is used for callers whose context has `mayReadCached`. */
  readonly cache?: ReadCache | null;
  /** What the context of resolvers has in addition to `load`. */
  contextOf?(this: void, load: Load, request: FastifyRequest, limits: RequestLimits): AppContext;
  /** Is called for each GraphQL request that was answered. */
  answered?(this: void, status: number, seconds: number): void;
  readonly metrics?: MetricsSource;
}

/**
 * Creates an HTTP server: GraphQL under `/graphql` and, if the settings say so, GraphiQL under `/graphiql`, the data model under
 * `/model`, health and metrics. Throws `ConfigError` if a trusted document cannot be answered.
 */
export async function createHttpServer(served: HttpServerOptions): Promise<FastifyInstance> {
  const { config } = served;
  const api = createServices(served);
  const app = Fastify({
    ...timeouts(config),
    bodyLimit: config.limits.bodyBytes,
    forceCloseConnections: 'idle',
    trustProxy: config.trustProxy,
  });
  limitConnections(app, config);
  api.apollo.addPlugin(fastifyApolloDrainPlugin(app));
  cutWhenClosing(app);
  await api.apollo.start();
  await app.register(compress, { threshold: 2048 });
  await app.register(cors, { origin: config.corsOrigins ?? false, exposedHeaders: EXPOSED_HEADERS });
  refuseInGraphql(app);
  await registerPages(app, served);
  await app.register((scope) => serveGraphql(scope, served, api));
  return app;
}

/** What a server creates once to answer GraphQL requests: the schema, Apollo, and the documents. */
type GraphqlServices = ReturnType<typeof createServices>;

function createServices({ model, config, logger }: HttpServerOptions) {
  const schema = model.createSchema();
  if (config.explain !== 'nobody') trackFields(schema);
  endMutations(schema);
  const checkInputs = createInputCheck(schema, config.limits);
  const trusted = openTrustedDocuments(schema, config, logger, (document, operation) => {
    checkInputs(document, operation, {});
    const cost = costWithDefaults(schema, document, operation);
    // With variables, the cost of a request is not known yet.
    if (cost && !operation.variableDefinitions?.length) checkCost(cost, config.limits);
    return cost && { reads: cost.reads, rows: cost.rows };
  });
  const documents = createDocumentStore(trusted.documents);
  const preparing = createPreparationQueue();
  const begin = createBeginOperation(schema, config);
  const execution = compiledExecution(schema, trusted.operations, preparing, config.limits);
  const apollo = createApollo(schema, config, logger, { documents, begin, execution });
  const known = createKnownDocuments(documents, begin, execution, config.limits.answerBytes);
  return { schema, trusted, documents, preparing, apollo, known };
}

/** Serves GraphQL: admits a request, prepares its document, answers it, and logs it. */
async function serveGraphql(
  scope: FastifyInstance,
  served: HttpServerOptions,
  api: GraphqlServices,
): Promise<void> {
  const { config, logger, answered, admit } = served;
  const gate = served.gate ?? createGate(config.reads);
  const isTrusted = (request: FastifyRequest) => served.isTrusted?.(request) ?? false;
  const passOf = enterRequests(scope, gate, config);
  const { limitsOf, callerOf } = admitRequests(scope, config, {
    ...served,
    ...(admit && { admit: (request: FastifyRequest) => passOf(request).within(admit(request)) }),
    waitingRequests: served.waitingRequests ?? (() => gate.waiting()),
  });
  const identity: RequestIdentity = { isTrusted, passOf, callerOf, limitsOf };
  prepareDocuments(scope, config, api, identity);
  const contexts = createContexts(served, identity);
  scope.addHook('onResponse', (request, reply, done) => {
    answered?.(reply.statusCode, reply.elapsedTime / 1000);
    const operation = contexts.operationOf(request) ?? null;
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10;
    logger.info({ operation, status: reply.statusCode, milliseconds }, 'graphql');
    done();
  });
  serveAnswers(scope, api.apollo, api.known, contexts.of);
}

/** Checks the document of each request before Apollo parses it, one document at a time. */
function prepareDocuments(
  scope: FastifyInstance,
  config: ServerConfig,
  { schema, trusted, documents, preparing }: GraphqlServices,
  { isTrusted, passOf, callerOf }: RequestIdentity,
): void {
  scope.addHook('preHandler', async (request) => {
    checkExplain(request.headers['x-explain']);
    // Trusted documents were checked at the start.
    if (fillInDocument(request, trusted, config.trusted.only && !isTrusted(request))) return;
    const source = queryTextOf(request);
    if (typeof source !== 'string' || documents.has(source)) return;
    // Requests wait for each other here. This one then does everything up to its first read before the next one begins.
    const isOurs = await preparing.wait({
      key: source,
      pass: passOf(request),
      caller: callerOf(request),
      isDone: () => documents.has(source),
    });
    if (!isOurs) return;
    checkSource(source, config.limits.tokens);
    checkMerging(schema, source);
  });
}

/** Throws `BAD_USER_INPUT` for an unknown value, because a client that mistypes `only` does not want its query to run. */
function checkExplain(header: string | string[] | undefined): void {
  if (header !== undefined && !EXPLAIN.includes(String(header)))
    throw badInput(
      `x-explain must be ${EXPLAIN.join(', ')}, but got: ${JSON.stringify(String(header).slice(0, MAX_SHOWN_CHARACTERS))}`,
    );
}

/** Registers everything that is served beside GraphQL. */
async function registerPages(app: FastifyInstance, served: HttpServerOptions): Promise<void> {
  const { model, database, config, logger, page, headersOf, metrics } = served;
  const { host, operationsPort, modelPage, graphiql } = config;
  if (operationsPort === null) registerOperations(app, database, metrics);
  else
    serveOperationsApart(app, { host, port: operationsPort }, logger, (operations) => {
      registerOperations(operations, database, metrics);
    });
  if (modelPage) registerModel(app, model);
  if (graphiql) await registerGraphiql(app, page, headersOf);
  app.get('/', async (_request, reply) =>
    graphiql
      ? reply.redirect('/graphiql')
      : reply.type('text/plain; charset=utf-8').send(`${page.title}: GraphQL is at /graphql.\n`),
  );
}

/** Closes all connections some time after the shutdown began: a request of a lost or hostile client might never end. */
function cutWhenClosing(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    setTimeout(() => {
      app.server.closeAllConnections();
    }, MAX_CLOSING_MS).unref();
    return Promise.resolve();
  });
}

/** Answers in GraphQL's form what fails before GraphQL sees it: a body that is too large, invalid JSON, a query that is too large. */
function refuseInGraphql(app: FastifyInstance): void {
  app.setErrorHandler(async (error, request, reply) => {
    const own = error instanceof GraphQLError ? (error.extensions['code'] ?? 'BAD_USER_INPUT') : null;
    const refused = readsJsonOnly(request.headers.accept) ? 200 : 400;
    const status = typeof own === 'string' ? (statuses[own] ?? refused) : statusOf(error);
    const code =
      own ?? (status === 413 ? 'QUERY_TOO_LARGE' : status < 500 ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR');
    const message =
      (own !== null || status < 500) && error instanceof Error
        ? error.message
        : 'Something went wrong in the server.';
    const retryAfter = retryAfterOf(error);
    if (retryAfter !== null) reply.header('retry-after', retryAfter);
    const extensions = { code, ...(retryAfter !== null && { retryAfter }) };
    return reply.code(status).send({ errors: [{ message, extensions }] });
  });
}

/** The statuses of some codes, whatever media type the client reads: proxies understand them, too. */
const statuses: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 401,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

function statusOf(error: unknown): number {
  const status: unknown = Reflect.get(Object(error), 'statusCode');
  return typeof status === 'number' ? status : 500;
}
