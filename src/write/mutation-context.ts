import type { Context } from '../context';
import type { RequestLimits } from '../kit/rate-limits/rate-limits';
import type { WriteContext } from './write-context';

/** The context of a mutation: that of a query, and what writing needs. */
export interface MutationContext extends Context {
  readonly writeContext: WriteContext;
  /** The rate limits of the caller. */
  readonly limits: RequestLimits;
}
