import type { FastifyRequest } from 'fastify';
import type { Pass } from '../data/gate';
import { createLoad, type Load } from '../data/load';
import { createReadLog } from '../graphql/explain';
import type { RequestContext } from '../graphql/request-context';
import type { RequestLimits } from '../rate-limits/rate-limits';
import type { AppContext, HttpServerOptions } from './server';

/** Who sent a request, and what it may use. */
export interface RequestIdentity {
  isTrusted(this: void, request: FastifyRequest): boolean;
  passOf(this: void, request: FastifyRequest): Pass;
  callerOf(this: void, request: FastifyRequest): string;
  limitsOf(this: void, request: FastifyRequest): RequestLimits;
}

/** The contexts of the requests of a server. */
export interface Contexts {
  /** The context of a request, created by the first call. */
  of(this: void, request: FastifyRequest): RequestContext;
  /** The name of the operation that a request has asked for, if it got so far and has one. */
  operationOf(this: void, request: FastifyRequest): string | undefined;
}

/** Creates the contexts of requests, one for each. */
export function createContexts(
  { database, config, contextOf, cache }: HttpServerOptions,
  { isTrusted, passOf, callerOf, limitsOf }: RequestIdentity,
): Contexts {
  const contexts = new WeakMap<object, RequestContext>();
  const mayExplain = (request: FastifyRequest) =>
    config.explain === 'everybody' || (config.explain === 'services' && isTrusted(request));
  const create = (request: FastifyRequest): RequestContext => {
    const explain = request.headers['x-explain'];
    const log = explain === 'true' && mayExplain(request) ? createReadLog() : undefined;
    const pass = passOf(request);
    const limits = limitsOf(request);
    const mayUse = (hits: number) => app.mayReadCached?.(hits) ?? Promise.resolve(false);
    const load: Load = createLoad(
      database,
      log,
      pass,
      cache && !asksForFresh(request)
        ? { cache, mayUse: (hits) => (log ? log.apart(() => mayUse(hits)) : mayUse(hits)) }
        : undefined,
    );
    const app: AppContext = contextOf?.(load, request, limits) ?? {};
    return {
      load,
      pass,
      caller: callerOf(request),
      ...app,
      limits,
      mayIntrospect: config.introspection || isTrusted(request),
      logged: {},
      ...(log && { log }),
      costOnly: explain === 'only',
    };
  };
  return {
    of(request) {
      let context = contexts.get(request);
      if (context === undefined) contexts.set(request, (context = create(request)));
      return context;
    },
    operationOf: (request) => contexts.get(request)?.logged.operation,
  };
}

/** Whether a request asks by the header of HTTP for rows that are read for it. */
function asksForFresh({ headers }: FastifyRequest): boolean {
  return /\bno-cache\b/i.test(headers['cache-control'] ?? '');
}
