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
import type { Context } from '../../context';
import { unavailable } from '../../kit/base/errors';
import { copyOrRead } from '../../kit/base/copy-or-read';
import { dayPages, openDay } from '../../kit/lists/day-pages';
import { FREE } from '../../kit/cost/cost';
import { Reads, rowsOf, upTo } from '../../kit/cost/reads';
import { selects } from '../../kit/cost/selects';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { connectNodes } from '../../kit/lists/connection';
import { showItems } from '../../kit/lists/list';
import { idIn } from '../../kit/graphql/global-id';
import { ForwardArgs } from '../../kit/input/page-args';
import { seeUser, seeWriting } from '../hidden/hiding';
import { SIGHT_READS } from '../hidden/hidden-reads';
import { cachedUser, users } from '../user/user.table';
import { User } from '../user/user.type';
import { article, ArticleConnection } from './news.node';
import { articlesByDay } from './news-days.lists';
import { articleCounts, articles } from './news.table';
import { Article } from './news.type';

const DEFAULT_FIRST = 10;

/** Texts are read only if a query asks for them: a page of the longest ones has 10 MB. */
const BODY = ['Article', 'body'] as const;

/** The texts of a page, which are not in the rows of its list. */
const textsOfPage = upTo(articles, ({ limit, selects: isSelected }) =>
  isSelected(...BODY) ? { reads: limit, rows: limit } : FREE,
);

/** The arguments of a day's articles. */
@ArgsType()
class ArticlesArgs extends ForwardArgs {
  @Field(() => Int, { nullable: true, defaultValue: DEFAULT_FIRST, description: 'How many: 1 to 100.' })
  override first?: number | null;
}

/** Articles by id and by day, and their fields that take further reads. */
@Resolver(() => Article)
export class ArticleResolver {
  @Reads(rowsOf(article.sized), ...SIGHT_READS)
  @Query(() => Article, {
    nullable: true,
    description: 'The article with this id; null when there is none.',
  })
  article(
    @Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const isSelected = (field: string) => selects(info, 'Article', field);
    return seeWriting(context, 'article', article.findShown(context.load, idIn('Article', id), isSelected));
  }

  @Reads(dayPages(articlesByDay), textsOfPage, ...SIGHT_READS)
  @Query(() => ArticleConnection, {
    description: 'The articles of a UTC day, newest first. Their texts are further reads, one each.',
  })
  async articlesOfDay(
    @Arg('day', () => GraphQLDate) day: Date,
    @Args(() => ArticlesArgs) args: ArticlesArgs,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { load } = context;
    const ofDay = openDay(context, articlesByDay, day, 'Query.articlesOfDay');
    const { list } = showItems(context, ofDay, article, null);
    const page = await connectNodes(list, args, DEFAULT_FIRST);
    if (!selects(info, ...BODY)) return page;
    const nodes = await Promise.all(
      page.nodes.map(async (head) => {
        const whole = await load(articles.get, { articleId: head.articleId });
        // An article is stored before its row of the day, and never removed, but a replica may lack it.
        if (whole === null) throw unavailable(new Error(`article ${head.articleId} was not found`));
        return { ...head, body: whole.body };
      }),
    );
    const edges = page.edges.map(({ cursor }, index) => ({ cursor, node: nodes[index] }));
    return { nodes, edges, pageInfo: page.pageInfo, hiddenCount: page.hiddenCount };
  }

  @FieldResolver(() => [String], { description: 'The tags.' })
  tags(@Root() { tags }: Article) {
    return tags ?? [];
  }

  @Reads(rowsOf(users), ...SIGHT_READS)
  @FieldResolver(() => User, {
    description:
      'Who wrote it. Of an account that is suspended or leaves, which a comment may lead to, only the id is shown.',
  })
  author(
    @Root() { authorId, authorName, authorDescription }: Article,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const description = authorDescription === undefined ? undefined : authorDescription || null;
    const copy = { userId: authorId, name: authorName, description };
    return copyOrRead(info, copy, () => seeUser(context, context.load(cachedUser, { userId: authorId })));
  }

  @Reads(rowsOf(articleCounts))
  @FieldResolver(() => Int, {
    description: 'How many comments it has.',
  })
  async commentCount(@Root() { articleId }: Article, @Ctx() { load }: Context) {
    return (await load(articleCounts.get, { articleId }))?.comments ?? 0;
  }
}
