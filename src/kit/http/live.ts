import { setImmediate } from 'node:timers/promises';
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { handleProtocols } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { ServerConfig } from '../config/config';
import type { Gate } from '../reads/gate';
import type { LiveStream } from '../subscriptions/live-stream';
import type { Subscriptions } from '../subscriptions/subscriptions';
import type { Subscriber, SubscriptionRequest } from '../subscriptions/live-services';
import type { TrustedDocuments } from '../graphql/trusted-documents';
import { attached } from '../base/attached';
import type { Admission, Admitted, RequestHead, SocketPlace } from './admission';
import type { Contexts } from './contexts';
import { sendEvents } from './event-stream';
import { createSockets } from './sockets';
import { expiringTimer, tokenExpired } from './token-expiry';
import { fillInDocument, omitEmptyParameters } from './trusted-requests';

/** The services that the two transports of subscriptions need. */
interface LiveOptions extends Pick<Admission, 'admit' | 'expiryOf'> {
  readonly config: ServerConfig;
  readonly gate: Gate;
  readonly contexts: Contexts;
  readonly admitted: Admitted;
  readonly subscriptions: Subscriptions;
  readonly trusted: TrustedDocuments;
  isTrusted(this: void, request: RequestHead): boolean;
}

/** The two ways in which a client can subscribe. */
export interface LiveTransports {
  serveSocket(this: void, socket: WebSocket, request: FastifyRequest): void;
  serveEvents(
    this: void,
    request: FastifyRequest,
    reply: FastifyReply,
    asked: SubscriptionRequest,
  ): Promise<void>;
}

/** Milliseconds in which the subscriptions of a server must end when it shuts down. */
const MAX_DRAINING_MS = 2000;

/** The most fragments of a message: each keeps up to 64 KB of memory until the message is whole. */
const MAX_FRAGMENTS = 64;

/**
 * The most bytes of a message, if a request's body may have more: a subscription is much smaller than a mutation, and a client may keep
 * the server waiting for the rest of a message on each of its sockets.
 */
const MAX_MESSAGE_BYTES = 131_072;

/** The most pieces in which a frame may arrive: each takes some hundred bytes, even if it has one. */
const MAX_CHUNKS = 1024;

/** Accepts WebSockets, before any route is registered. `drain` is called before the server closes. */
export async function acceptSockets(
  app: FastifyInstance,
  { limits }: Pick<ServerConfig, 'limits'>,
  drain: () => Promise<void>,
): Promise<void> {
  await app.register(websocket, {
    options: {
      maxPayload: Math.min(limits.bodyBytes, MAX_MESSAGE_BYTES),
      maxFragments: MAX_FRAGMENTS,
      maxBufferedChunks: MAX_CHUNKS,
      handleProtocols,
      perMessageDeflate: false,
      // One message of a connection in a turn of the event loop: thousands fit into what is received at once.
      allowSynchronousEvents: false,
    },
    errorHandler: (_error, socket) => {
      socket.terminate();
    },
    preClose: async () => drain(),
  });
}

/** Creates the transports of subscriptions. `close` ends all subscriptions, then all connections. */
export function createTransports(
  options: LiveOptions,
): LiveTransports & { close(this: void): Promise<void> } {
  const { config, gate, contexts, admitted, subscriptions, trusted, admit, isTrusted } = options;
  const sendMs = config.live.sendSeconds * 1000;
  const expiryOf = (request: RequestHead) => options.expiryOf?.(request) ?? null;
  const subscriberOf = (request: RequestHead): Subscriber => {
    const caller = admitted.callerOf(request);
    return {
      caller,
      isKnown: admitted.isKnown(request),
      contextOf: (work) => contexts.ofWork(request, { ...work, caller }),
      limits: () => admitted.limitsOfWork(request, caller),
      countSubscription: () => admitted.enterSubscription(request),
    };
  };
  const places = attached<SocketPlace>();
  const sockets = createSockets({
    sendMs,
    expiryOf,
    async identify(request) {
      const pass = gate.openPass(config.limits.milliseconds);
      await pass.within(Promise.resolve(admit?.(request))).finally(() => {
        pass.close();
      });
      places.get(request)?.move(request);
    },
    start(request, asked) {
      const find = () => {
        const named = { method: 'POST', url: '/graphql', body: asked as unknown };
        omitEmptyParameters(named);
        fillInDocument(named, trusted, config.trusted.only && !isTrusted(request));
        return Object(named.body) as SubscriptionRequest;
      };
      return subscriptions.start(find, subscriberOf(request));
    },
  });
  return {
    serveSocket(socket, request) {
      // The headers are not kept.
      const head = { ip: admitted.addressOf(request), headers: request.headers };
      const place = admitted.socketOf(request);
      if (place) places.set(head, place);
      sockets.serve(socket, head);
    },
    async serveEvents(request, reply, asked) {
      const stream: LiveStream = subscriptions.start(() => asked, subscriberOf(request));
      const expiresAt = expiryOf(request);
      const timer =
        expiresAt === null
          ? undefined
          : expiringTimer(expiresAt, () => {
              stream.end(tokenExpired());
            });
      const opened = () => {
        admitted.release(request);
      };
      await sendEvents(request, reply, stream, sendMs, opened).finally(() => {
        clearTimeout(timer);
      });
    },
    async close() {
      const drained = subscriptions.drain();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, MAX_DRAINING_MS)));
      await Promise.race([drained, late]);
      clearTimeout(timer);
      // The last messages are sent before the connections close.
      await setImmediate();
      await sockets.close();
    },
  };
}
