import type { Feature } from '../feature';
import { ThreadResolver } from './thread.resolver';

/** Threads: what stands above and below a tweet in its conversation. */
export const threadFeature: Feature = {
  title: 'Threads',
  tables: [],
  resolvers: [ThreadResolver],
};
