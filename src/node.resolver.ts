import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { Context } from './context';
import { badInput } from './kit/errors';
import type { Load } from './kit/load';
import { decodeNodeId, Node } from './kit/relay/node';
import { tweetById } from './tweet/visible';
import { articles, comments } from './news/news.table';
import { users } from './user/user.table';

/** Each type of node: the property that holds its own id, and how it is read. */
export const nodeTypes: Readonly<
  Record<string, { key: string; load(load: Load, id: string): Promise<object | null> }>
> = {
  User: { key: 'userId', load: (load, userId) => load(users.get, { userId }) },
  Tweet: { key: 'tweetId', load: (load, tweetId) => tweetById(load, tweetId) },
  Article: { key: 'articleId', load: (load, articleId) => load(articles.get, { articleId }) },
  Comment: { key: 'commentId', load: (load, commentId) => load(comments.get, { commentId }) },
};

/** Anything by its global id. */
@Resolver()
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description:
      'Anything by its global id; null when it is not there. Costs one partition of the table of its type.',
  })
  node(@Arg('id', () => ID) id: string, @Ctx() { load }: Context) {
    return nodeOf(load, id);
  }

  @Query(() => [Node], {
    nullable: 'items',
    description: 'At most 100 things by their global ids, in that order. Costs one request a type.',
  })
  nodes(@Arg('ids', () => [ID]) ids: string[], @Ctx() { load }: Context) {
    return Promise.all(ids.map((id) => nodeOf(load, id)));
  }
}

async function nodeOf(load: Load, globalId: string) {
  const { type, id } = decodeNodeId(globalId);
  const known = nodeTypes[type];
  if (known === undefined)
    throw badInput(`An id must be one that this API gave, but got: ${JSON.stringify(globalId)}`);
  const row = await known.load(load, id);
  return row && { ...row, __typename: type };
}
