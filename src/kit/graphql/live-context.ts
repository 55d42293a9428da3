import type { Live } from '../live/live';
import type { RequestContext } from './request-context';

/** The context in which the field of a subscription begins. */
export interface LiveContext<C extends RequestContext = RequestContext> extends RequestContext {
  readonly live: Live<C>;
}
