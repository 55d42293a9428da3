import { id, timestamp } from '../../kit/cassandra/column';
import type { Write } from '../../kit/cassandra/database';
import { getStatement, pageStatement, sliceStatement } from '../../kit/cassandra/statement';
import type { Row, RowOf } from '../../kit/cassandra/table';
import { findBuckets } from '../../kit/lists/find-buckets';
import { bucketsOfList } from '../../kit/lists/list-buckets';
import { createLoad, readMany } from '../../kit/reads/load';
import { putAll } from '../../kit/writes/row-writer';
import { bucketList, type BucketTable } from '../../kit/lists/bucket-list';
import { listPages } from '../../kit/lists/list-pages';
import { growingTask, type DeclaredHandler, type Payload } from '../../kit/work/handler';
import { articlesByUser, commentsByAuthor } from '../../features/news/news.lists';
import { articlesByDay, commentsByDay } from '../../features/news/news-days.lists';
import { comments } from '../../features/news/news.table';
import { createResumableWalk } from '../resumable-walk';
import type { WriteServices } from '../write-services';
import { copiedArticles, copiedUsers, type CopiedUser } from './copied';

/** How many rows are updated between two checkpoints. */
const ROWS_PER_CHECKPOINT = 500;

type ArticleKey = Pick<Row<typeof articlesByUser>, 'articleId' | 'publishedAt' | 'isSplit'>;

/** The articles of a user without their texts, which may be long. */
const articleKeys: BucketTable<ArticleKey, 'authorId'> = {
  name: articlesByUser.name,
  clustering: articlesByUser.clustering,
  slice: sliceStatement(
    pageStatement(articlesByUser, ['articleId', 'publishedAt', 'isSplit']),
    articlesByUser,
  ),
};

const commentColumns = { commentId: id, articleId: id, createdAt: timestamp };
const commentKey = getStatement<{ commentId: string }, RowOf<typeof commentColumns>>({
  ...comments,
  columns: commentColumns,
});

// Each update sets only copied columns. A whole row would have the article's text, which may be 100,000 bytes.
const ofUser =
  'UPDATE articles_by_user USING TIMESTAMP ? SET author_name = ?, author_description = ? WHERE author_id = ? AND bucket = ?';
const ofDay =
  'UPDATE articles_by_day USING TIMESTAMP ? SET author_name = ? WHERE day = ? AND bucket = ? AND article_id = ?';
const ofComment =
  'UPDATE comments_by_day USING TIMESTAMP ? SET author_name = ? WHERE day = ? AND bucket = ? AND comment_id = ?';

/** Leaves it to a task to update the copies of a user's name and description, which have changed. */
export function updateCopiesLater({ outbox }: WriteServices, userId: string): Promise<void> {
  return outbox.leaveToTask('copies', { userId });
}

/**
 * Updates the rows of articles and comments that copy a user's name and description. The copies have the write timestamps of
 * the originals, so the latest ones win. After another change of the user, a task begins again instead of at its checkpoint.
 */
export function copiesHandler(writeServices: WriteServices): DeclaredHandler {
  const ofPerson = ({ userId = '' }: Payload) => userId;
  const work = { rows: 3 * ROWS_PER_CHECKPOINT, person: ofPerson, sameAs: ofPerson };
  return growingTask(work, async ({ userId = '' }, task) => {
    const { database } = writeServices;
    const [user] = await copiedUsers(database, [userId]);
    if (user == null) return;
    const walk = createResumableWalk(task, user.at, ['articles', 'comments']);
    let hasArticles = false;
    const pages = <R>(listOf: Parameters<typeof listPages<R>>[1], after: string) =>
      listPages(database, listOf, ROWS_PER_CHECKPOINT, after === '' ? null : { bucket: 0, key: [after] });
    await walk.through(
      'articles',
      (after) =>
        pages((load) => bucketList(load, articleKeys, { authorId: userId }, (row) => [row.articleId]), after),
      ({ articleId }) => articleId,
      async (page) => {
        if (!hasArticles) await putAll(writeServices.bulk(), await sharedCopies(writeServices, user));
        hasArticles = true;
        await putAll(writeServices.bulk(), await articleCopies(writeServices, page, user));
        return true;
      },
    );
    await walk.through(
      'comments',
      (after) => pages((load) => commentsByAuthor.list(load, userId), after),
      ({ commentId }) => commentId,
      async (page) => {
        await putAll(writeServices.bulk(), await commentCopies(writeServices, page, user));
        return true;
      },
    );
  });
}

/** The writes of the copies that all articles in a partition of a user share. */
async function sharedCopies(
  { database }: WriteServices,
  { userId, name, description, at }: CopiedUser,
): Promise<Write[]> {
  const all = await bucketsOfList(createLoad(database), articlesByUser, userId);
  return all.map((bucket) => ({
    query: ofUser,
    // An empty text overwrites an older description.
    params: [String(at), name, description ?? '', userId, bucket],
    partition: `${userId} ${bucket}`,
  }));
}

async function articleCopies(
  { database }: WriteServices,
  page: readonly ArticleKey[],
  { name, at }: CopiedUser,
): Promise<Write[]> {
  const keys = page.map((article) => ({ ...articlesByDay.dayFor(article), articleId: article.articleId }));
  const buckets = await findBuckets(database, articlesByDay, keys);
  return keys.flatMap(({ day, articleId }, index) =>
    (buckets[index] ?? []).map((bucket) => ({
      query: ofDay,
      params: [String(at), name, day, bucket, articleId],
      partition: `${day} ${bucket}`,
    })),
  );
}

async function commentCopies(
  { database }: WriteServices,
  page: readonly { readonly commentId: string }[],
  { name, at }: CopiedUser,
): Promise<Write[]> {
  const found = (await readMany(database, commentKey, page)).flatMap((comment) => comment ?? []);
  const articles = await copiedArticles(
    database,
    found.map(({ articleId }) => articleId),
  );
  const keys = found.map((comment) => ({ ...commentsByDay.dayFor(comment), commentId: comment.commentId }));
  const buckets = await findBuckets(database, commentsByDay, keys);
  return keys.flatMap(({ day, commentId }, index) => {
    const article = articles[index];
    if (article == null) return [];
    // The row has the timestamp of the article's title or the author's name, whichever is later.
    const written = String(Math.max(article.at, at));
    return (buckets[index] ?? []).map((bucket) => ({
      query: ofComment,
      params: [written, name, day, bucket, commentId],
      partition: `${day} ${bucket}`,
    }));
  });
}
