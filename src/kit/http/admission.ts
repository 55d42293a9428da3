import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServerConfig } from '../config/config';
import { rateLimited } from '../base/errors';
import type { Pass } from '../data/gate';
import { networkOf } from '../config/address';
import { createCallerQueues } from '../rate-limits/caller-queues';
import { createCounts } from '../rate-limits/counts';
import { createRateLimits, unlimited, type RateLimit, type RequestLimits } from '../rate-limits/rate-limits';
import { shedLoad, type Pressure } from './shed-load';

/** Why a well-formed request was refused: the server's load, or a rate limit. */
export type Refusal = Pressure | RateLimit | 'requests';

/** What decides whether a request is answered at all. */
export interface Admission {
  /** Finds out who sends a request, before anything of it is read; throws where it is not to be answered. */
  admit?(this: void, request: FastifyRequest): Promise<void>;
  /** Names the caller of an admitted request, for limits that are each caller's own; null: it is told by its address. */
  identityOf?(this: void, request: FastifyRequest): string | null;
  /** Whether a request comes from a program that the operator trusts: no rate limits it, and it may see how the server works. */
  isTrusted?(this: void, request: FastifyRequest): boolean;
  /** How many requests wait for their turn to read. */
  waitingRequests?(this: void): number;
  /** Hears of each request that was refused for the load or a rate. */
  refused?(this: void, reason: Refusal): void;
}

/** What is known of requests that were admitted. */
export interface Admitted {
  /** Tells callers apart: an identity, else a network address. */
  callerOf(this: void, request: FastifyRequest): string;
  /** Tells what the caller of a request may still do. */
  limitsOf(this: void, request: FastifyRequest): RequestLimits;
}

/** Seconds after which a caller with too many requests at once should try again. */
const RETRY_AFTER_SECONDS = 1;

/** Has a scope admit requests: sheds load first, then finds out who asks, then holds the caller's limits, and tells them in each answer. */
export function admitRequests(
  scope: FastifyInstance,
  config: Pick<ServerConfig, 'shedding' | 'rates'>,
  admission: Admission,
): Admitted {
  const { admit, identityOf, isTrusted, waitingRequests = () => 0, refused = () => undefined } = admission;
  const { requestsAtOnce } = config.rates;
  shedLoad(scope, config.shedding, waitingRequests, refused);
  const rates = createRateLimits(config.rates, refused);
  const open = createCounts(requestsAtOnce);
  const queues = createCallerQueues();
  const held = new WeakMap<FastifyRequest, RequestLimits>();
  const ofAddress = (request: FastifyRequest) => `address ${networkOf(request.ip)}`;
  const callerOf = (request: FastifyRequest) => {
    const identity = identityOf?.(request) ?? null;
    return identity === null ? ofAddress(request) : `identity ${identity}`;
  };
  const enter = (request: FastifyRequest, { raw }: FastifyReply, caller: string) => {
    if (requestsAtOnce > 0) {
      if (!open.add(caller)) {
        refused('requests');
        throw rateLimited(
          `There may be ${requestsAtOnce} requests of one caller at once. Try again when one is answered.`,
          RETRY_AFTER_SECONDS,
        );
      }
      raw.once('close', () => {
        open.remove(caller);
      });
    }
    const begin = async (weight: number, pass: Pass) => {
      if (requestsAtOnce === 0) return;
      const leave = await queues.enter(caller, weight, pass);
      if (raw.closed) leave();
      else raw.once('close', leave);
    };
    const limits = { ...rates(caller), begin };
    held.set(request, limits);
    limits.enter();
  };
  scope.addHook('onRequest', async (request, reply) => {
    try {
      await admit?.(request);
    } catch (error) {
      // Whoever tries tokens is limited too.
      enter(request, reply, ofAddress(request));
      throw error;
    }
    if (!isTrusted?.(request)) enter(request, reply, callerOf(request));
  });
  scope.addHook('onSend', (request, reply, _payload, next) => {
    reply.headers(held.get(request)?.headers() ?? {});
    next();
  });
  return { callerOf, limitsOf: (request) => held.get(request) ?? unlimited };
}
