import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServerConfig } from '../config/config';
import { attached } from '../base/attached';
import { notBegun, rateLimited } from '../base/errors';
import type { Waits } from '../base/waits';
import type { Pass } from '../reads/gate';
import { findNetwork, findWiderNetworks } from '../config/address';
import { createCallerQueues, createRequestRoom } from '../rate-limits/caller-queues';
import { createCounts } from '../rate-limits/counts';
import { createRateLimits, unlimited, type RateLimit, type RequestLimits } from '../rate-limits/rate-limits';
import { createArrivals } from './arrivals';
import { createNetworkCounts } from './network-counts';
import { createCallerAddress } from './caller-address';
import { shedLoad, type Pressure } from './shed-load';

/** Why a well-formed request was refused: the server's load, or a rate limit. */
export type Refusal = Pressure | RateLimit | 'requests' | 'subscriptions' | 'sockets' | 'pages';

/**
 * The parts of a request that tell who sends it; `ip` is the end of the connection, which may be a proxy. Only this is kept of a
 * WebSocket's request, because the whole would take kilobytes for as long as it is open.
 */
export type RequestHead = Pick<FastifyRequest, 'ip' | 'headers'>;

/** The waits in the queues of requests. */
export interface QueueWaits {
  /** Waits for the turn to parse, validate or compile a document, or to compute a cost. */
  readonly prepare: Waits;
  /** Waits for other requests of the same caller. */
  readonly caller: Waits;
}

/** Decides whether a request is answered at all. */
export interface Admission {
  /** Finds out who sends a request, before its body is read. Throws if the request must not be answered. */
  admit?(this: void, request: RequestHead): Promise<void>;
  /** Names the caller of an admitted request, for the limits of each caller; null if its address identifies it. */
  identityOf?(this: void, request: RequestHead): string | null;
  /** When the token of an admitted request expires, in milliseconds since 1970; null if it has none, or one that does not. */
  expiryOf?(this: void, request: RequestHead): number | null;
  /** Whether a request comes from a program that the operator trusts: it has no rate limits and may see how the server works. */
  isTrusted?(this: void, request: RequestHead): boolean;
  /** How many requests wait for their turn to read. */
  waitingRequests?(this: void): number;
  /** Counts the requests that wait because their caller has others. */
  readonly waits?: Pick<QueueWaits, 'caller'>;
  /** Is called for each request that was refused because of the load or a rate limit. */
  refused?(this: void, reason: Refusal): void;
}

/** The state of admitted requests. */
export interface Admitted {
  /** The address from which a request came, as proxies tell it that the settings trust. */
  addressOf(this: void, request: RequestHead): string;
  /** Identifies the caller of a request: by an identity, else by a network address. */
  callerOf(this: void, request: RequestHead): string;
  /** The rate limits of the caller of a request. */
  limitsOf(this: void, request: RequestHead): RequestLimits;
  /** Limits for one piece of work of a subscription that a request of `caller` has begun. `leave` ends the work. */
  limitsOfWork(this: void, request: RequestHead, caller: string): WorkLimits;
  /**
   * Counts one more subscription of a caller, until the returned function is called. Throws `RATE_LIMITED` if there are too many,
   * and `UNAVAILABLE` if the server has too much to do.
   */
  enterSubscription(this: void, request: RequestHead): () => void;
  /** The place of a WebSocket that a request has opened. */
  socketOf(this: void, request: FastifyRequest): SocketPlace | undefined;
  /** Whether the caller of a request is known by a token, and not by its address only. */
  isKnown(this: void, request: RequestHead): boolean;
  /** Stops counting a request among the requests at once of its caller, because it has become a stream. */
  release(this: void, request: FastifyRequest): void;
}

/** A WebSocket as it is counted, until it is closed: for whom its request came from, at first. */
export interface SocketPlace {
  /** Counts it for another caller, whom its first message names. Throws `RATE_LIMITED` if that one has too many. */
  move(this: void, to: RequestHead): void;
}

/** The limits of a piece of work, which the caller's other requests must leave room for. */
interface WorkLimits extends RequestLimits {
  leave(this: void): void;
}

/** How many WebSockets a caller may have for each subscription: some have just begun, or keep none for a while. */
const SOCKETS_OF_SUBSCRIPTION = 2;

/** How many requests of a caller may wait to begin for each that may be open: those that have begun end quickly if the server has time. */
const WAITING_OF_REQUEST = 20;
/** Seconds after which a caller with too many requests at once should try again. */
const RETRY_AFTER_SECONDS = 1;
/** A request that has waited this many times as long as the time that it has left is not begun. */
const MAX_WAIT_RATIO = 9;
/** A shorter wait is not the reason why a request is late: its body or the check of its token may have taken long. */
const MIN_WAIT_MS = 500;

/**
 * Makes a scope admit requests: it sheds load first, then finds out who sends the request, then enforces the limits of that
 * caller, and reports them in each answer.
 */
export function admitRequests(
  scope: FastifyInstance,
  config: Pick<ServerConfig, 'shedding' | 'rates' | 'trustedProxies'>,
  admission: Admission,
): Admitted {
  const { admit, identityOf, isTrusted, waitingRequests = () => 0, refused = () => undefined } = admission;
  const { requestsAtOnce, subscriptionsAtOnce } = config.rates;
  const checkLoad = shedLoad(scope, config.shedding, waitingRequests, refused);
  const rates = createRateLimits(config.rates, refused);
  const open = createCounts(requestsAtOnce);
  const queues = createCallerQueues(admission.waits?.caller);
  const countSubscription = createNetworkCounts(subscriptionsAtOnce, 'subscriptions', () => {
    refused('subscriptions');
  });
  const countSocket = createNetworkCounts(SOCKETS_OF_SUBSCRIPTION * subscriptionsAtOnce, 'WebSockets', () => {
    refused('sockets');
  });
  const sockets = attached<SocketPlace>();
  const held = attached<RequestLimits>();
  const releases = attached<() => void>();
  const addressOf = createCallerAddress(config.trustedProxies);
  const ofAddress = (request: RequestHead) => `address ${findNetwork(addressOf(request))}`;
  const isKnown = (request: RequestHead) =>
    isTrusted?.(request) === true || (identityOf?.(request) ?? null) !== null;
  const callerOf = (request: RequestHead) => {
    const identity = identityOf?.(request) ?? null;
    return identity === null ? ofAddress(request) : `identity ${identity}`;
  };
  /** The callers and networks for which an open connection or stream counts. */
  const ownersOf = (request: RequestHead) => {
    if (isTrusted?.(request)) return [];
    return [callerOf(request), ...(isKnown(request) ? [] : findWiderNetworks(addressOf(request)))];
  };
  const enterSocket = (request: FastifyRequest) => {
    const { socket } = request.raw;
    let owners = ownersOf(request);
    let leave = countSocket(owners);
    // The client may have left while its token was checked.
    if (socket.destroyed) leave();
    else
      socket.once('close', () => {
        leave();
      });
    sockets.set(request, {
      move(to) {
        if (socket.destroyed) return;
        const others = ownersOf(to);
        leave();
        try {
          leave = countSocket(others);
          owners = others;
        } catch (error) {
          // The socket counts for the former owners until it is closed.
          leave = countSocket(owners);
          throw error;
        }
      },
    });
  };
  const enter = (request: FastifyRequest, { raw }: FastifyReply, caller: string) => {
    const room = createRequestRoom(queues, caller);
    if (requestsAtOnce > 0) {
      if (!open.add(caller)) {
        refused('requests');
        throw rateLimited(
          `A caller may have ${requestsAtOnce} requests at once, and this one would be one more. Try again in ${RETRY_AFTER_SECONDS} s, or when one of them has been answered.`,
          RETRY_AFTER_SECONDS,
        );
      }
      let isOpen = true;
      const remove = () => {
        if (isOpen) open.remove(caller);
        isOpen = false;
      };
      const leave = () => {
        remove();
        room.leave();
      };
      // The client may have left while its token was checked.
      if (raw.destroyed) leave();
      else raw.once('close', leave);
      releases.set(request, remove);
    }
    const waitForRoom = async (weight: number, pass: Pass) => {
      if (requestsAtOnce === 0) return;
      const from = performance.now();
      /** Whether others of the caller took so much time that the request could hardly end in time. */
      const isTooLate = () => {
        const now = performance.now();
        const left = Math.max(0, pass.until - now);
        return !raw.destroyed && now - from > Math.max(MIN_WAIT_MS, MAX_WAIT_RATIO * left);
      };
      const refuseToBegin = () => {
        refused('requests');
        return notBegun(RETRY_AFTER_SECONDS);
      };
      await room.take(weight, pass).catch((error: unknown) => {
        throw isTooLate() ? refuseToBegin() : error;
      });
      if (isTooLate()) {
        room.leave();
        throw refuseToBegin();
      }
    };
    const limits = { ...rates(caller), waitForRoom };
    held.set(request, limits);
    limits.countRequest();
  };
  const maxWaiting = requestsAtOnce === 0 ? Infinity : WAITING_OF_REQUEST * requestsAtOnce;
  const tooManyWait = () => {
    refused('requests');
    return rateLimited(
      `${maxWaiting} requests of a caller may wait to begin, and this one would be one more. Try again in ${RETRY_AFTER_SECONDS} s.`,
      RETRY_AFTER_SECONDS,
    );
  };
  const { waitToBegin } = createArrivals(scope.server, maxWaiting, tooManyWait);
  const begin = async (request: FastifyRequest, reply: FastifyReply, caller: string) => {
    await waitToBegin(caller);
    enter(request, reply, caller);
  };
  scope.addHook('onRequest', async (request, reply) => {
    try {
      await admit?.(request);
    } catch (error) {
      // A client that guesses tokens is limited, too.
      await begin(request, reply, ofAddress(request));
      throw error;
    }
    if (!isTrusted?.(request)) await begin(request, reply, callerOf(request));
    if (request.ws) enterSocket(request);
  });
  scope.addHook('onSend', (request, reply, _payload, next) => {
    reply.headers(held.get(request)?.headers() ?? {});
    next();
  });
  return {
    addressOf,
    callerOf,
    limitsOf: (request) => held.get(request) ?? unlimited,
    limitsOfWork(request, caller) {
      if (isTrusted?.(request)) return { ...unlimited, leave: () => undefined };
      const { take, leave } = createRequestRoom(queues, caller);
      const waitForRoom = async (weight: number, pass: Pass) => {
        if (requestsAtOnce > 0) await take(weight, pass);
      };
      return { ...rates(caller), waitForRoom, leave };
    },
    enterSubscription(request) {
      checkLoad();
      return countSubscription(ownersOf(request));
    },
    socketOf: (request) => sockets.get(request),
    isKnown,
    release: (request) => releases.get(request)?.(),
  };
}
