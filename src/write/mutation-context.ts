import type { Context } from '../context';
import type { RequestLimits } from '../kit/rate-limits/rate-limits';
import type { WriteContext } from './write-context';

/** What a mutation has. */
export interface MutationContext extends Context {
  readonly writeContext: WriteContext;
  /** What the caller may still do. */
  readonly limits: RequestLimits;
}
