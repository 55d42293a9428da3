import { articleSource, commentSource } from '../../write/news/derived';
import { createBulkWriter } from '../../kit/writes/bulk';
import type { Database, Write } from '../../kit/cassandra/database';
import { putAll } from '../../kit/writes/row-writer';
import { createTally } from '../../kit/work/tally';
import { commentNotification, singleWrite } from '../../write/notification/notify-tweet';
import { writeOf } from '../../kit/cassandra/write';
import { commentCount, COMMENTS } from '../../write/news/add-comment';
import { articles, comments, type ArticleRow, type CommentRow } from '../../features/news/news.table';

/** Articles with comments on them. */
export interface News {
  readonly articles: readonly ArticleRow[];
  readonly comments: readonly CommentRow[];
}

type ListedArticle = Pick<ArticleRow, 'articleId' | 'authorId'>;

/**
 * Stores articles and comments, which may have any time, and everything that is derived from them. Their authors must
 * exist. Storing them again changes nothing. `authorsOf` are the authors of articles that are not among these, by id.
 */
export async function storeNews(
  database: Database,
  news: News,
  authorsOf: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  await putAll(createBulkWriter(database)(), [
    ...news.articles.map((article) => writeOf(articles, article)),
    ...news.comments.map((comment) => writeOf(comments, comment)),
  ]);
  await listNews(database, news, authorsOf);
}

/** Stores everything that is derived from articles and comments, which are stored. */
export async function listNews(
  database: Database,
  news: { readonly articles: readonly ListedArticle[]; readonly comments: News['comments'] },
  authorsOf: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const bulk = createBulkWriter(database)();
  const put = (writes: readonly Write[]) => putAll(bulk, writes);
  const tally = createTally(database);
  await Promise.all(
    news.comments.map(({ articleId, commentId, createdAt }) =>
      tally.change({ owner: articleId, list: COMMENTS, member: commentId, present: true, at: createdAt }),
    ),
  );
  const derived = [
    [articleSource, news.articles.map(({ articleId }) => articleId)],
    [commentSource, news.comments.map(({ commentId }) => commentId)],
  ] as const;
  for (const [source, keys] of derived)
    for await (const writes of source.writesOf({ database, retentionMonths: null }, keys)) await put(writes);
  const authors = new Map([
    ...authorsOf,
    ...news.articles.map(({ articleId, authorId }) => [articleId, authorId] as const),
  ]);
  await put(
    news.comments.flatMap((comment) => {
      const authorId = authors.get(comment.articleId);
      return authorId === undefined || authorId === comment.authorId
        ? []
        : [singleWrite(commentNotification(comment, authorId))];
    }),
  );
  for (const articleId of new Set(news.comments.map((comment) => comment.articleId)))
    await put(await commentCount.writes(tally, articleId));
}
