import { putAll, putRows } from '../../kit/data/row-writer';
import { createLoad, readMany } from '../../kit/data/load';
import type { Handler } from '../../kit/work/handler';
import { rowsFrom } from '../../kit/relay/collect';
import { bucketList } from '../../kit/lists/bucket-list';
import type { WriteContext } from '../write-context';
import { copiedArticles, copiedUsers } from './copied';
import { articlesByUser, comments, commentsByAuthor } from '../../news/news.table';
import { articleRowsOf, commentOfDay } from './news-rows';

/**
 * Updates the rows of articles and comments that copy a user's name and description. The copies have the write timestamps of
 * the originals, so the latest ones win.
 */
export function newsCopiesHandler(writeContext: WriteContext): Handler {
  const { database } = writeContext;
  return async ({ userId = '' }) => {
    const [user] = await copiedUsers(database, [userId]);
    if (user == null) return;
    const load = createLoad(database);
    const articleList = bucketList(load, articlesByUser, { authorId: userId }, (row) => [row.articleId]);
    for await (const { rows } of rowsFrom(articleList, null, false)) {
      await putAll(
        writeContext.bulk(),
        rows.flatMap(({ row }) => articleRowsOf(row, user)),
      );
      load.forget();
    }
    const commentList = bucketList(load, commentsByAuthor, { authorId: userId }, (row) => [row.commentId]);
    for await (const { rows } of rowsFrom(commentList, null, false)) {
      const found = (
        await readMany(
          database,
          comments.get,
          rows.map(({ row }) => row),
        )
      ).flatMap((row) => row ?? []);
      const commentedArticles = await copiedArticles(
        database,
        found.map(({ articleId }) => articleId),
      );
      await putRows(
        writeContext.bulk(),
        found.flatMap((comment, index) => {
          const article = commentedArticles[index];
          return article == null ? [] : commentOfDay(comment, article, user);
        }),
      );
      load.forget();
    }
  };
}
