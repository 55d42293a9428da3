import type { Feature } from '../feature';
import { followersByUser, followingByUser, relations } from './follow.table';
import {
  FollowConnectionResolver,
  FollowEdgeResolver,
  FollowResolver,
  ViewerRelationResolver,
} from './follow.resolver';

/** Follows: tables, resolvers. */
export const follow: Feature = {
  title: 'Follows',
  tables: [followersByUser, followingByUser, relations],
  resolvers: [FollowConnectionResolver, FollowEdgeResolver, FollowResolver, ViewerRelationResolver],
};
