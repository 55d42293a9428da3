import type { Feature } from '../feature';
import { followConnections, followersByUser, followingByUser } from './follow.lists';
import { ViewerRelationResolver } from './follow.resolver';
import { relations } from './follow.table';

/** Follows: tables, connections, resolvers. */
export const followFeature: Feature = {
  title: 'Follows',
  tables: [followersByUser, followingByUser, relations],
  connections: followConnections,
  resolvers: [ViewerRelationResolver],
};
