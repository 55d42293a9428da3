import type { GraphQLResolveInfo } from 'graphql';
import { GraphQLDate } from 'graphql-scalars';
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  Int,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Context } from '../context';
import { copyOrRead } from '../kit/base/copy-or-read';
import { stretchReads, ONE_PARTITION, pagesOf } from '../kit/cost/lists';
import { Reads, rowsOf } from '../kit/cost/reads';
import { Bounded, ID_BOUNDS } from '../kit/input/input-bounds';
import { connectNodes } from '../kit/relay/connection';
import { bucketList } from '../kit/lists/bucket-list';
import { idIn } from '../kit/relay/node';
import { ForwardArgs, PageArgs } from '../kit/relay/page';
import { partitionList } from '../kit/lists/partition-list';
import { shownUser, users } from '../user/user.table';
import { User } from '../user/user.type';
import { articleCounts, articles, articlesByDay, articlesByUser } from './news.table';
import { Article, ArticleConnection } from './news.type';

const DEFAULT_FIRST = 10;

/** The arguments of a day's articles. */
@ArgsType()
class ArticlesArgs extends ForwardArgs {
  @Field(() => Int, { nullable: true, defaultValue: DEFAULT_FIRST, description: 'How many: 1 to 100.' })
  override first?: number | null;
}

/** Articles by id and by day, and their fields that take further reads. */
@Resolver(() => Article)
export class ArticleResolver {
  @Reads(rowsOf(articles))
  @Query(() => Article, {
    nullable: true,
    description: 'The article with this id; null when there is none.',
  })
  article(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() { load }: Context) {
    return load(articles.get, { articleId: idIn('Article', id) });
  }

  @Reads(pagesOf(articlesByDay, ONE_PARTITION))
  @Query(() => ArticleConnection, {
    description: 'The articles of a UTC day, newest first.',
  })
  articlesOfDay(
    @Arg('day', () => GraphQLDate) date: Date,
    @Args(() => ArticlesArgs) args: ArticlesArgs,
    @Ctx() { load }: Context,
  ) {
    const day = date.toISOString().slice(0, 10);
    return connectNodes(partitionList(load, articlesByDay, { day }), args, DEFAULT_FIRST);
  }

  @FieldResolver(() => [String], { description: 'The tags. Comes with the article.' })
  tags(@Root() { tags }: Article) {
    return tags ?? [];
  }

  @Reads(rowsOf(users))
  @FieldResolver(() => User, {
    description:
      "Who wrote it. In the list of a day the author's name comes with the list, and in the list of a user also the description. All other fields of the authors of a page are one request.",
  })
  author(
    @Root() { authorId, authorName, authorDescription }: Article,
    @Ctx() { load }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const description = authorDescription === undefined ? undefined : authorDescription || null;
    const copy = { userId: authorId, name: authorName, description };
    return copyOrRead(info, copy, () => load(shownUser, { userId: authorId }));
  }

  @Reads(rowsOf(articleCounts))
  @FieldResolver(() => Int, {
    description: 'How many comments it has. A page of them is one request.',
  })
  async commentCount(@Root() { articleId }: Article, @Ctx() { load }: Context) {
    return (await load(articleCounts.get, { articleId }))?.comments ?? 0;
  }
}

/** A user's articles. */
@Resolver(() => User)
export class UserArticlesResolver {
  @Reads(pagesOf(articlesByUser), stretchReads())
  @FieldResolver(() => ArticleConnection, {
    description:
      "The articles that the user published, newest first. The author's name and description come with the list.",
  })
  articles(@Root() { userId }: User, @Args(() => PageArgs) args: PageArgs, @Ctx() { load }: Context) {
    const list = bucketList(load, articlesByUser, { authorId: userId }, ({ articleId }) => [articleId]);
    return connectNodes(list, args);
  }
}
