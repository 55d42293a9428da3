import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { ApolloServer } from '@apollo/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getOperationAST, OperationTypeNode, parse } from 'graphql';
import type { DocumentStore } from '../graphql/document-store';
import { acceptedBy, RESPONSE_TYPE } from '../graphql/media-type';
import { refusedStatus } from '../graphql/response-status';
import type { Operations, PlainRequest } from '../graphql/operations';
import type { RequestContext } from '../graphql/request-context';
import type { SubscriptionRequest } from '../subscriptions/live-services';
import type { LiveTransports } from './live';
import { readParameters, readQueryText } from './trusted-requests';
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { attached } from '../base/attached';

/** The path of GraphQL, also over WebSocket. */
export const GRAPHQL_PATH = '/graphql';

/** The services that answer requests. */
interface Answering {
  readonly apollo: ApolloServer<RequestContext>;
  readonly operations: Operations;
  readonly documents: DocumentStore;
  readonly live: LiveTransports;
  /** The texts of the documents whose answers are the same for everybody. */
  readonly shared: ReadonlySet<string>;
  /** How many seconds caches may keep such an answer. */
  readonly cacheSeconds: number;
  /** Whether there is a page to which a browser can be sent that opens `/graphql`. */
  readonly graphiql: boolean;
  contextOf(this: void, request: FastifyRequest): RequestContext;
}

/** The text for a browser that opens `/graphql` itself if there is no GraphiQL. */
const WITHOUT_GRAPHIQL =
  'GraphQL is at this address: send a query by POST as JSON. GraphiQL is switched off on this server.\n';

/** Serves `/graphql`: subscriptions as streams of events, requests for known documents by the short path, all others by Apollo. */
export function serveAnswers(
  scope: FastifyInstance,
  { apollo, operations, documents, live, shared, cacheSeconds, graphiql, contextOf }: Answering,
): void {
  const byApollo = fastifyApolloHandler(apollo, {
    context: (request) => Promise.resolve(contextOf(request)),
  });
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (request.method === 'GET')
      reply.header('vary', [reply.getHeader('vary') ?? [], 'accept'].flat().join(', '));
    if (opensPage(request))
      return graphiql
        ? reply.redirect('/graphiql')
        : reply.code(406).type('text/plain; charset=utf-8').send(WITHOUT_GRAPHIQL);
    if (isAnsweredByEvents(request, documents)) return live.serveEvents(request, reply, askedBy(request));
    const { json } = acceptedBy(request.headers.accept);
    if (json === null) throw notAcceptable();
    const plain = readPlainRequest(request);
    const requested = plain && operations.findKnown(plain);
    const answer = requested && (await operations.answerKnown(requested, contextOf(request)));
    if (answer != null) return reply.header('content-type', json).send(answer);
    const answered: unknown = await byApollo.call(scope, request, reply);
    reply.header('content-type', json);
    const { codes } = contextOf(request).logged;
    // Apollo has refused it before its document was looked at.
    if (json === RESPONSE_TYPE && reply.statusCode === 400 && codes === undefined && isJson(request))
      reply.code(refusedStatus([]));
    // A request for an explanation gets an answer of its own.
    const isShared = request.method === 'GET' && shared.has(String(readQueryText(request)));
    const isPlain = request.headers['x-explain'] === undefined && codes?.length === 0;
    return isShared && isPlain && reply.statusCode === 200 && typeof answered === 'string'
      ? shareAnswer(request, reply, answered, cacheSeconds)
      : answered;
  };
  scope.route({ method: 'POST', url: GRAPHQL_PATH, handler });
  const endUpgrade = upgradesOf(scope);
  scope.route({
    method: 'GET',
    url: GRAPHQL_PATH,
    // A HEAD request has no use for an answer, and must not start a stream of events.
    exposeHeadRoute: false,
    handler,
    wsHandler(socket, request) {
      live.serveSocket(socket, request);
      endUpgrade(socket, request);
    },
  });
}

/** Whether what a request by GET gives as JSON is JSON. The body of a POST was read before. */
function isJson(request: FastifyRequest): boolean {
  if (request.method !== 'GET') return true;
  const parameter = readParameters(request);
  return ['variables', 'extensions'].every((name) => {
    const value = parameter(name);
    if (typeof value !== 'string') return true;
    try {
      JSON.parse(value);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether a browser opens `/graphql` itself, without asking anything. */
function opensPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' || !acceptedBy(request.headers.accept).prefersPages) return false;
  const parameter = readParameters(request);
  return ['query', 'documentId', 'extensions'].every((name) => parameter(name) === undefined);
}

/**
 * Whether a request is answered by a stream of events. A subscription can only be answered so, and everything else only by JSON, if the
 * client reads it. So a client may say in each request that it reads both, as urql does. If the document is not valid, the client's own
 * preference decides.
 */
function isAnsweredByEvents(request: FastifyRequest, documents: DocumentStore): boolean {
  const { json, stream, prefersStream } = acceptedBy(request.headers.accept);
  if (stream === null || json === null) return stream !== null;
  const operation = findOperationKind(askedBy(request), documents);
  return operation === null ? prefersStream : operation === OperationTypeNode.SUBSCRIPTION;
}

/** The kind of the operation that is asked for; null if there is none. The length and the depth of the document were checked. */
function findOperationKind(
  { query, operationName }: SubscriptionRequest,
  documents: DocumentStore,
): OperationTypeNode | null {
  if (typeof query !== 'string') return null;
  const name = typeof operationName === 'string' && operationName !== '' ? operationName : null;
  try {
    const document = documents.find(query)?.document ?? parse(query);
    return getOperationAST(document, name)?.operation ?? null;
  } catch {
    return null;
  }
}

/** Says before anything is done that the client could not read the answer. */
function notAcceptable(): Error {
  const message =
    'The Accept header must allow application/json or application/graphql-response+json or, for a subscription, text/event-stream or multipart/mixed;subscriptionSpec=1.0.';
  return Object.assign(new Error(message), { statusCode: 406 });
}

/** Reads a request for a stream of events from its body or, by GET, from its address. */
function askedBy(request: FastifyRequest): SubscriptionRequest {
  const parameter = readParameters(request);
  const variables = parameter('variables');
  return {
    query: parameter('query'),
    operationName: parameter('operationName'),
    variables: typeof variables === 'string' ? parsed(variables) : variables,
  };
}

/** A value of JSON; the text itself if it is none, which is refused later. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads the request of a POST; undefined if Apollo would refuse it or if it wants more than an answer, such as an explanation. */
function readPlainRequest({ method, headers, body }: FastifyRequest): PlainRequest | undefined {
  if (method !== 'POST' || headers['x-explain'] !== undefined || !isRecord(body)) return undefined;
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== 'string') return undefined;
  if (operationName != null && typeof operationName !== 'string') return undefined;
  if (variables != null && !isRecord(variables)) return undefined;
  if (extensions != null && (!isRecord(extensions) || 'persistedQuery' in extensions)) return undefined;
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Lets caches keep an answer that is the same for everybody: for some seconds in shared caches, if the request has no token. With a token,
 * the next answer must have what its owner has written. A client that has the answer gets only its headers (304).
 */
function shareAnswer(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  answer: string,
  seconds: number,
): string | FastifyReply {
  // A weak one, because the same answer may be sent compressed.
  const tag = `"${createHash('sha256').update(answer).digest('base64url').slice(0, 27)}"`;
  const hasToken = headers.authorization !== undefined;
  reply.headers({
    etag: `W/${tag}`,
    'cache-control': hasToken ? 'private, no-cache' : `public, max-age=${seconds}`,
    vary: [reply.getHeader('vary') ?? [], 'authorization', 'x-explain'].flat().join(', '),
  });
  if (!names(headers['if-none-match'] ?? '', tag)) return answer;
  return reply.code(304).send();
}

/** Whether a list of entity tags has this one, compared weakly (RFC 9110, section 13.1.2). */
function names(tags: string, tag: string): boolean {
  return tags.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()));
}

/**
 * Returns the function that ends a request which has become a WebSocket, so that everything of the request is given back now. Otherwise the
 * connection would keep the request, its headers and its response, which take more memory than the connection itself.
 */
function upgradesOf(scope: FastifyInstance): (socket: WebSocket, request: FastifyRequest) => void {
  const responses = attached<ServerResponse>();
  scope.addHook('onRequest', (request, { raw }, done) => {
    if (request.ws) responses.set(request, raw);
    done();
  });
  return (socket, request) => {
    // The listener of @fastify/websocket keeps the request.
    socket.removeAllListeners('error').on('error', () => {
      socket.terminate();
    });
    const response = responses.get(request);
    response?.detachSocket(request.raw.socket);
    response?.emit('close');
  };
}
