import { parse } from 'graphql';
import { makeServer } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { badInput } from '../base/errors';
import type { LiveStream } from '../subscriptions/live-stream';
import type { SubscriptionRequest } from '../subscriptions/live-services';
import type { RequestHead } from './admission';
import { LiveConnection } from './connection';

/** Milliseconds between two pings of the server. A client that has not answered the one before is gone. */
const PING_MS = 30_000;
/** Milliseconds in which a client must begin with `connection_init`. */
const INIT_MS = 10_000;

/** The most characters of the id that a client gives to a subscription. */
const MAX_ID_CHARACTERS = 200;

/** The services by which a socket's subscriptions begin. */
interface SocketOptions {
  /** Finds out who a client is, by its headers. Rejects with an error that a client may read. */
  identify(this: void, request: RequestHead): Promise<void>;
  /** When the caller's token expires, in milliseconds since 1970; null if it does not. */
  expiryOf(this: void, request: RequestHead): number | null;
  start(
    this: void,
    request: RequestHead,
    asked: SubscriptionRequest & Readonly<Record<string, unknown>>,
  ): LiveStream;
  readonly sendMs: number;
}

/** The WebSockets of a server. */
interface Sockets {
  /** Serves a connection by the protocol of graphql-ws. */
  serve(this: void, socket: WebSocket, request: RequestHead): void;
  /** Closes all connections, so that clients connect again, to another server. */
  close(this: void): Promise<void>;
}

/** The document that graphql-ws sees; the real one is checked when the stream starts. */
const PLACEHOLDER = parse('subscription { __typename }');

/** Creates the WebSockets of a server. Queries and mutations are refused: they belong to POST, where they can be repeated. */
export function createSockets({ identify, expiryOf, start, sendMs }: SocketOptions): Sockets {
  const open = new Set<LiveConnection>();
  let isClosing = false;
  const pinging = setInterval(() => {
    for (const connection of open) connection.ping();
  }, PING_MS).unref();

  const server = makeServer<Record<string, unknown>, LiveConnection>({
    connectionInitWaitTimeout: INIT_MS,
    async onConnect(context) {
      const { extra: connection, connectionParams } = context;
      const authorization = authorizationIn(connectionParams);
      const { request } = connection;
      if (authorization !== null) request.headers = { ...request.headers, authorization };
      await identify(request);
      // The headers and parameters are not read any more.
      request.headers = {};
      Reflect.set(context, 'connectionParams', undefined);
      connection.update(expiryOf(request));
      return true;
    },
    onSubscribe({ extra: { request } }, id, payload) {
      if (id.length > MAX_ID_CHARACTERS)
        return [badInput(`An id must have at most ${MAX_ID_CHARACTERS} characters, but has ${id.length}.`)];
      const { query, operationName, variables, extensions, ...others } = payload;
      const asked = { query, operationName, variables, extensions, ...others };
      // graphql-ws keeps the message for as long as the subscription. Documents are shared, messages would not be.
      for (const name of Object.keys(payload)) Reflect.deleteProperty(payload, name);
      Reflect.set(payload, 'query', '');
      return { schema: undefined as never, document: PLACEHOLDER, contextValue: start(request, asked) };
    },
    subscribe: ({ contextValue }) => contextValue as never,
    onOperation({ extra: connection }, _id, _payload, { contextValue }) {
      connection.add(contextValue as LiveStream);
    },
    onComplete({ extra: connection }) {
      connection.update();
    },
    // Errors have their final form already.
    onNext: (_context, _id, _payload, _args, result) => result as never,
  });

  return {
    serve(socket, request) {
      const connection = new LiveConnection(socket, request, sendMs);
      open.add(connection);
      const closed = server.opened(connection, connection);
      socket.once('close', (code, reason) => {
        open.delete(connection);
        connection.closed();
        void closed(code, String(reason));
      });
      // Its token may have been checked until now.
      if (isClosing) void connection.shutDown();
    },
    async close() {
      isClosing = true;
      clearInterval(pinging);
      await Promise.all([...open].map((connection) => connection.shutDown()));
    },
  };
}

/**
 * The value of the Authorization header in the payload of `connection_init`, where clients put it in one of two places; null if neither has
 * one. A value that is not text becomes text that is no token, so it is refused.
 */
function authorizationIn(params: Readonly<Record<string, unknown>> = {}): string | null {
  for (const fields of [params, Object(params['headers']) as Readonly<Record<string, unknown>>])
    for (const [name, value] of Object.entries(fields))
      if (name.toLowerCase() === 'authorization' && value != null)
        return typeof value === 'string' ? value : JSON.stringify(value);
  return null;
}
