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

/** What the context of an API may have for the kit, besides what its resolvers use. */
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

/** What a server serves, and what it needs for that. */
export interface HttpServerOptions extends Admission {
  /** The schema and its tables. */
  readonly model: ModelSource;
  readonly database: Database;
  readonly config: ServerConfig;
  readonly logger: Logger;
  /** Bounds how much is read at once; the server creates its own if none is given. */
  readonly gate?: Gate;
  /** What GraphiQL shows, and the headers that it opens with. */
  readonly page: GraphiqlPage;
  readonly headersOf?: HeadersOfVisitor;
  /** What this server has read in the last moments. It is used for callers whose context has `mayReadCached`. */
  readonly cache?: ReadCache | null;
  /** What the context of resolvers has in addition to `load`. The request of a WebSocket has no `headers` any more after `admit`. */
  contextOf?(this: void, load: Load, request: RequestHead, limits: RequestLimits): ContextForKit;
  /** Is called for each GraphQL request that was answered. */
  answered?(this: void, answer: Answered): void;
  /** Counts what waits in the server's queues. */
  readonly waits?: QueueWaits;
  /** What the server keeps in memory, for metrics: told once, when it is created. */
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
