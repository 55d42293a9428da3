import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import {
  FollowConnectionResolver,
  FollowEdgeResolver,
  FollowResolver,
  ViewerRelationResolver,
} from './follow/follow.resolver';
import { FollowMutations } from './write/follow/follow.mutations';
import { FrequencyResolver } from './frequency/frequency.resolver';
import { HashtagResolver } from './hashtag/hashtag.resolver';
import { buildApi } from './kit/graphql/schema';
import { LikeConnectionResolver, LikeEdgeResolver, LikeResolver, LikerResolver } from './like/like.resolver';
import { LikeMutations } from './write/like/like.mutations';
import { MapResolver } from './map/map.resolver';
import { ArticleResolver, UserArticlesResolver } from './news/article.resolver';
import { ArticleCommentsResolver, CommentResolver } from './news/comment.resolver';
import { NewsMutations } from './write/news/news.mutations';
import { nodeTypes } from './node-types';
import { RankingResolver } from './ranking/ranking.resolver';
import { SearchResolver } from './search/search.resolver';
import { ShareMutations } from './write/share/share.mutations';
import { ShareResolver } from './share/share.resolver';
import { TimelineResolver } from './timeline/timeline.resolver';
import { RawResolver } from './tweet/raw.resolver';
import { AuthorResolver, TweetResolver } from './tweet/tweet.resolver';
import { TweetMutations } from './write/tweet/tweet.mutations';
import { UserMutations } from './write/user/user.mutations';
import { UserResolver } from './user/user.resolver';
import { ViewerResolver } from './viewer/viewer.resolver';

const resolvers = [
  ViewerResolver,
  UserResolver,
  FollowResolver,
  ViewerRelationResolver,
  FollowEdgeResolver,
  FollowConnectionResolver,
  TweetResolver,
  AuthorResolver,
  TimelineResolver,
  LikerResolver,
  LikeResolver,
  LikeEdgeResolver,
  LikeConnectionResolver,
  ShareResolver,
  SearchResolver,
  HashtagResolver,
  RankingResolver,
  FrequencyResolver,
  MapResolver,
  RawResolver,
  ArticleResolver,
  UserArticlesResolver,
  CommentResolver,
  ArticleCommentsResolver,
  UserMutations,
  FollowMutations,
  TweetMutations,
  LikeMutations,
  ShareMutations,
  NewsMutations,
];

/** Builds the executable schema from every resolver. */
export function createSchema(): GraphQLSchema {
  return buildApi(resolvers, nodeTypes);
}
