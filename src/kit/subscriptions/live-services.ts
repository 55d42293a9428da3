import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Database } from '../cassandra/database';
import type { ServerConfig } from '../config/config';
import type { Gate, Pass } from '../reads/gate';
import type { Load } from '../reads/load';
import type { Signals } from './signals';
import type { RequestLimits } from '../rate-limits/rate-limits';
import type { DocumentStore } from '../graphql/document-store';
import type { Execution } from '../graphql/executor';
import type { Operations } from '../graphql/operations';
import type { RequestContext } from '../graphql/request-context';
import type { Live } from './live';

/** The caller who subscribes, and the limits of each piece of work for this caller. */
export interface Subscriber {
  readonly caller: string;
  /** Whether the caller is known by a token. */
  readonly isKnown: boolean;
  contextOf(this: void, work: { pass: Pass; limits: RequestLimits; load?: Load }): RequestContext;
  /** The limits for one piece of work; `leave` ends it. */
  limits(this: void): RequestLimits & { leave(this: void): void };
  /** Counts one more subscription of the caller. Returns the function that ends it. Throws if there are too many. */
  countSubscription(this: void): () => void;
}

/** The request of a client; nothing of it was checked. */
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

/** The services that subscriptions need of their server. */
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

/** The context in which the field of a subscription begins. */
export interface LiveContext<C extends RequestContext = RequestContext> extends RequestContext {
  readonly live: Live<C>;
}
