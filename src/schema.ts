import 'reflect-metadata';
import {
  GraphQLInterfaceType,
  GraphQLObjectType,
  lexicographicSortSchema,
  printSchema,
  type GraphQLSchema,
} from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import {
  FollowConnectionResolver,
  FollowEdgeResolver,
  FollowMutations,
  FollowResolver,
  ViewerRelationResolver,
} from './follow/follow.resolver';
import { FrequencyResolver } from './frequency/frequency.resolver';
import { HashtagResolver } from './hashtag/hashtag.resolver';
import { encodeNodeId } from './kit/relay/node';
import type { PageInfo } from './kit/relay/types';
import {
  LikeConnectionResolver,
  LikeEdgeResolver,
  LikeMutations,
  LikerResolver,
  LikeResolver,
} from './like/like.resolver';
import { MapResolver } from './map/map.resolver';
import { ArticleResolver, UserArticlesResolver } from './news/article.resolver';
import { ArticleCommentsResolver, CommentResolver } from './news/comment.resolver';
import { NewsMutations } from './news/news.mutations';
import { NodeResolver, nodeTypes } from './node.resolver';
import { RankingResolver } from './ranking/ranking.resolver';
import { SearchResolver } from './search/search.resolver';
import { ShareMutations, ShareResolver } from './share/share.resolver';
import { TimelineResolver } from './timeline/timeline.resolver';
import { RawResolver } from './tweet/raw.resolver';
import { AuthorResolver, TweetResolver } from './tweet/tweet.resolver';
import { TweetMutations } from './tweet/tweet.mutations';
import { UserMutations } from './user/user.mutations';
import { UserResolver } from './user/user.resolver';
import { ViewerResolver } from './viewer/viewer.resolver';

/** Builds the executable schema from every resolver. */
export function createSchema(): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [
      NodeResolver,
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
    ],
    validate: false,
  });
  // type-graphql's own resolveType is asynchronous, which graphql-jit does not wait for.
  const node = schema.getType('Node');
  if (node instanceof GraphQLInterfaceType)
    node.resolveType = (value: { __typename: string }) => value.__typename;
  // graphql-jit waits for what a resolver gives, not for what a property holds.
  const pageInfo = schema.getType('PageInfo');
  if (pageInfo instanceof GraphQLObjectType) {
    const { hasNextPage, hasPreviousPage } = pageInfo.getFields();
    if (hasNextPage) hasNextPage.resolve = (page: PageInfo) => page.hasNextPage;
    if (hasPreviousPage) hasPreviousPage.resolve = (page: PageInfo) => page.hasPreviousPage;
  }
  // A node's global id is made from its own one by a plain function: type-graphql's wrapper would cost more than the id.
  for (const [name, { key }] of Object.entries(nodeTypes)) {
    const type = schema.getType(name);
    if (!(type instanceof GraphQLObjectType)) continue;
    const field = type.getFields()['id'];
    if (field) field.resolve = (row: Readonly<Record<string, string>>) => encodeNodeId(name, row[key] ?? '');
  }
  return schema;
}

/** The schema as it is committed in `schema.graphql`. */
export function printed(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
