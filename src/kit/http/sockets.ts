import type { FastifyRequest } from 'fastify';
import { parse } from 'graphql';
import { CloseCode, makeServer } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { ClientError } from '../base/errors';
import type { LiveStream } from '../graphql/live-stream';
import type { SubscriptionRequest } from '../graphql/subscriptions';

/** Close codes of RFC 6455's registry. Clients of graphql-ws connect again after each of them. */
const RESTARTING = 1012;
const TRY_AGAIN_LATER = 1013;

/** Milliseconds between two pings of the server. A client that has not answered the one before is gone. */
const PING_MS = 30_000;
/** Milliseconds in which a client must begin with `connection_init`. */
const INIT_MS = 10_000;
/** Milliseconds after which a connection without a subscription is closed. */
const IDLE_MS = 60_000;
/** Milliseconds in which a client must answer a close. */
const CLOSING_MS = 2000;
/** Bytes that wait for a client that reads slowly. Only answers to its own messages can collect: events wait for each other. */
const MAX_WAITING_BYTES = 1_048_576;
/** The longest reason of a close, in bytes. */
const MAX_REASON_BYTES = 123;

/** What a socket's subscriptions are begun with. */
export interface SocketOptions {
  /** Finds out who a client is, by the value of an Authorization header. Rejects with an error that a client may read. */
  identify(this: void, request: FastifyRequest, authorization: string): Promise<void>;
  /** When the caller's token expires, in milliseconds since 1970; null if it does not. */
  expiryOf(this: void, request: FastifyRequest): number | null;
  start(
    this: void,
    request: FastifyRequest,
    asked: SubscriptionRequest & Readonly<Record<string, unknown>>,
  ): LiveStream;
  readonly sendMs: number;
}

/** The WebSockets of a server. */
export interface Sockets {
  /** Serves a connection by the protocol of graphql-ws. */
  serve(this: void, socket: WebSocket, request: FastifyRequest): void;
  /** Closes all connections, so that clients connect again, to another server. */
  close(this: void): Promise<void>;
}

/** What graphql-ws calls an operation; the real document is checked when the stream starts. */
const PLACEHOLDER = parse('subscription { __typename }');

/** A connection. */
interface Connection {
  readonly request: FastifyRequest;
  readonly streams: Set<LiveStream>;
  /** Is called when the token is known, and when a subscription begins or ends. */
  changed(this: void): void;
}

/** Creates the WebSockets of a server. Queries and mutations are refused: they belong to POST, where they can be repeated. */
export function createSockets({ identify, expiryOf, start, sendMs }: SocketOptions): Sockets {
  const open = new Map<WebSocket, { isAlive: boolean }>();
  const pinging = setInterval(() => {
    for (const [socket, state] of open) {
      if (!state.isAlive) socket.terminate();
      state.isAlive = false;
      socket.ping();
    }
  }, PING_MS).unref();

  const server = makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: INIT_MS,
    async onConnect({ extra: { request, changed }, connectionParams }) {
      const authorization = authorizationIn(connectionParams);
      if (authorization !== null) await identify(request, authorization);
      changed();
      return true;
    },
    onSubscribe({ extra: { request } }, _id, payload) {
      const { query, operationName, variables, extensions, ...others } = payload;
      const asked = { query, operationName, variables, extensions, ...others };
      return { schema: undefined as never, document: PLACEHOLDER, contextValue: start(request, asked) };
    },
    subscribe: ({ contextValue }) => contextValue as never,
    onOperation({ extra: { streams, changed } }, _id, _payload, { contextValue }) {
      const stream = contextValue as LiveStream;
      streams.add(stream);
      changed();
    },
    onComplete({ extra: { changed } }) {
      changed();
    },
    // Errors have their final form already.
    onNext: (_context, _id, _payload, _args, result) => result as never,
  });

  const serve = (socket: WebSocket, request: FastifyRequest) => {
    const state = { isAlive: true };
    const connection = createConnection(socket, request, expiryOf);
    open.set(socket, state);
    socket.on('pong', () => (state.isAlive = true));
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send: (text) => send(socket, text, sendMs),
        close: (code, reason) => {
          closeSocket(socket, code, reason);
        },
        onMessage(take) {
          socket.on('message', (data, isBinary) => {
            state.isAlive = true;
            if (isBinary) closeSocket(socket, CloseCode.BadRequest, 'Messages must be text');
            else if (socket.bufferedAmount > MAX_WAITING_BYTES)
              closeSocket(
                socket,
                TRY_AGAIN_LATER,
                'The client reads too slowly: subscribe again after the last cursor',
              );
            else
              take(String(data as Buffer)).catch((error: unknown) => {
                closeByError(socket, error);
              });
          });
        },
      },
      connection,
    );
    socket.once('close', (code, reason) => {
      open.delete(socket);
      connection.close();
      void closed(code, String(reason));
    });
  };

  return {
    serve,
    async close() {
      clearInterval(pinging);
      await Promise.all(
        [...open.keys()].map((socket) => {
          const ended = new Promise((resolve) => socket.once('close', resolve));
          closeSocket(socket, RESTARTING, 'The server is shutting down');
          return ended;
        }),
      );
    },
  };
}

/** Keeps the timers of a connection: until its token expires, and while it has no subscription. */
function createConnection(
  socket: WebSocket,
  request: FastifyRequest,
  expiryOf: SocketOptions['expiryOf'],
): Connection & { close(this: void): void } {
  const streams = new Set<LiveStream>();
  let idle: NodeJS.Timeout | undefined;
  let expiry: NodeJS.Timeout | undefined;
  const changed = () => {
    for (const stream of streams) if (stream.isClosed()) streams.delete(stream);
    clearTimeout(idle);
    if (streams.size === 0)
      idle = setTimeout(() => {
        closeSocket(socket, 1000, 'No subscriptions');
      }, IDLE_MS).unref();
    const expiresAt = expiryOf(request);
    if (expiry !== undefined || expiresAt === null) return;
    expiry = expiringTimer(expiresAt, () => {
      for (const stream of streams) stream.end(tokenExpired());
      // The last events are sent before this.
      setTimeout(() => {
        closeSocket(socket, CloseCode.Unauthorized, 'The token has expired');
      }, CLOSING_MS / 2);
    });
  };
  changed();
  return {
    request,
    streams,
    changed,
    close() {
      clearTimeout(idle);
      clearTimeout(expiry);
    },
  };
}

/** The longest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Calls a function when a token expires. One that is valid for more than three weeks is not waited for. */
export function expiringTimer(expiresAt: number, expire: () => void): NodeJS.Timeout | undefined {
  const left = expiresAt - Date.now();
  return left > MAX_DELAY_MS ? undefined : setTimeout(expire, Math.max(0, left)).unref();
}

/** The error that ends a subscription when its token expires. */
export function tokenExpired(): ClientError {
  return new ClientError('UNAUTHENTICATED', 'The token has expired: subscribe again with a new one.');
}

/** The value of the Authorization header in the payload of `connection_init`, where clients put it in one of two places. */
function authorizationIn(params: Readonly<Record<string, unknown>> = {}): string | null {
  for (const place of [params, Object(params['headers']) as Readonly<Record<string, unknown>>])
    for (const [name, value] of Object.entries(place))
      if (name.toLowerCase() === 'authorization' && typeof value === 'string') return value;
  return null;
}

/** Sends a message, and resolves when the system has taken all of it. A client that takes too long is cut off. */
function send(socket: WebSocket, text: string, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      closeSocket(
        socket,
        TRY_AGAIN_LATER,
        'The client reads too slowly: subscribe again after the last cursor',
      );
    }, milliseconds);
    socket.send(text, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Closes a connection; cuts it off if the client does not answer. */
function closeSocket(socket: WebSocket, code?: number, reason = ''): void {
  const short = Buffer.from(reason).subarray(0, MAX_REASON_BYTES).toString();
  socket.close(code, short);
  setTimeout(() => {
    socket.terminate();
  }, CLOSING_MS).unref();
}

/** Closes a connection by an error of its `connection_init`. */
function closeByError(socket: WebSocket, error: unknown): void {
  if (!(error instanceof ClientError)) {
    closeSocket(socket, CloseCode.InternalServerError, 'Something went wrong in the server');
    return;
  }
  const isRefused = error.extensions['code'] === 'UNAUTHENTICATED';
  closeSocket(socket, isRefused ? CloseCode.Unauthorized : TRY_AGAIN_LATER, error.message);
}
