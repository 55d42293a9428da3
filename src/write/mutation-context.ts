import type { Context } from '../context';
import type { RequestLimits } from '../kit/rate-limits/rate-limits';
import type { WriteServices } from './write-services';

/** The context of a mutation: that of a query, and what writing needs. */
export interface MutationContext extends Context {
  readonly writeServices: WriteServices;
  /** The rate limits of the caller. */
  readonly limits: RequestLimits;
}
