import type { Feature } from '../feature';
import { likesByTweet, likesByUser } from './like.table';
import { LikeConnectionResolver, LikeEdgeResolver, LikeResolver, LikerResolver } from './like.resolver';

/** Likes: tables, resolvers. */
export const like: Feature = {
  title: 'Likes',
  tables: [likesByTweet, likesByUser],
  resolvers: [LikeConnectionResolver, LikeEdgeResolver, LikeResolver, LikerResolver],
};
