import type { Feature } from '../feature';
import { pulledByUser } from '../follow/follow.table';
import { timelinesByUser } from './timeline.lists';
import { fanoutModes } from './timeline.table';
import { timelineConnections } from './timeline.connections';

/** Timelines: tables, connections. */
export const timelineFeature: Feature = {
  title: 'Timelines',
  tables: [timelinesByUser, pulledByUser, fanoutModes],
  connections: timelineConnections,
};
