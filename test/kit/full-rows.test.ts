import { createBulkWriter } from '../../src/kit/writes/bulk';
import { listBuckets } from '../../src/kit/lists/list-buckets';
import { readMany } from '../../src/kit/reads/load';
import { bucketAssignerOf } from '../../src/kit/lists/bucket-assigner';
import { putAll } from '../../src/kit/writes/row-writer';
import { writeOf } from '../../src/kit/cassandra/write';
import type { AnyListTable } from '../../src/kit/cassandra/table';
import type { Write } from '../../src/kit/cassandra/database';
import { articlesByUser, commentsByAuthor } from '../../src/features/news/news.lists';
import { startHarness, type Harness } from '../support/harness';

// Fifteen times as many rows as a partition of articles may have, so that checks of it are sure to come by chance.
const ROWS = 3000;

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

/** Stores rows of a list of user 7, and returns into how many stretches the list is divided then. */
async function stretchesAfter(table: AnyListTable, rowOf: (id: string) => Write): Promise<number> {
  const { database } = server;
  const writes = Array.from({ length: ROWS }, (_, n) => rowOf(String(n + 1)));
  // A check that is under way when the last rows come may have seen only the first ones.
  for (const half of [writes.slice(0, ROWS / 2), writes.slice(ROWS / 2)]) {
    await putAll(createBulkWriter(database)(), half);
    await bucketAssignerOf(database).idle();
  }
  const [stretches = []] = await readMany(database, listBuckets.page, [
    { owner: '7', list: table.name, limit: 1000 },
  ]);
  return stretches.length;
}

test('a list of large rows is split after fewer of them', async () => {
  const publishedAt = new Date(0);
  const article = {
    authorId: '7',
    authorName: 'Ada',
    title: 'A title',
    body: 'A body',
    tags: null,
    publishedAt,
  };
  const ofArticles = await stretchesAfter(articlesByUser, (articleId) =>
    writeOf(articlesByUser, { ...article, articleId }),
  );
  expect(ofArticles).toBeGreaterThan(1);
  const ofComments = await stretchesAfter(commentsByAuthor, (commentId) =>
    writeOf(commentsByAuthor, { authorId: '7', commentId }),
  );
  expect(ofComments).toBe(0);
});
