import type { Load } from './kit/load';

/** What one request has. */
export interface Context {
  readonly load: Load;
  /** Only tweets from this month on are in timelines; null keeps all. */
  readonly timelineSince: Date | null;
}
