import type { Feature } from '../feature';
import { threadEntries } from './thread.lists';
import { ThreadResolver } from './thread.resolver';

/** Threads: what stands above and below a tweet in its conversation. */
export const threadFeature: Feature = {
  title: 'Threads',
  tables: [threadEntries],
  resolvers: [ThreadResolver],
};
