import { articlesByDay, commentsByDay } from '../../src/features/news/news-days.lists';
import { articles, comments } from '../../src/features/news/news.table';
import { jobs } from '../../src/jobs/all';
import { compareIds } from '../../src/kit/base/ids';
import { leastIdAt } from '../../src/kit/base/snowflake';
import { writeOf } from '../../src/kit/cassandra/write';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { bucketAssignerOf, type BucketAssignerOptions } from '../../src/kit/lists/bucket-assigner';
import { encodePosition, listBuckets } from '../../src/kit/lists/list-buckets';
import { nameDay } from '../../src/kit/lists/day-list';
import { readMany } from '../../src/kit/reads/load';
import { putAll, putRows } from '../../src/kit/writes/row-writer';
import { joinPages, PAGE_INFO, pageReader } from '../../src/tools/testing/testing';
import { buildArticleRows, buildCommentRows, commentOfDay } from '../../src/write/news/news-rows';
import { removeArticle, removeComment } from '../../src/write/news/remove';
import { person, startHarness, type Harness } from '../support/harness';
import { put } from '../support/mutations';
import { randomIntFrom } from '../support/random-int';

// Partitions are full after a few rows, so that days are split again and again.
const lists: BucketAssignerOptions = {
  ...{ fullRows: 20, rowsPerCheck: 3, effectiveMs: 0 },
  ...{ trustedMs: 0, trustedForOldRowsMs: 0 },
};
const random = randomIntFrom(41);
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2024, 4, 1);

let server: Harness;
let authorId: string;
/** The ids of articles and of comments, each with its moment: an article has one comment. */
const stored = new Map<string, Date>();

/** Stores an article of a moment, with a comment. */
async function storeAt(at: Date): Promise<void> {
  const { database, writeServices } = server;
  const id = leastIdAt(at);
  const article = { articleId: id, authorId, title: id, body: '', tags: [], publishedAt: at };
  const comment = { commentId: id, articleId: id, authorId, body: id, createdAt: at };
  const author = { userId: authorId, name: 'Before', description: null, at: 1 };
  for (const { query, params } of [writeOf(articles, article), writeOf(comments, comment)])
    await database.write(query, params);
  await putAll(writeServices.bulk(), [
    ...buildArticleRows(article, author),
    ...buildCommentRows(comment, authorId),
  ]);
  await putRows(writeServices.bulk(), [commentOfDay(comment, { ...article, at: 1 }, author)]);
}

/** Stores articles of any moments of a day. */
async function store(day: number, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const at = new Date(FIRST_DAY + day * DAY_MS + random(DAY_MS));
    if (stored.has(leastIdAt(at))) continue;
    stored.set(leastIdAt(at), at);
    await storeAt(at);
  }
  await bucketAssignerOf(server.database).idle();
}

beforeAll(async () => {
  server = await startHarness({}, undefined, { lists });
  await server.store([person('1', 'ada')]);
  ({ userId: authorId } = await put(server, 'writer', 'createUser', { username: 'writer', name: 'Before' }));
  await store(0, 120);
  await store(1, 4);
  await store(3, 120);
});

interface Shown {
  readonly node: { readonly key: string; readonly author: { readonly name: string } };
}

const SELECTED = `{ edges { node { key: id author { name } } } ${PAGE_INFO} }`;
const articlesOf = (day: string) =>
  pageReader<Shown>(
    (source) => server.query(source),
    (args) => `{ list: articlesOfDay(day: "${day}", ${args}) ${SELECTED} }`,
  );
const commentsIn = (from: number, to: number) =>
  pageReader<Shown>(
    (source) => server.query(source),
    (args) =>
      `{ list: comments(from: "${new Date(from).toISOString()}", to: "${new Date(to).toISOString()}", ${args}) ${SELECTED} }`,
  );

const due = (type: string, from: number, to: number) =>
  [...stored]
    .filter(([, at]) => Number(at) >= from && Number(at) < to)
    .map(([id]) => id)
    .sort((a, b) => compareIds(b, a))
    .map((id) => encodeNodeId(type, id));

async function expectAll(): Promise<void> {
  for (const size of [7, 100]) {
    const ofDay = await joinPages(articlesOf('2024-05-01'), 'first', size);
    expect(ofDay.map(({ node }) => node.key)).toEqual(due('Article', FIRST_DAY, FIRST_DAY + DAY_MS));
    for (const [from, to] of [
      [FIRST_DAY, FIRST_DAY + 10 * DAY_MS],
      [FIRST_DAY + DAY_MS / 3, FIRST_DAY + 3.5 * DAY_MS],
      [FIRST_DAY - 500 * DAY_MS, FIRST_DAY + DAY_MS / 2],
    ] as const) {
      const ofPeriod = await joinPages(commentsIn(from, to), 'first', size);
      expect(ofPeriod.map(({ node }) => node.key)).toEqual(due('Comment', from, to));
    }
  }
}

test('days with many articles and comments were split, others were not', async () => {
  const [day0 = [], day1 = [], day3 = []] = await readMany(
    server.database,
    listBuckets.page,
    [0, 1, 3].map((day) => ({
      ...{ owner: nameDay(new Date(FIRST_DAY + day * DAY_MS)), list: commentsByDay.name },
      limit: 1000,
    })),
  );
  expect(Math.min(day0.length, day3.length)).toBeGreaterThan(4);
  expect(day1).toEqual([]);
});

test('pages of split days join to the whole', expectAll, 120_000);

test('a page of split days reads no more than it has reserved', async () => {
  const queries = [
    `{ articlesOfDay(day: "2024-05-01", first: 25) { edges { cursor } ${PAGE_INFO} } }`,
    `{ comments(from: "2024-05-01T00:00:00Z", to: "2024-05-08T00:00:00Z", first: 100) { edges { cursor } ${PAGE_INFO} } }`,
  ];
  for (const query of queries) {
    const { extensions } = JSON.parse((await server.post(JSON.stringify({ query }))).body) as {
      extensions: { cost: { bound: number; boundOfRows: number; reads: number; rows: number } };
    };
    const { bound, boundOfRows, reads, rows } = extensions.cost;
    expect(reads).toBeLessThanOrEqual(bound);
    expect(rows).toBeLessThanOrEqual(boundOfRows);
  }
});

test('a change of a name comes to every row of split days, and makes none', async () => {
  await put(server, 'writer', 'updateUser', { name: 'After' });
  await server.writeServices.outbox.idle();
  for (const table of [articlesByDay, commentsByDay]) {
    const rows = await server.database.run(
      `SELECT author_name, CAST(author_id AS text) AS author FROM ${table.name}`,
    );
    const kept = rows.filter(({ author_name: name }) => name !== null);
    expect(new Set(kept.map(({ author_name: name }) => String(name)))).toEqual(new Set(['After']));
    expect(kept.filter(({ author }) => author === null)).toEqual([]);
    expect(kept.length).toBeGreaterThanOrEqual(stored.size);
  }
  const shown = await joinPages(articlesOf('2024-05-01'), 'first', 100);
  expect(new Set(shown.map(({ node }) => node.author.name))).toEqual(new Set(['After']));
});

test('split days are verified and rebuilt, also which days have comments', async () => {
  const context = { database: server.database, retentionMonths: null };
  const right = { missing: 0, surplus: 0, different: 0, examples: [] };
  for (const name of [articlesByDay.name, commentsByDay.name, 'buckets']) {
    const job = jobs.find((one) => one.name === name);
    expect([name, await job?.verify(context, 1000)]).toMatchObject([name, right]);
    await server.database.run(`TRUNCATE ${name}`);
    expect([name, await job?.verify(context, 1000)]).not.toMatchObject([name, right]);
    await job?.rebuild(context, () => undefined);
    await bucketAssignerOf(server.database).idle();
    expect([name, await job?.verify(context, 1000)]).toMatchObject([name, right]);
  }
  await expectAll();
});

test('a page knows of newer articles beyond a stretch of eight partitions that has none left', async () => {
  const at = (hour: number) => new Date(FIRST_DAY + 60 * DAY_MS + hour * 3_600_000);
  const since = (hour: number) => encodePosition([leastIdAt(at(hour))]);
  const owner = nameDay(at(0));
  await server.database.write(articlesByDay.recordSplit, [owner]);
  await putAll(
    server.writeServices.bulk(),
    [
      { since: since(18), bucket: 1, others: [] },
      { since: since(6), bucket: 2, others: [3, 4, 5, 6, 7, 8, 9] },
      { since: '', bucket: 0, others: [] },
    ].map((stretch) =>
      writeOf(listBuckets, { owner, list: articlesByDay.name, effectiveAt: new Date(0), ...stretch }),
    ),
  );
  for (const hour of [20, 12, 1]) await storeAt(at(hour));
  const page = articlesOf('2024-06-30');
  const { pageInfo } = await page('first: 2');
  const publishedAt = at(12);
  await removeArticle(server.writeServices, { articleId: leastIdAt(publishedAt), authorId, publishedAt });
  const next = await page(`first: 2, after: "${pageInfo.endCursor}"`);
  expect(next.edges.map(({ node }) => node.key)).toEqual([encodeNodeId('Article', leastIdAt(at(1)))]);
  expect(next.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
});

test('what is removed is gone from split days, wherever it was stored', async () => {
  for (const [index, [id, publishedAt]] of [...stored].entries()) {
    if (index % 5 === 0) await removeComment(server.writeServices, id);
    if (index % 5 !== 0 && index % 7 !== 0) continue;
    await removeArticle(server.writeServices, { articleId: id, authorId, publishedAt });
    stored.delete(id);
  }
  await expectAll();
});
