import type { Pass } from './kit/data/gate';
import type { Load } from './kit/data/load';

/** Who sent a request. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'service'; readonly issuer: string; readonly subject: string }
  | { readonly kind: 'person'; readonly issuer: string; readonly subject: string };

/** Who a request acts as. */
export interface Viewer {
  readonly caller: Caller;
  /** The id of the caller's user; null for who has none. Costs one or two partitions, once a request. */
  userId(): Promise<string | null>;
  /** Forgets who that is: the caller may have made a user. */
  forget(): void;
}

/** What a query has. Mutations have more: see `MutationContext`. */
export interface Context {
  readonly load: Load;
  readonly viewer: Viewer;
  /** How long the request may take; for work that does not go through `load`. */
  readonly pass: Pass;
  /** Only tweets from this month on are in timelines; null keeps all. */
  readonly timelineSince: Date | null;
}
