import { requireNoBlock } from '../../features/follow/block';
import { putAll, putRows } from '../../kit/writes/row-writer';
import { unavailable } from '../../kit/base/errors';
import { claimKey } from '../../kit/writes/idempotency';
import { createLoad, type Load } from '../../kit/reads/load';
import { shortTask, type DeclaredHandler } from '../../kit/work/handler';
import { nodeNotFound } from '../../kit/graphql/global-id';
import { timeOfId } from '../../kit/base/snowflake';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import { notificationsByUser } from '../../features/notification/notification.table';
import { commentNotification, notifyOfComment } from '../notification/notify-tweet';
import { tallyCount } from '../tally-count';
import type { WriteServices } from '../write-services';
import { copiedArticles, copiedUsers } from './copied';
import { commentsByAuthor } from '../../features/news/news.lists';
import { articleCounts, articleHeads, type CommentRow, comments } from '../../features/news/news.table';
import { commentOfDay, buildCommentRemovals, buildCommentRows } from './news-rows';

/**
 * Adds a comment. It is in all lists when this resolves. With the key of an earlier call, returns the comment of that call. Throws
 * `NOT_FOUND` for an article that does not exist, `FORBIDDEN` if there is a block between its author and that of the comment, and
 * `CONFLICT` if the key came with other content before.
 */
export async function addComment(
  writeServices: WriteServices,
  authorId: string,
  key: string | null,
  { articleId, body }: Pick<CommentRow, 'articleId' | 'body'>,
): Promise<CommentRow> {
  const { database, outbox, worker } = writeServices;
  const load = createLoad(database);
  let checked: Promise<void> | undefined;
  const check = () => (checked ??= requireCommentable(load, authorId, articleId));
  const fresh = worker.nextId();
  const commentId =
    key === null ? fresh : await claimKey(database, authorId, key, [articleId, body], fresh, check);
  if (commentId === fresh || (await load(comments.get, { commentId })) === null)
    await check().catch(async (error: unknown) => {
      // An earlier call may have stored the comment although its write seemed to fail. A refused comment must not exist.
      if (commentId !== fresh) await putAll(writeServices.bulk(), [removalOf(comments, { commentId })]);
      throw error;
    });
  const comment = { commentId, articleId, authorId, body, createdAt: timeOfId(commentId) };
  const storeOrRefuse = async () => {
    const articleAuthorId = await store(writeServices, comment);
    if (articleAuthorId === null) throw nodeNotFound('Article', articleId);
    return articleAuthorId;
  };
  await outbox.enqueueAndRun('comment', { commentId, authorId }, storeOrRefuse, {
    afterwards: (articleAuthorId) => finish(writeServices, comment, articleAuthorId),
  });
  return comment;
}

async function requireCommentable(load: Load, authorId: string, articleId: string): Promise<void> {
  const article = await load(articleHeads.get, { articleId });
  if (article === null || load.isHidden?.(article.authorId) === true)
    throw nodeNotFound('Article', articleId);
  await requireNoBlock(load, authorId, article.authorId);
}

/**
 * Stores a comment, then its rows in lists, of which that of the day copies the author's name and comes first. If the name changes
 * meanwhile, either the update of copies finds that row by the others, or this writes it again. Resolves to the author of the article; null,
 * and stores nothing, if the article was deleted since the comment was accepted.
 */
async function store(writeServices: WriteServices, comment: CommentRow): Promise<string | null> {
  const { articleId, authorId, commentId, createdAt } = comment;
  const { query, params } = writeOf(comments, comment);
  await writeServices.database.write(query, params);
  const [article] = await copiedArticles(writeServices.database, [articleId]);
  if (article == null) {
    // An earlier run may have stored its rows in lists.
    await takeBack(writeServices, comment);
    return null;
  }
  for (let before: number | undefined; ;) {
    const [author] = await copiedUsers(writeServices.database, [authorId]);
    if (author == null) throw unavailable(new Error(`user ${authorId} is not there`));
    if (author.at === before) break;
    await putRows(writeServices.bulk(), [commentOfDay(comment, article, author)]);
    if (before === undefined) await putAll(writeServices.bulk(), buildCommentRows(comment, article.authorId));
    before = author.at;
  }
  const change = { member: commentId, present: true, at: createdAt };
  await writeServices.tally.change({ owner: articleId, list: COMMENTS, ...change });
  for (const { query, params } of await commentCount.writes(writeServices.tally, articleId))
    await writeServices.database.write(query, params);
  return article.authorId;
}

/**
 * Tells the author of the article of a comment. A removal of the article removes its row first and then looks for comments, so this looks for
 * the article last, and takes the comment back if it is gone.
 */
async function finish(
  writeServices: WriteServices,
  comment: CommentRow,
  articleAuthorId: string,
): Promise<void> {
  await notifyOfComment(writeServices, comment, articleAuthorId);
  const { articleId } = comment;
  if ((await createLoad(writeServices.database)(articleHeads.get, { articleId })) !== null) return;
  const notification = commentNotification(comment, articleAuthorId);
  await putAll(writeServices.bulk(), [removalOf(notificationsByUser, notification)]);
  await takeBack(writeServices, comment);
}

/** Removes the rows of a comment. Its own goes last: by it, its task finds the others again if it is interrupted. */
async function takeBack(writeServices: WriteServices, comment: CommentRow): Promise<void> {
  await putAll(writeServices.bulk(), [
    ...buildCommentRemovals(comment),
    removalOf(commentsByAuthor, comment),
  ]);
  await putAll(writeServices.bulk(), [removalOf(comments, comment)]);
}

/** The name of the list of comments in an article's tally. */
export const COMMENTS = 'comments';

/** How many comments an article has. */
export const commentCount = tallyCount(COMMENTS, articleCounts, 'comments');

/** About how many rows a comment reads and writes. */
const ROWS_OF_COMMENT = 20;

/** Completes a comment that was interrupted. */
export function commentHandler(writeServices: WriteServices): DeclaredHandler {
  return shortTask(
    { rows: ROWS_OF_COMMENT, person: ({ authorId }) => authorId },
    async ({ commentId = '' }) => {
      const comment = await createLoad(writeServices.database)(comments.get, { commentId });
      if (comment === null) return;
      const articleAuthorId = await store(writeServices, comment);
      if (articleAuthorId !== null) await finish(writeServices, comment, articleAuthorId);
    },
  );
}
