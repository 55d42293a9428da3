import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { ClientError, overloaded, rateLimited } from '../base/errors';
import type { Database } from '../cassandra/database';
import type { ServerConfig } from '../config/config';
import { sumOf } from '../cost/cost';
import type { QueryCost } from '../cost/query-cost';
import type { Gate, Pass } from '../data/gate';
import type { Load } from '../data/load';
import { createTicker } from '../live/live';
import type { Signals } from '../live/signals';
import type { RequestLimits } from '../rate-limits/rate-limits';
import { pointsOf, refuseIntrospection } from './admission';
import type { BeginOperation } from './begin-operation';
import type { DocumentStore } from './document-store';
import type { Execution } from './executor';
import { createLiveStream, type LiveStream } from './live-stream';
import { eventsOf, formatted, requestedBy } from './live-work';
import type { PreparationQueue } from './preparation-queue';
import type { RequestContext } from './request-context';
import { createSharedReads } from './shared-reads';
import { createTurns } from './turns';

/** Who subscribes, and what each piece of work for this caller may use. */
export interface Subscriber {
  readonly caller: string;
  contextOf(this: void, work: { pass: Pass; limits: RequestLimits; load?: Load }): RequestContext;
  /** The limits for one piece of work; `leave` ends it. */
  limits(this: void): RequestLimits & { leave(this: void): void };
  /** Counts one more subscription of the caller. Returns the function that ends it, or null if there are too many. */
  enter(this: void): (() => void) | null;
}

/** What a client asks for; nothing of it was checked. */
export interface SubscriptionRequest {
  readonly query: unknown;
  readonly operationName: unknown;
  readonly variables: unknown;
}

/** An event as it is sent. */
export interface LiveResult {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLFormattedError[];
}

/** Why a subscription ended: a code of the catalogue, by itself (`completed`), or by its client (`left`). */
export type LiveEnd = string;

/** Is told what happens to subscriptions. */
export interface LiveObserver {
  opened(this: void): void;
  sent(this: void): void;
  ended(this: void, how: LiveEnd): void;
}

/** The subscriptions of a server. */
export interface Subscriptions {
  /** Begins a subscription. What is wrong with it, or what `request` throws, is its first and last event. */
  start(this: void, request: () => SubscriptionRequest, subscriber: Subscriber): LiveStream;
  /** Ends all subscriptions with an error that says to subscribe again, and begins no more. Resolves when all have ended. */
  drain(this: void): Promise<void>;
}

/** What subscriptions need of their server. */
export interface LiveServices {
  readonly schema: GraphQLSchema;
  readonly documents: DocumentStore;
  readonly preparing: PreparationQueue;
  readonly begin: BeginOperation;
  readonly execution: Execution;
  readonly database: Database;
  readonly gate: Gate;
  readonly signals: Signals;
  readonly config: Pick<ServerConfig, 'limits' | 'live'>;
  readonly logger: Logger;
  readonly observer: LiveObserver;
}

/** How many events are executed at the same time: more would keep other requests waiting. */
const EVENTS_AT_ONCE = 64;

/** Seconds after which a client should subscribe again. */
const RETRY_AFTER_SECONDS = 1;

const DRAINED = 'The server is shutting down: subscribe again after the last cursor.';

/** Creates the subscriptions of a server. */
export function createSubscriptions(services: LiveServices): Subscriptions {
  const { config, observer } = services;
  const open = new Map<LiveStream, Promise<void>>();
  const ticker = createTicker();
  const run = createRun(services, ticker);
  let isDrained = false;

  /** Counts one more subscription. Throws if there are too many. Returns the function that ends it. */
  const enter = (subscriber: Subscriber): (() => void) => {
    if (isDrained) throw new ClientError('UNAVAILABLE', DRAINED, undefined, RETRY_AFTER_SECONDS);
    if (open.size >= config.live.subscriptionsAtOnce) throw overloaded(RETRY_AFTER_SECONDS);
    const leave = subscriber.enter();
    if (leave === null)
      throw rateLimited(
        'A caller may have a limited number of subscriptions at once: end one of them first.',
        RETRY_AFTER_SECONDS,
      );
    return leave;
  };

  return {
    start(request, subscriber) {
      let finish: () => void = () => undefined;
      const finished = new Promise<void>((resolve) => (finish = resolve));
      let leave: (() => void) | undefined;
      const stream = createLiveStream({
        async *events(ended) {
          leave = enter(subscriber);
          observer.opened();
          yield* run(request, subscriber, ended);
        },
        errorOf: (error) => formatted(services, { errors: [error] }),
        closed(how) {
          open.delete(stream);
          if (leave) observer.ended(how);
          leave?.();
          finish();
        },
      });
      open.set(stream, finished);
      return stream;
    },
    async drain() {
      isDrained = true;
      for (const stream of open.keys())
        stream.end(new ClientError('UNAVAILABLE', DRAINED, undefined, RETRY_AFTER_SECONDS));
      await Promise.all(open.values());
      ticker.stop();
    },
  };
}

/** Runs one subscription until it has no more events. */
type Run = (
  request: () => SubscriptionRequest,
  subscriber: Subscriber,
  ended: AbortSignal,
) => AsyncGenerator<LiveResult, void, undefined>;

function createRun(services: LiveServices, ticker: ReturnType<typeof createTicker>): Run {
  const { config, gate, database, signals, observer, execution } = services;
  const turns = createTurns(EVENTS_AT_ONCE);
  const sharedReads = createSharedReads(database, gate, config.limits.milliseconds);

  /** Does work of a subscriber with a pass and limits of its own. */
  const within = async <T>(
    subscriber: Subscriber,
    work: (context: RequestContext, pass: Pass) => Promise<T>,
  ): Promise<T> => {
    const limits = subscriber.limits();
    const pass = gate.enter(config.limits.milliseconds);
    try {
      const result = await work(subscriber.contextOf({ pass, limits }), pass);
      limits.settle(pass.reads);
      return result;
    } finally {
      limits.leave();
      pass.close();
    }
  };

  return async function* run(request, subscriber, ended) {
    const live = {
      signals,
      ticker,
      ended,
      readEveryMs: config.live.readSeconds * 1000,
      read: <T>(work: (context: RequestContext) => Promise<T>) => sharedReads(subscriber, work),
    };
    // A request is checked as that for a query, and its start is charged.
    const { requested, cost, events } = await within(subscriber, async (context, pass) => {
      context.limits.enter();
      const requested = await requestedBy(services, request(), subscriber.caller, pass);
      if (!context.mayIntrospect) refuseIntrospection(requested.document);
      services.begin(requested, context);
      const events = await eventsOf(services.schema, requested, { ...context, live });
      return { requested, cost: eventCost(context.cost), events };
    });
    for await (const event of events) {
      if (ended.aborted) return;
      const leaveTurn = await turns();
      let result: LiveResult;
      try {
        // Each event has reads of its own: what an earlier one has read may be old.
        result = await within(subscriber, async (context) => {
          context.cost = cost;
          context.limits.charge(pointsOf(cost), 0);
          return formatted(services, await execution.run(requested, context, event));
        });
      } finally {
        leaveTurn();
      }
      observer.sent();
      yield result;
    }
  };
}

/** What an event costs: the selection, without what the field of the subscription reads to find events, which is charged apart. */
function eventCost(cost: QueryCost = NO_COST): QueryCost {
  const own = cost.fields.filter(({ field }) => field.startsWith('Subscription.'));
  const { reads, rows } = sumOf(own);
  return { ...cost, reads: Math.max(0, cost.reads - reads), rows: Math.max(0, cost.rows - rows) };
}

const NO_COST: QueryCost = { reads: 0, rows: 0, nodes: 0, values: 0, fields: [] };
