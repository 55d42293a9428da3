import type { Viewer } from '../../context';
import type { Load } from '../../kit/reads/load';
import { hasWrittenRecently, type RecentWriters } from '../../kit/reads/recent-writers';

/** Finding out whether a caller has just written costs up to four reads: three for its user, and one of `recent_writers`. */
const MIN_HITS_IF_VIEWER_UNKNOWN = 4;

/** What a request needs so that its caller sees its own writes at once, although servers keep what they have read. */
export interface OwnWrites {
  /** Whether the caller may be shown cached results, of which there are `hits`. */
  mayReadCached(this: void, hits: number): Promise<boolean>;
  /** Runs a mutation, and records the caller as a recent writer. */
  whileWriting<T>(this: void, work: () => Promise<T>): Promise<T>;
}

/**
 * Creates the `OwnWrites` of a request. A person writes as its user, whatever the token. Anonymous callers write nothing, and
 * services only new users, who are in no cache yet.
 */
export function createOwnWrites(load: Load, viewer: Viewer, recentWriters: RecentWriters): OwnWrites {
  const { caller } = viewer;
  const nameOf = async () => (caller.kind === 'person' ? viewer.userId() : null);
  let known: Promise<boolean> | undefined;
  const hasNotWrittenRecently = async () => {
    const name = await nameOf();
    return name === null || !(await hasWrittenRecently(load, name));
  };
  return {
    async mayReadCached(hits) {
      if (caller.kind !== 'person') return true;
      if (known === undefined && !viewer.isKnown() && hits < MIN_HITS_IF_VIEWER_UNKNOWN) return false;
      return (known ??= hasNotWrittenRecently());
    },
    whileWriting: (work) => recentWriters.during(nameOf, work),
  };
}
