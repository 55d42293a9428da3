import type { Feature } from '../feature';
import { pulledByUser } from '../follow/follow.table';
import { fanoutModes, timelinesByUser } from './timeline.table';
import { TimelineResolver } from './timeline.resolver';

/** Timelines: tables, resolvers. */
export const timeline: Feature = {
  title: 'Timelines',
  tables: [timelinesByUser, pulledByUser, fanoutModes],
  resolvers: [TimelineResolver],
};
