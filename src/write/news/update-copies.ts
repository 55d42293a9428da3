import { putRows } from '../../kit/data/bulk';
import { createLoad, readMany } from '../../kit/data/load';
import type { Handler } from '../../kit/work/handler';
import { rowsFrom } from '../../kit/relay/collect';
import { bucketList } from '../../kit/lists/bucket-list';
import type { WriteContext } from '../write-context';
import { copiedArticles, copiedUsers } from './copied';
import { articlesByUser, comments, commentsByAuthor } from '../../news/news.table';
import { articleRowsOf, commentOfDay } from './news-rows';

/** Brings a user's name and description to where articles and comments copy them: as of when they were written, so the latest stay. */
export function profileHandler(writeContext: WriteContext): Handler {
  const { database } = writeContext;
  return async ({ userId = '' }) => {
    const [user] = await copiedUsers(database, [userId]);
    if (user == null) return;
    const load = createLoad(database);
    const written = bucketList(load, articlesByUser, { authorId: userId }, (row) => [row.articleId]);
    for await (const { rows } of rowsFrom(written, null, false)) {
      await putRows(
        writeContext.bulk(),
        rows.map(({ row }) => articleRowsOf(row, user)),
      );
      load.forget();
    }
    const said = bucketList(load, commentsByAuthor, { authorId: userId }, (row) => [row.commentId]);
    for await (const { rows } of rowsFrom(said, null, false)) {
      const found = (
        await readMany(
          database,
          comments.get,
          rows.map(({ row }) => row),
        )
      ).flatMap((row) => row ?? []);
      const about = await copiedArticles(
        database,
        found.map(({ articleId }) => articleId),
      );
      await putRows(
        writeContext.bulk(),
        found.flatMap((comment, place) => {
          const article = about[place];
          return article == null ? [] : commentOfDay(comment, article, user);
        }),
      );
      load.forget();
    }
  };
}
