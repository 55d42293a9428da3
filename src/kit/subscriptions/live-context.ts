import type { Live } from './live';
import type { RequestContext } from '../graphql/request-context';

/** The context in which the field of a subscription begins. */
export interface LiveContext<C extends RequestContext = RequestContext> extends RequestContext {
  readonly live: Live<C>;
}
