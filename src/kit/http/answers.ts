import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { ApolloServer } from '@apollo/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { KnownDocuments, PlainRequest } from '../graphql/answer-known';
import type { RequestContext } from '../graphql/request-context';
import type { SubscriptionRequest } from '../graphql/subscriptions';
import { asksForEvents } from './event-stream';
import type { LiveTransports } from './live';
import { parametersOf } from './trusted-requests';
import { upgradesOf } from './upgrades';

/** How many values of `Accept` the media types of answers are remembered for. */
const MAX_ACCEPTS = 100;

/** Serves `/graphql`: requests for known documents by the short path, all others by Apollo. */
export function serveAnswers(
  scope: FastifyInstance,
  apollo: ApolloServer<RequestContext>,
  known: KnownDocuments,
  contextOf: (request: FastifyRequest) => RequestContext,
  live: LiveTransports,
): void {
  // Apollo chooses the media type of an answer by `Accept`. The short path needs one that Apollo has chosen before.
  const mediaTypes = new LRUCache<string, string>({ max: MAX_ACCEPTS });
  const byApollo = fastifyApolloHandler(apollo, {
    context: (request) => Promise.resolve(contextOf(request)),
  });
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (asksForEvents(request)) return live.serveEvents(request, reply, askedBy(request));
    const accept = request.headers.accept ?? '';
    const mediaType = mediaTypes.get(accept);
    const plain = mediaType === undefined ? undefined : plainRequestOf(request);
    const requested = plain && known.find(plain);
    const answer = requested && (await known.answer(requested, contextOf(request)));
    if (answer != null) return reply.header('content-type', mediaType).send(answer);
    const answered: unknown = await byApollo.call(scope, request, reply);
    const chosen = reply.getHeader('content-type');
    if (reply.statusCode === 200 && typeof chosen === 'string') mediaTypes.set(accept, chosen);
    return answered;
  };
  scope.route({ method: 'POST', url: '/graphql', handler });
  const endUpgrade = upgradesOf(scope);
  scope.route({
    method: 'GET',
    url: '/graphql',
    // A HEAD request has no use for an answer, and must not start a stream of events.
    exposeHeadRoute: false,
    handler,
    wsHandler(socket, request) {
      live.serveSocket(socket, request);
      endUpgrade(socket, request);
    },
  });
}

/** What a request for a stream of events asks for: in its body or, by GET, in its address. */
function askedBy(request: FastifyRequest): SubscriptionRequest {
  const parameter = parametersOf(request);
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

/** What a POST asks for; undefined if Apollo would refuse it or if it wants more than an answer, such as an explanation. */
function plainRequestOf({ method, headers, body }: FastifyRequest): PlainRequest | undefined {
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
