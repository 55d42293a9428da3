import type { Feature } from '../feature';
import { likeConnections, likesByTweet, likesByUser } from './like.lists';
import { LikeResolver } from './like.resolver';

/** Likes: lists, connections, resolvers. */
export const likeFeature: Feature = {
  title: 'Likes',
  tables: [likesByTweet, likesByUser],
  connections: likeConnections,
  resolvers: [LikeResolver],
};
