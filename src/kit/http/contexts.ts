import type { FastifyRequest } from 'fastify';
import { attached } from '../base/attached';
import type { ServerConfig } from '../config/config';
import type { Pass } from '../reads/gate';
import { createLoad, type Load } from '../reads/load';
import { createReadLog } from '../graphql/explain';
import type { RequestContext } from '../graphql/request-context';
import type { RequestLimits } from '../rate-limits/rate-limits';
import type { RequestHead } from './admission';
import type { ContextForKit, HttpServerOptions } from './server-options';

/** The caller of a request, and the limits and memory that it may use. */
export interface RequestIdentity {
  isTrusted(this: void, request: RequestHead): boolean;
  passOf(this: void, request: FastifyRequest): Pass;
  callerOf(this: void, request: RequestHead): string;
  limitsOf(this: void, request: FastifyRequest): RequestLimits;
}

/** The limits and the time of some work of a subscription. */
interface LiveWork {
  readonly pass: Pass;
  readonly limits: RequestLimits;
  readonly load?: Load;
  /** The caller's name in the rate limits. */
  readonly caller: string;
}

/** The contexts of the requests of a server. */
export interface Contexts {
  /** Creates a context for work of a subscription that a request has begun. It has a `load` of its own if none is given. */
  ofWork(this: void, request: RequestHead, work: LiveWork): RequestContext;
  /** The context of a request, created by the first call. */
  of(this: void, request: FastifyRequest): RequestContext;
  /** The log entry of a request; nothing if it did not get so far. */
  loggedOf(this: void, request: FastifyRequest): RequestContext['logged'];
  /** Lets go of the context of a request that has ended. */
  forget(this: void, request: FastifyRequest): void;
}

/** The answer to a client that asks for an explanation and may not have it. */
const EXPLAIN_REFUSED: Readonly<Record<ServerConfig['explain'], string>> = {
  everybody: '',
  services: 'This server explains to services only: send the token of a service, or set EXPLAIN=everybody.',
  nobody: 'This server explains to nobody: set EXPLAIN=true for services, or EXPLAIN=everybody.',
};

/** Creates the contexts of requests, one for each. */
export function createContexts(
  { database, config, contextOf, cache }: HttpServerOptions,
  { isTrusted, passOf, callerOf, limitsOf }: RequestIdentity,
): Contexts {
  const contexts = attached<RequestContext>();
  const mayExplain = (request: FastifyRequest) =>
    config.explain === 'everybody' || (config.explain === 'services' && isTrusted(request));
  const contextWith = (
    load: Load,
    request: RequestHead,
    { pass, limits, caller }: Omit<LiveWork, 'load'>,
  ): RequestContext & ContextForKit => ({
    // First, because V8 copies an object quickly only at the beginning of another one.
    ...contextOf?.(load, request, limits),
    load,
    pass,
    caller,
    limits,
    reserve: () => Promise.resolve(),
    mayIntrospect: config.introspection || isTrusted(request),
    logged: {},
  });
  const create = (request: FastifyRequest): RequestContext => {
    const explain = request.headers['x-explain'];
    const isExplained = explain === 'true' || explain === 'only';
    const isAllowed = isExplained && mayExplain(request);
    const log = explain === 'true' && isAllowed ? createReadLog() : undefined;
    const pass = passOf(request);
    const mayUse = () => context.mayReadCached?.() ?? Promise.resolve(false);
    const load: Load = createLoad(
      database,
      log,
      pass,
      cache && !asksForFresh(request)
        ? { cache, mayUse: () => (log ? log.apart(mayUse) : mayUse()) }
        : undefined,
    );
    const context = contextWith(load, request, {
      pass,
      limits: limitsOf(request),
      caller: callerOf(request),
    });
    return {
      ...context,
      ...(log && { log }),
      ...(isExplained && !isAllowed && { explainRefused: EXPLAIN_REFUSED[config.explain] }),
      costOnly: explain === 'only',
    };
  };
  return {
    // The cache is not used: an event tells of a change, which the cache may not have yet, and no further event would correct it.
    ofWork: (request, { load, ...work }) =>
      contextWith(load ?? createLoad(database, undefined, work.pass), request, work),
    of(request) {
      let context = contexts.get(request);
      if (context === undefined) contexts.set(request, (context = create(request)));
      return context;
    },
    loggedOf: (request) => contexts.get(request)?.logged ?? {},
    forget: (request) => {
      contexts.forget(request);
    },
  };
}

/** Whether a request asks by the header of HTTP for rows that are read for it. */
function asksForFresh({ headers }: FastifyRequest): boolean {
  const directives = (headers['cache-control'] ?? '').split(',');
  return directives.some((directive) => directive.trim().toLowerCase() === 'no-cache');
}
