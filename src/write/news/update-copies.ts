import { id, timestamp } from '../../kit/cassandra/column';
import type { Write } from '../../kit/cassandra/database';
import { getStatement, pageStatement, sliceStatement } from '../../kit/cassandra/statement';
import type { Row, RowOf } from '../../kit/cassandra/table';
import { dayOf } from '../../kit/lists/buckets';
import { bucketsOfList } from '../../kit/lists/list-buckets';
import { createLoad, readMany } from '../../kit/reads/load';
import { putAll } from '../../kit/writes/row-writer';
import { bucketList, type BucketTable } from '../../kit/lists/bucket-list';
import { listPages } from '../../kit/lists/list-pages';
import { growingTask, type DeclaredHandler, type Payload } from '../../kit/work/handler';
import { articlesByUser, commentsByAuthor } from '../../features/news/news.lists';
import { comments } from '../../features/news/news.table';
import { createPasses } from '../passes';
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

// Each sets only what is copied. A whole row would have the article's text, which may be 100,000 bytes.
const ofUser =
  'UPDATE articles_by_user USING TIMESTAMP ? SET author_name = ?, author_description = ? WHERE author_id = ? AND bucket = ?';
const ofDay = 'UPDATE articles_by_day USING TIMESTAMP ? SET author_name = ? WHERE day = ? AND article_id = ?';
const ofComment =
  'UPDATE comments_by_day USING TIMESTAMP ? SET author_name = ? WHERE bucket = ? AND comment_id = ?';

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
    const passes = createPasses(task, user.at, ['articles', 'comments']);
    let hasArticles = false;
    const pages = <R>(listOf: Parameters<typeof listPages<R>>[1], after: string) =>
      listPages(database, listOf, ROWS_PER_CHECKPOINT, after === '' ? null : { bucket: 0, key: [after] });
    await passes.over(
      'articles',
      (after) =>
        pages((load) => bucketList(load, articleKeys, { authorId: userId }, (row) => [row.articleId]), after),
      ({ articleId }) => articleId,
      async (page) => {
        if (!hasArticles) await putAll(writeServices.bulk(), await sharedCopies(writeServices, user));
        hasArticles = true;
        await putAll(
          writeServices.bulk(),
          page.map((article) => articleCopy(article, user)),
        );
        return true;
      },
    );
    await passes.over(
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

function articleCopy({ articleId, publishedAt }: ArticleKey, { name, at }: CopiedUser): Write {
  const day = publishedAt.toISOString().slice(0, 10);
  return { query: ofDay, params: [String(at), name, day, articleId], partition: day };
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
  return found.flatMap(({ commentId, createdAt }, index) => {
    const article = articles[index];
    if (article == null) return [];
    const bucket = dayOf(createdAt);
    // The row has the timestamp of the article's title or the author's name, whichever is later.
    const params = [String(Math.max(article.at, at)), name, bucket, commentId];
    return [{ query: ofComment, params, partition: String(bucket) }];
  });
}
