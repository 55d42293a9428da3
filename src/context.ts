import type { Load } from './kit/load';
import type { Viewer } from './viewer/viewer';

/** What one request has. */
export interface Context {
  readonly load: Load;
  readonly viewer: Viewer;
  /** Only tweets from this month on are in timelines; null keeps all. */
  readonly timelineSince: Date | null;
}
