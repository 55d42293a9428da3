import { putRows } from '../../kit/data/bulk';
import type { Write } from '../../kit/cassandra/database';
import { notFound, unavailable } from '../../kit/base/errors';
import { claimKey } from '../../kit/data/idempotency';
import { createLoad } from '../../kit/data/load';
import type { Handler } from '../../kit/work/handler';
import type { Tally } from '../../kit/work/tally';
import { timeOfId } from '../../kit/work/worker';
import { writeOf } from '../../kit/data/write';
import type { WriteContext } from '../write-context';
import { copiedArticles, copiedUsers } from './copied';
import { articleCounts, articles, type CommentRow, comments } from '../../news/news.table';
import { commentOfDay, commentRowsOf } from './news-rows';

/** Adds a comment: it stands in all lists when this resolves. With the key of an earlier call it is that call's comment. `NOT_FOUND`. */
export async function addComment(
  writeContext: WriteContext,
  authorId: string,
  key: string | null,
  { articleId, body }: Pick<CommentRow, 'articleId' | 'body'>,
): Promise<CommentRow> {
  const { database, outbox, worker } = writeContext;
  if ((await createLoad(database)(articles.get, { articleId })) === null)
    throw notFound(`There is no article ${articleId}.`);
  const fresh = worker.nextId();
  const commentId = key === null ? fresh : await claimKey(database, authorId, key, [articleId, body], fresh);
  const comment = { commentId, articleId, authorId, body, createdAt: timeOfId(commentId) };
  await outbox.enqueueAndRun('comment', { commentId }, () => store(writeContext, comment));
  return comment;
}

/** Stores a comment, that which copies names last: one that changes meanwhile is found by the rows that are there before. */
async function store(writeContext: WriteContext, comment: CommentRow): Promise<void> {
  const { articleId, authorId, commentId, createdAt } = comment;
  const { query, params } = writeOf(comments, comment);
  await writeContext.database.write(query, params);
  const [article] = await copiedArticles(writeContext.database, [articleId]);
  if (article == null) throw unavailable(new Error(`article ${articleId} is not there`));
  await putRows(writeContext.bulk(), [commentRowsOf(comment, article.authorId)]);
  const [author] = await copiedUsers(writeContext.database, [authorId]);
  if (author == null) throw unavailable(new Error(`user ${authorId} is not there`));
  await putRows(writeContext.bulk(), [commentOfDay(comment, article, author)]);
  const counted = { member: commentId, present: true, at: createdAt };
  await writeContext.tally.change({ owner: articleId, list: COMMENTS, ...counted });
  for (const { query, params } of await articleCountsOf(writeContext.tally, articleId))
    await writeContext.database.write(query, params);
}

/** The list of an article's tally. */
export const COMMENTS = 'comments';

/** How many comments an article has by its tally, as of its version: the greater one is the newer, whoever writes last. None where it has no tally. */
export async function articleCountsOf(tally: Tally, articleId: string): Promise<Write[]> {
  const { counts, version } = await tally.totals(articleId);
  if (version === 0) return [];
  const row = writeOf(articleCounts, { articleId, comments: counts.get(COMMENTS) ?? 0 }, { at: version });
  return [row];
}

/** Finishes what commenting began. */
export function commentHandler(writeContext: WriteContext): Handler {
  return async ({ commentId = '' }) => {
    const comment = await createLoad(writeContext.database)(comments.get, { commentId });
    if (comment) await store(writeContext, comment);
  };
}
