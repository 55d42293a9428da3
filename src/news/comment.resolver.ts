import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import type { Row } from '../kit/cassandra/table';
import { copyOrRead } from '../kit/base/copy-or-read';
import { bucketReads, pagesOf, stretchReads } from '../kit/cost/lists';
import { bySelection, Reads, rowsOf } from '../kit/cost/reads';
import { selects } from '../kit/cost/selects';
import { periodOf } from '../kit/base/period';
import { dayOf } from '../kit/data/buckets';
import { connectNodes } from '../kit/relay/connection';
import { DateTime } from '../kit/relay/date-time';
import { bucketList } from '../kit/lists/bucket-list';
import type { List } from '../kit/relay/list';
import { ForwardArgs, PageArgs } from '../kit/relay/page';
import { type Chronology, periodList } from '../kit/lists/period-list';
import { leastIdAt } from '../kit/base/snowflake';
import { shownUser, users } from '../user/user.table';
import { User } from '../user/user.type';
import {
  type ArticleHead,
  articleHeads,
  articles,
  authorCommentHeadsByArticle,
  authorCommentsByArticle,
  type CommentHead,
  commentHeadsByArticle,
  commentHeadsByDay,
  commentsByArticle,
  commentsByDay,
} from './news.table';
import { Article, Comment, CommentConnection } from './news.type';

type CommentOfDay = Row<typeof commentHeadsByDay>;

/** Texts are read only if a query asks for them: a page of the longest ones has 5 MB. */
const BODY = ['Comment', 'body'] as const;
const ARTICLE_BODY = ['Article', 'body'] as const;

const chronology: Chronology<CommentOfDay> = {
  bucketOf: dayOf,
  keyOf: ({ commentId }) => commentId,
  firstKeyAt: leastIdAt,
  timeOf: ({ createdAt }) => createdAt,
};

/** Comments of a period, and the author and the article of a comment. */
@Resolver(() => Comment)
export class CommentResolver {
  @Reads(pagesOf(bySelection(BODY, commentsByDay, commentHeadsByDay)), bucketReads())
  @Query(() => CommentConnection, {
    description: 'The comments of a period, newest first.',
  })
  comments(
    @Arg('from', () => DateTime, { description: 'When the period begins.' }) from: Date,
    @Arg('to', () => DateTime, { description: 'When the period ends; this moment is not part of it.' })
    to: Date,
    @Args(() => ForwardArgs) args: ForwardArgs,
    @Ctx() { load }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const table = selects(info, ...BODY) ? commentsByDay : commentHeadsByDay;
    return connectNodes(periodList<CommentOfDay>(load, table, {}, chronology, periodOf(from, to)), args);
  }

  @Reads(rowsOf(users))
  @FieldResolver(() => User, {
    description: 'Who wrote it.',
  })
  author(
    @Root() { authorId, authorName }: Comment,
    @Ctx() { load }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const copy = { userId: authorId, name: authorName };
    return copyOrRead(info, copy, () => load(shownUser, { userId: authorId }));
  }

  @Reads(rowsOf(bySelection(ARTICLE_BODY, articles, articleHeads)))
  @FieldResolver(() => Article, {
    description: 'The article that it is about.',
  })
  article(
    @Root() { articleId, articleTitle }: Comment,
    @Ctx() { load }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const copy = { articleId, title: articleTitle };
    const read = (): Promise<ArticleHead | null> =>
      selects(info, ...ARTICLE_BODY)
        ? load(articles.get, { articleId })
        : load(articleHeads.get, { articleId });
    return copyOrRead(info, copy, read);
  }
}

/** The comments of an article. */
@Resolver(() => Article)
export class ArticleCommentsResolver {
  @Reads(pagesOf(bySelection(BODY, commentsByArticle, commentHeadsByArticle)), stretchReads())
  @FieldResolver(() => CommentConnection, {
    description: 'The comments on the article, newest first.',
  })
  comments(
    @Root() { articleId }: Article,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const list: List<CommentHead> = selects(info, ...BODY)
      ? bucketList(load, commentsByArticle, { articleId }, commentPosition)
      : bucketList(load, commentHeadsByArticle, { articleId }, commentPosition);
    return connectNodes(list, args);
  }

  @Reads(pagesOf(bySelection(BODY, authorCommentsByArticle, authorCommentHeadsByArticle)), stretchReads())
  @FieldResolver(() => CommentConnection, {
    description: 'The comments on the article by its own author, newest first.',
  })
  authorComments(
    @Root() { articleId }: Article,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const list: List<CommentHead> = selects(info, ...BODY)
      ? bucketList(load, authorCommentsByArticle, { articleId }, commentPosition)
      : bucketList(load, authorCommentHeadsByArticle, { articleId }, commentPosition);
    return connectNodes(list, args);
  }
}

function commentPosition({ commentId }: CommentHead) {
  return [commentId];
}
