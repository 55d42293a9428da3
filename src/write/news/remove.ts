import { afterOtherClocks } from '../../kit/base/after-other-clocks';
import type { Row } from '../../kit/cassandra/table';
import { partitionRemovalOf, removalOf } from '../../kit/cassandra/write';
import { listPages } from '../../kit/lists/list-pages';
import { createLoad } from '../../kit/reads/load';
import { TALLY_SHARDS, tallies } from '../../kit/work/tally';
import { putAll } from '../../kit/writes/row-writer';
import {
  articlesByUser,
  authorCommentsByArticle,
  commentsByArticle,
  commentsByAuthor,
} from '../../features/news/news.lists';
import { articlesByDay } from '../../features/news/news-days.lists';
import { articleCounts, articleHeads, articles, comments } from '../../features/news/news.table';
import { notificationsByUser } from '../../features/notification/notification.table';
import { clear } from '../account-deletion';
import { commentNotification } from '../notification/notify-tweet';
import type { WriteServices } from '../write-services';
import { commentCount, COMMENTS } from './add-comment';
import { buildCommentRemovals, commentOfDayRemoval } from './news-rows';

/** How many comments are read at a time. */
const COMMENTS_PER_PAGE = 500;

/**
 * Removes a comment from its article, its day and its author. Its own row, which says where the others are, goes after those, and that of
 * the author, by which the comment is found again, goes last.
 */
export async function removeComment(writeServices: WriteServices, commentId: string): Promise<void> {
  const { database, tally } = writeServices;
  const comment = await createLoad(database)(comments.get, { commentId });
  if (comment === null) return;
  const { articleId } = comment;
  const article = await createLoad(database)(articleHeads.get, { articleId });
  if (article !== null) {
    await putAll(writeServices.bulk(), [
      removalOf(notificationsByUser, commentNotification(comment, article.authorId)),
    ]);
    await tally.change({ owner: articleId, list: COMMENTS, member: commentId, present: false });
    for (const { query, params } of await commentCount.writes(tally, articleId))
      await database.write(query, params);
  }
  await putAll(writeServices.bulk(), buildCommentRemovals(comment));
  await putAll(writeServices.bulk(), [removalOf(comments, { commentId })]);
  await putAll(writeServices.bulk(), [removalOf(commentsByAuthor, comment)]);
}

/** Removes an article with all comments on it. The row of its author's list goes last, because by it the article is found again. */
export async function removeArticle(
  writeServices: WriteServices,
  {
    articleId,
    authorId,
    publishedAt,
  }: Pick<Row<typeof articlesByUser>, 'articleId' | 'authorId' | 'publishedAt'>,
): Promise<void> {
  const { database } = writeServices;
  // First: from now on nobody comments on it.
  await putAll(writeServices.bulk(), [removalOf(articles, { articleId })]);
  const list = (load: Parameters<typeof commentsByArticle.list>[0]) =>
    commentsByArticle.list(load, articleId);
  for await (const page of listPages(database, list, COMMENTS_PER_PAGE))
    await putAll(
      writeServices.bulk(),
      page.flatMap((comment) => [
        commentOfDayRemoval(comment),
        removalOf(comments, comment),
        removalOf(commentsByAuthor, comment),
      ]),
    );
  for (const table of [commentsByArticle, authorCommentsByArticle])
    await clear(writeServices, table, articleId);
  await putAll(writeServices.bulk(), [
    removalOf(articleCounts, { articleId }),
    removalOf(articlesByDay, { ...articlesByDay.dayFor({ articleId, publishedAt }), articleId }),
    ...Array.from({ length: TALLY_SHARDS }, (_, shard) =>
      partitionRemovalOf(tallies, { owner: articleId, shard }, afterOtherClocks()),
    ),
  ]);
  await putAll(writeServices.bulk(), [removalOf(articlesByUser, { authorId, articleId })]);
}
