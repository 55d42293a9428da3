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
import { copyOr } from '../kit/copy';
import { Bounded, ID_BOUNDS } from '../kit/graphql/input-bounds';
import { Reads } from '../kit/model/reads';
import { buckets } from '../kit/relay/buckets';
import { connectNodes } from '../kit/relay/connection';
import { monthList } from '../kit/relay/month-list';
import { idIn } from '../kit/relay/node';
import { ForwardArgs, PageArgs } from '../kit/relay/page';
import { partitionList } from '../kit/relay/partition-list';
import { users } from '../user/user.table';
import { User } from '../user/user.type';
import { articleCounts, articles, articlesByDay, articlesByUser } from './news.table';
import { Article, ArticleConnection } from './news.type';

const FIRST = 10;

/** The arguments of a day's articles. */
@ArgsType()
class ArticlesArgs extends ForwardArgs {
  @Field(() => Int, { nullable: true, defaultValue: FIRST, description: 'How many: 1 to 100.' })
  override first?: number | null;
}

/** Articles, by id and by day, with what is read apart from them. */
@Resolver(() => Article)
export class ArticleResolver {
  @Reads(articles)
  @Query(() => Article, {
    nullable: true,
    description: 'The article with this id; null when there is none. Costs one partition of `articles`.',
  })
  article(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() { load }: Context) {
    return load(articles.get, { articleId: idIn('Article', id) });
  }

  @Reads(articlesByDay)
  @Query(() => ArticleConnection, {
    description: 'The articles of a UTC day, newest first. Costs one partition of `articles_by_day`.',
  })
  articlesOfDay(
    @Arg('day', () => GraphQLDate) date: Date,
    @Args(() => ArticlesArgs) args: ArticlesArgs,
    @Ctx() { load }: Context,
  ) {
    const day = date.toISOString().slice(0, 10);
    return connectNodes(partitionList(load, articlesByDay, { day }), args, FIRST);
  }

  @FieldResolver(() => [String], { description: 'Comes with the article.' })
  tags(@Root() { tags }: Article) {
    return tags ?? [];
  }

  @Reads(users)
  @FieldResolver(() => User, {
    description:
      "Who wrote it. Costs nothing for a name in a day's list, or name and description in a user's; for anything else of it, or elsewhere, one partition of `users`, a page of them one request.",
  })
  author(
    @Root() { authorId, authorName, authorDescription }: Article,
    @Ctx() { load }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const description = authorDescription === undefined ? undefined : authorDescription || null;
    const copy = { userId: authorId, name: authorName, description };
    return copyOr(info, copy, () => load(users.get, { userId: authorId }));
  }

  @Reads(articleCounts)
  @FieldResolver(() => Int, {
    description: 'Costs one partition of `article_counts`; a page of them is one request.',
  })
  async commentCount(@Root() { articleId }: Article, @Ctx() { load }: Context) {
    return (await load(articleCounts.get, { articleId }))?.comments ?? 0;
  }
}

/** A user's articles. */
@Resolver(() => User)
export class UserArticlesResolver {
  @Reads(articlesByUser, buckets)
  @FieldResolver(() => ArticleConnection, {
    description:
      'What the user published, newest first. Costs one partition of `buckets` and, per month walked, one of `articles_by_user`, which says who the user is, too; at most 64 a page.',
  })
  articles(@Root() { userId }: User, @Args(() => PageArgs) args: PageArgs, @Ctx() { load }: Context) {
    const list = monthList(load, articlesByUser, { authorId: userId }, ({ articleId }) => [articleId]);
    return connectNodes(list, args);
  }
}
