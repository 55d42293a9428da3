import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import type { Row } from '../kit/cassandra/table';
import { copyOr } from '../kit/copy';
import { Reads } from '../kit/model/reads';
import { periodOf } from '../kit/period';
import { dayOf, buckets } from '../kit/relay/buckets';
import { connectNodes } from '../kit/relay/connection';
import { DateTime } from '../kit/relay/date-time';
import { monthList } from '../kit/relay/month-list';
import { ForwardArgs, PageArgs } from '../kit/relay/page';
import { periodList, type Chronology } from '../kit/relay/period-list';
import { leastIdAt } from '../kit/worker';
import { users } from '../user/user.table';
import { User } from '../user/user.type';
import { articles, authorCommentsByArticle, commentsByArticle, commentsByDay } from './news.table';
import { Article, Comment, CommentConnection } from './news.type';
import type { CommentRow } from './rows';

type CommentOfDay = Row<typeof commentsByDay>;

const chronology: Chronology<CommentOfDay> = {
  bucketOf: dayOf,
  keyOf: ({ commentId }) => commentId,
  firstKeyAt: leastIdAt,
  timeOf: ({ createdAt }) => createdAt,
};

/** Comments of a period, with what they are about and by whom. */
@Resolver(() => Comment)
export class CommentResolver {
  @Reads(commentsByDay, buckets)
  @Query(() => CommentConnection, {
    description:
      'The comments of a period, newest first. Costs one partition of `buckets` and, per day walked, one of `comments_by_day`; at most 64 a page.',
  })
  comments(
    @Arg('from', () => DateTime, { description: 'When the period begins.' }) from: Date,
    @Arg('to', () => DateTime, { description: 'When the period has ended.' }) to: Date,
    @Args(() => ForwardArgs) args: ForwardArgs,
    @Ctx() { load }: Context,
  ) {
    return connectNodes(
      periodList<CommentOfDay>(load, commentsByDay, {}, chronology, periodOf(from, to)),
      args,
    );
  }

  @Reads(users)
  @FieldResolver(() => User, {
    description:
      'Who wrote it. Costs nothing for a name in the list of a period; for anything else of it, or elsewhere, one partition of `users`, a page of them one request.',
  })
  author(
    @Root() { authorId, authorName }: Comment,
    @Ctx() { load }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const copy = { userId: authorId, name: authorName };
    return copyOr(info, copy, () => load(users.get, { userId: authorId }));
  }

  @Reads(articles)
  @FieldResolver(() => Article, {
    description:
      'What it is about. Costs nothing for a title in the list of a period; for anything else of it, or elsewhere, one partition of `articles`, a page of them one request.',
  })
  article(
    @Root() { articleId, articleTitle }: Comment,
    @Ctx() { load }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const copy = { articleId, title: articleTitle };
    return copyOr(info, copy, () => load(articles.get, { articleId }));
  }
}

/** An article's comments. */
@Resolver(() => Article)
export class ArticleCommentsResolver {
  @Reads(commentsByArticle, buckets)
  @FieldResolver(() => CommentConnection, {
    description:
      'What is said about it, newest first. Costs one partition of `buckets` and, per month walked, one of `comments_by_article`; at most 64 a page.',
  })
  comments(@Root() { articleId }: Article, @Args(() => PageArgs) args: PageArgs, @Ctx() { load }: Context) {
    return connectNodes(monthList(load, commentsByArticle, { articleId }, commentPosition), args);
  }

  @Reads(authorCommentsByArticle, buckets)
  @FieldResolver(() => CommentConnection, {
    description:
      'What its own author says about it, newest first. Costs one partition of `buckets` and, per month walked, one of `author_comments_by_article`; at most 64 a page.',
  })
  authorComments(
    @Root() { articleId }: Article,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    return connectNodes(monthList(load, authorCommentsByArticle, { articleId }, commentPosition), args);
  }
}

function commentPosition({ commentId }: CommentRow) {
  return [commentId];
}
