import { CloseCode, type WebSocket as GraphqlSocket } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { ClientError } from '../base/errors';
import type { LiveStream } from '../subscriptions/live-stream';
import type { RequestHead } from './admission';
import { hasTooManySigns } from './json-body';
import { expiringTimer, tokenExpired } from './token-expiry';

/** Close codes of RFC 6455's registry. Clients of graphql-ws connect again after each of them. */
const TOO_BIG = 1009;
const RESTARTING = 1012;
const TRY_AGAIN_LATER = 1013;
/** After this, clients of graphql-ws do not connect again. */
const TOO_MANY = 4429;

/** Milliseconds after which a connection without a subscription is closed. */
const IDLE_MS = 60_000;
/** Milliseconds in which a client must answer a close. */
const CLOSING_MS = 2000;
/**
 * The most bytes that wait for a client that reads slowly. Only answers to its own messages can collect, because events wait for each
 * other.
 */
const MAX_WAITING_BYTES = 1_048_576;
/** The longest reason of a close, in bytes. */
const MAX_REASON_BYTES = 123;
/** How many subscriptions may be refused between two pings: a client that goes on after so many does not heed the answers. */
const MAX_REFUSALS = 100;
/**
 * How many messages and frames of control may come between two pings, besides those that begin and end subscriptions, which have limits of
 * their own. Clients send a ping each some seconds, and each is answered.
 */
const MAX_MESSAGES = 1000;

const TOO_SLOW = 'The client reads too slowly: subscribe again after the last cursor';

/** A WebSocket as graphql-ws uses it, with the timers of the connection: until its token expires, and while it has no subscription. */
export class LiveConnection implements GraphqlSocket {
  /** The client that has connected. */
  readonly request: { ip: string; headers: RequestHead['headers'] };
  readonly protocol: string;
  readonly #socket: WebSocket;
  readonly #sendMs: number;
  readonly #streams = new Set<LiveStream>();
  #isAlive = true;
  #isClosed = false;
  #refusals = 0;
  #messages = 0;
  #idle: NodeJS.Timeout | undefined;
  #expiry: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, request: RequestHead, sendMs: number) {
    this.request = request;
    this.protocol = socket.protocol;
    this.#socket = socket;
    this.#sendMs = sendMs;
    socket.on('ping', () => this.#count());
    socket.on('pong', () => {
      this.#isAlive = true;
      this.#count();
    });
    this.update();
  }

  /** Takes each message of the client. */
  onMessage(take: (text: string) => Promise<void>): void {
    const socket = this.#socket;
    socket.on('message', (data, isBinary) => {
      // Messages that came before the client has read the close are not answered.
      if (socket.readyState !== socket.OPEN) return;
      this.#isAlive = true;
      if (!this.#count()) return;
      if (isBinary) this.close(CloseCode.BadRequest, 'Messages must be text');
      else if (hasTooManySigns(data as Buffer))
        this.close(TOO_BIG, 'A message has too many brackets and commas');
      else if (socket.bufferedAmount > MAX_WAITING_BYTES) this.close(TRY_AGAIN_LATER, TOO_SLOW);
      else
        take(String(data as Buffer)).catch((error: unknown) => {
          this.#closeByError(error);
        });
    });
  }

  /** Sends a message, and resolves when the system has taken all of it. A client that takes too long is cut off. */
  send(text: string): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.close(TRY_AGAIN_LATER, TOO_SLOW);
      }, this.#sendMs);
      this.#socket.send(text, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Closes the connection; cuts it off if the client does not answer. */
  close(code?: number, reason = ''): void {
    const socket = this.#socket;
    socket.close(code, cutReason(reason));
    setTimeout(() => {
      socket.terminate();
    }, CLOSING_MS).unref();
  }

  /** Pings the client, if it has answered the last time; else it is cut off. */
  ping(): void {
    if (!this.#isAlive) this.#socket.terminate();
    this.#isAlive = false;
    this.#refusals = 0;
    this.#messages = 0;
    this.#socket.ping();
  }

  /** Adds a subscription. */
  add(stream: LiveStream): void {
    this.#streams.add(stream);
    this.#messages--;
    this.update();
  }

  /** Is called when a subscription begins or ends, and when it is known when the token expires. */
  update(expiresAt: number | null = null): void {
    // Its client may have gone while the token was checked.
    if (this.#isClosed) return;
    for (const stream of this.#streams) {
      if (!stream.isClosed()) continue;
      this.#streams.delete(stream);
      this.#messages--;
      if (stream.wasRefused() && ++this.#refusals === MAX_REFUSALS)
        this.close(TOO_MANY, `${MAX_REFUSALS} subscriptions were refused in a short time`);
    }
    clearTimeout(this.#idle);
    this.#idle =
      this.#streams.size > 0
        ? undefined
        : setTimeout(() => {
            this.close(1000, 'No subscriptions');
          }, IDLE_MS).unref();
    if (expiresAt !== null)
      this.#expiry ??= expiringTimer(expiresAt, () => {
        for (const stream of this.#streams) stream.end(tokenExpired());
        // The last events are sent before this.
        setTimeout(() => {
          this.close(CloseCode.Unauthorized, 'The token has expired');
        }, CLOSING_MS / 2);
      });
  }

  /** Is called when the connection is closed. graphql-ws ends only one subscription of each id, so all are ended here. */
  closed(): void {
    this.#isClosed = true;
    for (const stream of this.#streams) void stream.return(undefined);
    clearTimeout(this.#idle);
    clearTimeout(this.#expiry);
  }

  /** Closes the connection because the server shuts down. */
  async shutDown(): Promise<void> {
    const ended = new Promise((resolve) => this.#socket.once('close', resolve));
    this.close(RESTARTING, 'The server is shutting down');
    await ended;
  }

  /** Counts a message or a frame of control. Returns false, and closes the connection, if there are too many. */
  #count(): boolean {
    const isFirst = ++this.#messages === MAX_MESSAGES + 1;
    if (isFirst) this.close(TOO_MANY, `More than ${MAX_MESSAGES} messages came in a short time`);
    return this.#messages <= MAX_MESSAGES;
  }

  /** Closes the connection by an error of its `connection_init`. */
  #closeByError(error: unknown): void {
    if (!(error instanceof ClientError)) {
      this.close(CloseCode.InternalServerError, 'Something went wrong in the server');
      return;
    }
    const isRefused = error.extensions['code'] === 'UNAUTHENTICATED';
    this.close(isRefused ? CloseCode.Unauthorized : TRY_AGAIN_LATER, error.message);
  }
}

/** The beginning of a reason, in whole characters. */
function cutReason(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  // What is left of a character that was cut off is decoded as the character for errors.
  return bytes
    .subarray(0, MAX_REASON_BYTES)
    .toString()
    .replace(/\uFFFD+$/, '');
}
