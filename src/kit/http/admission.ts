import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServerConfig } from '../config';
import { networkOf } from './address';
import { createRateLimits, unlimited, type RateLimit, type RequestLimits } from './rate-limits';
import { shedLoad, type Pressure } from './shed-load';

/** Why a well-formed request was refused: the server's load, or a rate limit. */
export type Refusal = Pressure | RateLimit;

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

/** Tells what the caller of a request may still do. */
export type LimitsOf = (request: FastifyRequest) => RequestLimits;

/** Has a scope admit requests: sheds load first, then finds out who asks, then holds the caller's limits, and tells them in each answer. */
export function admitRequests(
  scope: FastifyInstance,
  config: Pick<ServerConfig, 'shedding' | 'rates'>,
  admission: Admission,
): LimitsOf {
  const { admit, identityOf, isTrusted, waitingRequests = () => 0, refused = () => undefined } = admission;
  shedLoad(scope, config.shedding, waitingRequests, refused);
  const rates = createRateLimits(config.rates, refused);
  const held = new WeakMap<FastifyRequest, RequestLimits>();
  const enter = (request: FastifyRequest, caller: string | null) => {
    const limits = rates(caller === null ? `address ${networkOf(request.ip)}` : `identity ${caller}`);
    held.set(request, limits);
    limits.enter();
  };
  scope.addHook('onRequest', async (request) => {
    try {
      await admit?.(request);
    } catch (error) {
      // Whoever tries tokens is limited too.
      enter(request, null);
      throw error;
    }
    if (!isTrusted?.(request)) enter(request, identityOf?.(request) ?? null);
  });
  scope.addHook('onSend', (request, reply, _payload, next) => {
    reply.headers(held.get(request)?.headers() ?? {});
    next();
  });
  return (request) => held.get(request) ?? unlimited;
}
