import type { Logger } from 'pino';
import type { Database } from '../cassandra/database';
import type { ServerConfig } from '../config/config';
import type { Gate } from '../reads/gate';
import type { HeadersOfVisitor, GraphiqlPage } from '../../tools/graphiql/graphiql';
import type { Kept } from '../base/kept';
import type { LiveObserver } from '../subscriptions/live-services';
import type { Load } from '../reads/load';
import type { Signals } from '../subscriptions/signals';
import type { ReadCache } from '../reads/read-cache';
import type { ModelSource } from '../../tools/model/model';
import type { Admission, QueueWaits, RequestHead } from './admission';
import type { RequestLimits } from '../rate-limits/rate-limits';
import type { Downloads } from './downloads';
import type { MetricsSource } from './operations';

/** The properties of an API's context that the kit uses, besides those for its resolvers. */
export type ContextForKit = object & {
  /** Whether the caller may be shown cached results: they must have all that it wrote. */
  mayReadCached?(this: void): Promise<boolean>;
  /** Runs each mutation. */
  whileWriting?<T>(this: void, work: () => Promise<T>): Promise<T>;
};

/** An answer to a GraphQL request. */
export interface Answered {
  readonly status: number;
  readonly seconds: number;
  /** The codes of the errors in the answer, each once. */
  readonly codes: readonly string[];
  /** The name of the trusted operation; `other` if the operation is not trusted, or has no name, or there was none. */
  readonly operation: string;
}

/** The content of a server, and the services that it needs. */
export interface HttpServerOptions extends Admission {
  /** The schema and its tables. */
  readonly model: ModelSource;
  readonly database: Database;
  readonly config: ServerConfig;
  readonly logger: Logger;
  /** Bounds how much is read at once; the server creates its own if none is given. */
  readonly gate?: Gate;
  /** The tabs of GraphiQL, and the headers that it opens with. */
  readonly page: GraphiqlPage;
  readonly headersOf?: HeadersOfVisitor;
  /** The recent reads of this server. They are used for callers whose context has `mayReadCached`. */
  readonly cache?: ReadCache | null;
  /** Creates the context of resolvers, without `load`. The request of a WebSocket has no `headers` any more after `admit`. */
  contextOf?(this: void, load: Load, request: RequestHead, limits: RequestLimits): ContextForKit;
  /** Is called for each GraphQL request that was answered. */
  answered?(this: void, answer: Answered): void;
  /** Counts what waits in the server's queues. */
  readonly waits?: QueueWaits;
  /** Is told once, when the server is created, of the caches that it keeps in memory, for metrics. */
  keeps?(this: void, caches: Readonly<Record<string, Kept>>): void;
  /** Whether this server can write now, as `/health/ready` tells. */
  canWrite?(this: void): boolean;
  /** Tells subscriptions of changes; those of this server only if none are given. */
  readonly signals?: Signals;
  /** Is told what happens to subscriptions. */
  readonly live?: LiveObserver;
  readonly metrics?: MetricsSource;
  /** Files besides GraphQL, by their paths. Requests for them are admitted as others are. */
  readonly downloads?: Downloads;
}
