import compress from '@fastify/compress';
import cors from '@fastify/cors';
import { fastifyApolloDrainPlugin } from '@as-integrations/fastify';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { parse } from 'graphql';
import { checkCost, costWithDefaults } from '../cost/check-cost';
import type { ServerConfig } from '../config/config';
import { badInput, serverCloses } from '../base/errors';
import { createInputCheck } from '../graphql/check-inputs';
import { createDocumentStore } from '../graphql/document-store';
import { createPreparationQueue } from '../graphql/preparation-queue';
import { createApollo } from '../graphql/apollo';
import { compiledExecution } from '../graphql/executor';
import { createOperations } from '../graphql/operations';
import { createGate } from '../reads/gate';
import { endMutations } from '../graphql/deadline';
import { trackFields } from '../graphql/explain';
import { isPublic } from '../graphql/public-documents';
import { openTrustedDocuments } from '../graphql/trusted-documents';
import { registerGraphiql } from '../../tools/graphiql/graphiql';
import { createSubscriptions } from '../subscriptions/subscriptions';
import type { LiveObserver } from '../subscriptions/live-services';
import { createSignals } from '../subscriptions/signals';
import { parseJsonBodies } from './json-body';
import { registerModel } from '../../tools/model/page';
import { createCallerHash, createRequestIds, REQUEST_ID_HEADER } from './request-log';
import { enterRequests, limitConnections, timeouts } from './timeouts';
import { fillInDocument, omitEmptyParameters, readQueryText } from './trusted-requests';
import { admitRequests, type RequestHead } from './admission';
import { openTracing, type BegunTrace, type Tracing } from './tracing';
import { GRAPHQL_PATH, serveAnswers } from './answers';
import { serveDownloads } from './downloads';
import { createContexts, type RequestIdentity } from './contexts';
import { isEventStream } from './event-stream';
import { acceptSockets, createTransports } from './live';
import { refusalCodes, refuseInGraphql } from './refuse-in-graphql';
import { ignoreExpectations, isSocketTo, withoutHost } from './offers';
import { refuseOtherMethods } from './other-methods';
import { registerOperations, serveOperationsApart } from './operations';
import type { HttpServerOptions } from './server-options';
import { limitPages } from './limit-pages';
import { limitUnanswered } from './unanswered';
import { attached } from '../base/attached';

/** Open connections are closed after so many milliseconds of a shutdown, and again each time that as many have passed. */
const MAX_CLOSING_MS = 3000;

/** The values that the header `x-explain` may have. */
const EXPLAIN = ['true', 'only', 'false'];
/** How many characters of a header an error repeats at most. */
const MAX_SHOWN_CHARACTERS = 50;

/** Response headers that a page of an allowed origin may read. */
const EXPOSED_HEADERS = ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'];

/**
 * Creates an HTTP server: GraphQL under `/graphql` and, if the settings say so, GraphiQL under `/graphiql`, the data model under
 * `/model`, health and metrics. Throws `ConfigError` if a trusted document cannot be answered.
 */
export async function createHttpServer(served: HttpServerOptions): Promise<FastifyInstance> {
  const { config, logger } = served;
  const api = createServices(served);
  const { http, ...limits } = timeouts(config);
  const app = Fastify({
    ...limits,
    rewriteUrl: withoutHost,
    genReqId: createRequestIds(config.trustedProxies),
    http: { ...http, shouldUpgradeCallback: isSocketTo(GRAPHQL_PATH) },
    bodyLimit: config.limits.bodyBytes,
    forceCloseConnections: 'idle',
    // Requests that come then are refused in GraphQL's form: see `refuseWhenClosing`.
    return503OnClosing: false,
  });
  limitUnanswered(app.server);
  limitConnections(app, config);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
  ignoreExpectations(app.server);
  api.apollo.addPlugin(fastifyApolloDrainPlugin(app));
  cutWhenClosing(app);
  refuseWhenClosing(app);
  await api.apollo.start();
  let drain = () => Promise.resolve();
  await acceptSockets(app, config, () => drain());
  parseJsonBodies(app, config.limits.bodyBytes);
  refuseInGraphql(app, logger);
  await app.register(cors, { origin: config.corsOrigins ?? false, exposedHeaders: EXPOSED_HEADERS });
  refuseOtherMethods(app);
  await registerPages(app, served);
  await app.register(async (scope) => {
    // Compression takes time and memory, so only answers to admitted requests are compressed. The pages are as they were built.
    await scope.register(compress, { threshold: 2048, globalDecompression: false });
    drain = await serveGraphql(scope, served, api);
  });
  return app;
}

/** The services that a server creates once to answer GraphQL requests: the schema, Apollo, and the documents. */
type GraphqlServices = ReturnType<typeof createServices>;

function createServices({ model, config, logger, waits, keeps }: HttpServerOptions) {
  const schema = model.createSchema();
  if (config.explain !== 'nobody') trackFields(schema);
  endMutations(schema);
  const checkInputs = createInputCheck(schema, config.limits);
  const trusted = openTrustedDocuments(schema, config, logger, (document, operation) => {
    checkInputs(document, operation, {});
    const cost = costWithDefaults(schema, document, operation);
    // If the operation has variables, the cost of a request is not known yet.
    if (cost && !operation.variableDefinitions?.length) checkCost(cost, config.limits);
    return cost && { reads: cost.reads, rows: cost.rows };
  });
  const shared = new Set([...trusted.texts.values()].filter((text) => isPublic(schema, parse(text))));
  const documents = createDocumentStore(trusted.documents);
  const preparing = createPreparationQueue(waits?.prepare);
  const execution = compiledExecution(schema, trusted.operations, preparing, config.limits);
  const operations = createOperations(schema, config, { documents, preparing, execution });
  keeps?.({ documents: documents.kept, operations: execution.kept });
  const apollo = createApollo(schema, config, logger, { documents, operations });
  return { schema, trusted, shared, documents, execution, operations, apollo };
}

/**
 * Serves GraphQL: admits a request, prepares its document, answers it, and logs it. Resolves to the function that ends all subscriptions.
 */
async function serveGraphql(
  scope: FastifyInstance,
  served: HttpServerOptions,
  api: GraphqlServices,
): Promise<() => Promise<void>> {
  const { config, logger, admit } = served;
  const gate = served.gate ?? createGate(config.reads);
  const isTrusted = (request: RequestHead) => served.isTrusted?.(request) ?? false;
  const passOf = enterRequests(scope, gate, config);
  const traceOf = traceRequests(scope, await openTracing(config.tracing, logger), passOf);
  // Before anything is waited for: a client may leave meanwhile.
  tellAnswers(scope, served, () => ({ contexts, callerOf: admitted.callerOf, traceOf }));
  const admitted = admitRequests(scope, config, {
    ...served,
    ...(admit && { admit: (request: FastifyRequest) => passOf(request).within(admit(request)) }),
    waitingRequests: served.waitingRequests ?? (() => gate.waiting()),
  });
  const identity: RequestIdentity = { isTrusted, passOf, ...admitted };
  // They have no documents.
  const { downloads = {} } = served;
  await scope.register((inner, _options, done) => {
    serveDownloads(inner, downloads, admitted);
    done();
  });
  prepareDocuments(scope, config, api, identity);
  const contexts = createContexts(served, identity);
  const { signals = createSignals(), live: observer = UNOBSERVED, database } = served;
  const subscriptions = createSubscriptions({ ...api, config, gate, database, signals, logger, observer });
  const { trusted } = api;
  const live = createTransports({
    ...served,
    config,
    gate,
    contexts,
    admitted,
    subscriptions,
    trusted,
    isTrusted,
  });
  const { graphiql, cacheSeconds } = config;
  serveAnswers(scope, { ...api, live, graphiql, cacheSeconds, contextOf: contexts.of });
  return live.close;
}

/** The sources of the log line and the metrics of an answer. */
interface AnswerSources {
  readonly contexts: ReturnType<typeof createContexts>;
  readonly callerOf: RequestIdentity['callerOf'];
  readonly traceOf: ReturnType<typeof traceRequests>;
}

/** The status in the log and the metrics of a request whose client has left before it was answered: HTTP has none. */
const CLIENT_LEFT = 499;

/** Logs and counts each answer, and ends its trace. A stream of events is only logged, because its time is no time of an answer. */
function tellAnswers(
  scope: FastifyInstance,
  { config, logger, answered }: HttpServerOptions,
  sources: () => AnswerSources,
): void {
  const hashCaller = createCallerHash(config.logCallerSecret);
  const told = new WeakSet<FastifyRequest>();
  const tell = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    if (told.has(request)) return;
    told.add(request);
    const { contexts, callerOf, traceOf } = sources();
    const { operation = null, trusted: trustedName = OTHER, codes } = contexts.loggedOf(request);
    const errors = codes ?? (status === CLIENT_LEFT ? [] : refusalCodes(request, status));
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10;
    if (!isEventStream(reply.raw))
      answered?.({ status, seconds: reply.elapsedTime / 1000, codes: errors, operation: trustedName });
    const caller = hashCaller(callerOf(request));
    const { trace, traceId } = traceOf(request) ?? {};
    trace?.end({ status, operation, codes: errors });
    logger.info(
      {
        request: request.id,
        ...(traceId !== undefined && { trace: traceId }),
        caller,
        operation,
        status,
        milliseconds,
        ...(errors.length > 0 && { errors }),
      },
      'graphql',
    );
  };
  scope.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    // Without this, nobody would see the requests that take longer than their clients wait: `onResponse` comes only when all is sent.
    if (!request.ws)
      raw.once('close', () => {
        if (!raw.writableFinished) tell(request, reply, isEventStream(raw) ? raw.statusCode : CLIENT_LEFT);
      });
    done();
  });
  scope.addHook('onResponse', (request, reply, done) => {
    tell(request, reply, reply.statusCode);
    sources().contexts.forget(request);
    done();
  });
}

/** The name in metrics of all operations that clients have written themselves. */
const OTHER = 'other';

const UNOBSERVED: LiveObserver = {
  opened: () => undefined,
  sent: () => undefined,
  ended: () => undefined,
};

/** Traces the requests of a scope, if there is tracing. Those for a WebSocket are left out: they last as long as it is open. */
function traceRequests(
  scope: FastifyInstance,
  tracing: Tracing | null,
  passOf: RequestIdentity['passOf'],
): (request: FastifyRequest) => BegunTrace | undefined {
  if (tracing === null) return () => undefined;
  const traces = attached<BegunTrace>();
  scope.addHook('onRequest', (request, reply, done) => {
    if (!request.ws) {
      const begun = tracing.begin(request.method, request.headers);
      traces.set(request, begun);
      passOf(request).trace = begun.trace;
      reply.header('traceparent', begun.traceparent);
    }
    done();
  });
  scope.addHook('onClose', () => tracing.close());
  return (request) => traces.get(request);
}

/** Checks the document of each request before Apollo parses it, one document at a time. */
function prepareDocuments(
  scope: FastifyInstance,
  config: ServerConfig,
  { trusted, operations }: GraphqlServices,
  { isTrusted, passOf, callerOf }: RequestIdentity,
): void {
  scope.addHook('preHandler', async (request) => {
    passOf(request).trace?.enter('prepare');
    checkExplain(request.headers['x-explain']);
    checkHost(request);
    // The documents of a WebSocket come in its messages.
    if (request.ws) return;
    omitEmptyParameters(request);
    // Trusted documents were checked at the start.
    if (fillInDocument(request, trusted, config.trusted.only && !isTrusted(request))) return;
    const source = readQueryText(request);
    if (typeof source === 'string')
      await operations.prepare(source, { pass: passOf(request), caller: callerOf(request) });
  });
}

/** Throws `BAD_USER_INPUT` for an unknown value, because a client that mistypes `only` does not want its query to run. */
function checkExplain(header: string | string[] | undefined): void {
  if (header !== undefined && !EXPLAIN.includes(String(header)))
    throw badInput(
      `x-explain must be ${EXPLAIN.join(', ')}, but got: ${JSON.stringify(String(header).slice(0, MAX_SHOWN_CHARACTERS))}`,
    );
}

/** Throws `BAD_USER_INPUT` for a Host header that is no host: Apollo makes a URL of it. HTTP/1.0 needs none. */
function checkHost(request: FastifyRequest): void {
  const { raw, protocol } = request;
  raw.headers.host ??= 'localhost';
  if (!URL.canParse(`${protocol}://${request.host}`))
    throw badInput(
      `The Host header must be a host, but got: ${JSON.stringify(request.host.slice(0, MAX_SHOWN_CHARACTERS))}`,
    );
}

/** Registers everything that is served beside GraphQL. */
async function registerPages(app: FastifyInstance, served: HttpServerOptions): Promise<void> {
  const { model, config, logger, page, headersOf } = served;
  const { host, operationsPort, modelPage, graphiql } = config;
  const limit = (scope: FastifyInstance) => {
    limitPages(scope, config, () => served.refused?.('pages'));
  };
  if (operationsPort === null) await registerOperations(app, served, limit);
  else
    serveOperationsApart(app, { host, port: operationsPort }, logger, (operations) =>
      registerOperations(operations, served),
    );
  await app.register(async (pages) => {
    limit(pages);
    if (modelPage) registerModel(pages, model);
    if (graphiql) await registerGraphiql(pages, page, headersOf);
  });
  app.get('/', async (_request, reply) =>
    graphiql
      ? reply.redirect('/graphiql')
      : reply.type('text/plain; charset=utf-8').send(`${page.title}: GraphQL is at /graphql.\n`),
  );
}

/** Refuses requests that come on open connections while the server closes. */
function refuseWhenClosing(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', () => {
    isClosing = true;
    return Promise.resolve();
  });
  // A hook that returns no promise makes no request wait for one.
  app.addHook('onRequest', (_request, _reply, done) => {
    done(isClosing ? serverCloses() : undefined);
  });
}

/**
 * Closes all connections some time after the shutdown began, and again, because others come until subscriptions have ended: a request of a
 * lost or hostile client might never end.
 */
function cutWhenClosing(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const timer = setInterval(() => {
      app.server.closeAllConnections();
    }, MAX_CLOSING_MS).unref();
    app.server.once('close', () => {
      clearInterval(timer);
    });
    return Promise.resolve();
  });
}
