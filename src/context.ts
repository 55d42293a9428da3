import type { Reserve } from './kit/cost/reserve';
import type { Pass } from './kit/reads/gate';
import type { Load } from './kit/reads/load';

/** Who sent a request. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'service'; readonly issuer: string; readonly subject: string }
  | { readonly kind: 'person'; readonly issuer: string; readonly subject: string };

/** The caller of a request, and the caller's user. */
export interface Viewer {
  readonly caller: Caller;
  /** The id of the caller's user; null without a user. Reads at most three partitions, once a request. */
  userId(): Promise<string | null>;
  /** Whether `userId` reads nothing more: it was called before, or the server remembers the caller's user. */
  isKnown(this: void): boolean;
  /** Whether a user is suspended, and so writes nothing. */
  isSuspended(this: void, userId: string): boolean;
  /** Forgets the user, because the caller may have created one. */
  forget(): void;
}

/** The context of a query. Mutations have more: see `MutationContext`. */
export interface Context {
  readonly load: Load;
  readonly viewer: Viewer;
  /** The deadline of the request, for work that does not go through `load`. */
  readonly pass: Pass;
  /** Adds to the bound of the request what a list turns out to need, before that is read. */
  readonly reserve: Reserve;
  /** Timelines have only tweets from this moment on; null shows all. */
  readonly timelineSince: Date | null;
  /** The users whose timelines are merged, because `pulled_by_user` has, or had, rows of them, as far as this server knows. */
  readonly mergedTimelines: MergedTimelines;
}

/** A set of users, by id. */
export interface MergedTimelines {
  has(userId: string): boolean;
  set(userId: string, isMerged: true): void;
}
