import type { Trends } from './hashtag/trending';
import type { Pass } from './kit/gate';
import type { RequestLimits } from './kit/http/rate-limits';
import type { Load } from './kit/load';
import type { Viewer } from './viewer/viewer';
import type { Writing } from './write/write-context';

/** What one request has. */
export interface Context {
  readonly load: Load;
  readonly viewer: Viewer;
  readonly writing: Writing;
  readonly trends: Trends;
  /** How long the request may take; for work that does not go through `load`. */
  readonly pass: Pass;
  /** What the caller may still do. */
  readonly limits: RequestLimits;
  /** Only tweets from this month on are in timelines; null keeps all. */
  readonly timelineSince: Date | null;
}
