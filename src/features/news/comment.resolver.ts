import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context';
import type { Row } from '../../kit/cassandra/table';
import { copyOrRead } from '../../kit/base/copy-or-read';
import { bucketReads } from '../../kit/lists/page-bounds';
import { openPeriod, periodPages } from '../../kit/lists/period-of-days';
import { bySelection, Reads, rowsOf, CostExample } from '../../kit/cost/reads';
import { selects } from '../../kit/cost/selects';
import { periodOf } from '../../kit/base/period';
import { connectItems, showItems } from '../../kit/lists/list';
import { DateTime } from '../../kit/input/date-time';
import { ForwardArgs } from '../../kit/input/page-args';
import type { Selects } from '../../kit/lists/node';
import { SIGHT_READS } from '../hidden/hidden-reads';
import { whyHidden } from '../hidden/hiding';
import { readAuthor } from '../user/read-author';
import { users } from '../user/user.table';
import { User } from '../user/user.type';
import { article, comment, CommentConnection } from './news.node';
import { commentHeadsByDay, commentsByDay } from './news-days.lists';
import { Article, Comment } from './news.type';

type CommentOfDay = Row<typeof commentHeadsByDay>;

/** Texts are read only if a query asks for them: a page of the longest ones has 5 MB. */
const BODY = ['Comment', 'body'] as const;

/** Comments of a period, and the author and the article of a comment. */
@Resolver(() => Comment)
export class CommentResolver {
  @CostExample('a month', { from: new Date('2026-10-01'), to: new Date('2026-11-01') })
  @Reads(periodPages(bySelection(BODY, commentsByDay, commentHeadsByDay)), bucketReads(), ...SIGHT_READS)
  @Query(() => CommentConnection, {
    description: 'The comments of a period, newest first.',
  })
  comments(
    @Arg('from', () => DateTime, { description: 'When the period begins.' }) from: Date,
    @Arg('to', () => DateTime, { description: 'When the period ends; this moment is not part of it.' })
    to: Date,
    @Args(() => ForwardArgs) args: ForwardArgs,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const table = selects(info, ...BODY) ? commentsByDay : commentHeadsByDay;
    const listed = { table, period: periodOf(from, to), timeOf: ({ createdAt }: CommentOfDay) => createdAt };
    const list = openPeriod<CommentOfDay>(context, listed, 'Query.comments');
    return connectItems(showItems(context, list, comment, null), args);
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
    return copyOrRead(info, copy, () => readAuthor(load, authorId));
  }

  @Reads(rowsOf(article.sized), ...SIGHT_READS)
  @FieldResolver(() => Article, {
    description:
      'The article that it is about; without its text and tags where a block or a suspension hides its author.',
  })
  article(
    @Root() { articleId, articleTitle }: Comment,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const copy = { articleId, title: articleTitle };
    const read = () => seeArticle(context, articleId, (field) => selects(info, 'Article', field));
    return copyOrRead(info, copy, read);
  }
}

/** Reads the article of a comment. If its author is hidden from the viewer, little more than the title is shown. */
async function seeArticle(context: Context, articleId: string, isSelected: Selects) {
  const found = await article.find(context.load, articleId, isSelected);
  if (found === null) return null;
  const { authorId } = found;
  const isHidden =
    context.load.isHidden?.(authorId) === true ||
    (await whyHidden(context, { kind: 'article', authorId }, 'DIRECT')) !== null;
  return isHidden ? { ...found, body: '', tags: null } : found;
}
