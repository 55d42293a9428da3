import type { QueryCost } from '../cost/query-cost';
import type { Pass } from '../data/gate';
import type { RequestLimits } from '../rate-limits/rate-limits';
import type { Load, ReadLog } from '../data/load';

/** What every request's context has beside what the resolvers of an API use. */
export interface RequestContext {
  readonly load: Load;
  readonly pass: Pass;
  /** Tells callers apart, as the limits do. */
  readonly caller: string;
  /** Present when somebody wants to know the reads. */
  readonly log?: ReadLog;
  /** Whether only the cost is to be told, and nothing read. */
  readonly costOnly?: boolean;
  /** What the operation costs at most; known before anything is read. */
  cost?: QueryCost;
  /** What the caller may still do. */
  readonly limits: RequestLimits;
  /** Whether the caller may ask for the schema. */
  readonly mayIntrospect: boolean;
  /** For the line in the server's log. */
  operation: string | undefined;
}
