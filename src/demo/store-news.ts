import { articleSource, commentSource } from '../write/news/derived';
import { createBulkWriter } from '../kit/writes/bulk';
import type { Database, Write } from '../kit/cassandra/database';
import { createTally } from '../kit/work/tally';
import { commentNotification, singleWrite } from '../write/notification/notify-tweet';
import { writeOf } from '../kit/cassandra/write';
import { commentCount, COMMENTS } from '../write/news/add-comment';
import { articles, comments } from '../features/news/news.table';
import type { News } from './news';

/**
 * Stores articles and comments, which may have any time, and everything that is derived from them. Their authors must
 * exist. Storing them again changes nothing.
 */
export async function storeNews(database: Database, news: News): Promise<void> {
  const bulk = createBulkWriter(database)();
  const put = async (writes: readonly Write[]) => {
    for (const write of writes) await bulk.put(write);
    await bulk.flush();
  };
  await put([
    ...news.articles.map((article) => writeOf(articles, article)),
    ...news.comments.map((comment) => writeOf(comments, comment)),
  ]);
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
  const authors = new Map(news.articles.map(({ articleId, authorId }) => [articleId, authorId]));
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
