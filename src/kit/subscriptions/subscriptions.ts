import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { ClientError, overloaded } from '../base/errors';
import type { Database } from '../cassandra/database';
import type { ServerConfig } from '../config/config';
import type { Gate, Pass } from '../reads/gate';
import type { Load } from '../reads/load';
import { createTicker } from './live';
import type { Signals } from './signals';
import type { RequestLimits } from '../rate-limits/rate-limits';
import type { DocumentStore } from '../graphql/document-store';
import type { Execution } from '../graphql/executor';
import { createLiveStream, type LiveStream } from './live-stream';
import type { Operations } from '../graphql/operations';
import type { RequestContext } from '../graphql/request-context';
import { createSharedReads } from './shared-reads';
import { Subscription } from './subscription';
import { createSemaphore } from './semaphore';

/** Who subscribes, and what each piece of work for this caller may use. */
export interface Subscriber {
  readonly caller: string;
  contextOf(this: void, work: { pass: Pass; limits: RequestLimits; load?: Load }): RequestContext;
  /** The limits for one piece of work; `leave` ends it. */
  limits(this: void): RequestLimits & { leave(this: void): void };
  /** Counts one more subscription of the caller. Returns the function that ends it. Throws if there are too many. */
  enter(this: void): () => void;
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
type LiveEnd = string;

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
  readonly operations: Operations;
  readonly execution: Execution;
  readonly database: Database;
  readonly gate: Gate;
  readonly signals: Signals;
  readonly config: Pick<ServerConfig, 'limits' | 'live'>;
  readonly logger: Logger;
  readonly observer: LiveObserver;
}

/** How many events are executed at the same time, with reads that they share or of their own: more would keep other requests waiting. */
const EVENTS_AT_ONCE = { shared: 256, own: 64 };

/** Seconds after which a client should subscribe again. */
const RETRY_AFTER_SECONDS = 1;

const DRAINED = 'The server is shutting down: subscribe again after the last cursor.';

/** Creates the subscriptions of a server. */
export function createSubscriptions(services: LiveServices): Subscriptions {
  const { config, database, gate, observer } = services;
  const open = new Set<LiveStream>();
  const ticker = createTicker();
  let entered = 0;
  let isDrained = false;
  let onEmpty: () => void = () => undefined;

  /** Counts one more subscription. Throws if there are too many. Returns the function that ends it. */
  const enter = (subscriber: Subscriber): (() => void) => {
    if (isDrained) throw new ClientError('UNAVAILABLE', DRAINED, undefined, RETRY_AFTER_SECONDS);
    if (entered >= config.live.subscriptionsAtOnce) throw overloaded(RETRY_AFTER_SECONDS);
    const leave = subscriber.enter();
    entered++;
    observer.opened();
    return () => {
      entered--;
      leave();
    };
  };

  const server = {
    ...services,
    ticker,
    enter,
    semaphores: { shared: createSemaphore(EVENTS_AT_ONCE.shared), own: createSemaphore(EVENTS_AT_ONCE.own) },
    sharedReads: createSharedReads(database, gate, config.limits.milliseconds),
  };
  return {
    start(request, subscriber) {
      const subscription = new Subscription(server, request, subscriber, () => {
        open.delete(stream);
        if (open.size === 0) onEmpty();
      });
      const stream = createLiveStream(subscription);
      open.add(stream);
      return stream;
    },
    async drain() {
      isDrained = true;
      const ended = new Promise<void>((resolve) => (onEmpty = resolve));
      for (const stream of open)
        stream.end(new ClientError('UNAVAILABLE', DRAINED, undefined, RETRY_AFTER_SECONDS));
      if (open.size > 0) await ended;
      ticker.stop();
    },
  };
}
