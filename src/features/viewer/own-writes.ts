import type { Viewer } from '../../context';
import type { Load } from '../../kit/reads/load';
import { hasWrittenRecently, type RecentWriters } from '../../kit/reads/recent-writers';

/** The means by which a caller sees its own writes at once, although servers keep what they have read. */
export interface OwnWrites {
  /** Whether the caller may be shown cached results. */
  mayReadCached(this: void): Promise<boolean>;
  /** Runs a mutation, and records the caller as a recent writer. */
  whileWriting<T>(this: void, work: () => Promise<T>): Promise<T>;
}

/**
 * Creates the `OwnWrites` of a request. A person writes as its user, whatever the token. Anonymous callers write nothing, and
 * services only new users, who are in no cache yet.
 */
export function createOwnWrites(load: Load, viewer: Viewer, recentWriters: RecentWriters): OwnWrites {
  const { caller } = viewer;
  const nameOf = async () => (caller.kind === 'person' ? viewer.accountId() : null);
  let known: Promise<boolean> | undefined;
  const hasNotWrittenRecently = async () => {
    const name = await nameOf();
    return name === null || !(await hasWrittenRecently(load, name));
  };
  return {
    mayReadCached: async () => caller.kind !== 'person' || (known ??= hasNotWrittenRecently()),
    whileWriting: (work) => recentWriters.during(nameOf, work),
  };
}
