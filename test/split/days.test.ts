import { writeFeatures } from '../../src/app';
import { tweetsByDay } from '../../src/features/tweet/tweet.lists';
import { frequencyJob } from '../../src/jobs/frequency';
import { jobs } from '../../src/jobs/all';
import { compareIds } from '../../src/kit/base/ids';
import { snowflakeAt } from '../../src/kit/base/snowflake';
import { bucketAssignerOf, type BucketAssignerOptions } from '../../src/kit/lists/bucket-assigner';
import { nameDay } from '../../src/kit/lists/day-list';
import { listBuckets } from '../../src/kit/lists/list-buckets';
import { readMany } from '../../src/kit/reads/load';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { joinPages, PAGE_INFO, pageReader } from '../../src/tools/testing/testing';
import { partsInOrder } from '../../src/write/account/delete-account';
import { person, startHarness, tweet, type Harness } from '../support/harness';
import { act, post } from '../support/mutations';
import { randomIntFrom } from '../support/random-int';

// Partitions are full after a few rows, so that days are split again and again, all over.
const lists: BucketAssignerOptions = {
  ...{ fullRows: 12, rowsPerCheck: 3, effectiveMs: 0 },
  ...{ trustedMs: 0, trustedForOldRowsMs: 0 },
};
const random = randomIntFrom(40);
const DAY = '2026-03-05';
const AUTHORS = ['1', '2', '3'];

let server: Harness;
/** The tweets of the day, by their ids: whose they are, and of which minute. */
const stored = new Map<string, { readonly author: string; readonly minute: number }>();

async function settleSplits(): Promise<void> {
  await bucketAssignerOf(server.database).idle();
}

/** Imports tweets of any times of the day; of a small part of it, if that is given. */
async function importTweets(count: number, fromMinute = 0, minutes = 1440): Promise<void> {
  const records = Array.from({ length: count }, () => {
    const minute = fromMinute + random(minutes);
    const at = new Date(Date.parse(DAY) + minute * 60_000 + random(60_000));
    const author = AUTHORS[random(AUTHORS.length)] ?? '1';
    const tweetId = snowflakeAt(at, BigInt(random(4096))) ?? '';
    stored.set(tweetId, { author, minute });
    return { ...tweet(tweetId, author), createdAt: at };
  });
  expect(await server.store(records)).toEqual(new Map());
  await settleSplits();
}

beforeAll(async () => {
  server = await startHarness({}, undefined, { lists });
  await server.store(AUTHORS.map((id) => person(id, `user${id}`)));
  for (let n = 0; n < 4; n++) await importTweets(150);
  for (let n = 0; n < 2; n++) await importTweets(100, 700, 20);
});

const newestFirst = () => [...stored.keys()].sort((a, b) => compareIds(b, a));
const page = pageReader<{ readonly node: { readonly tweetId: string } }>(
  (source) => server.query(source),
  (args) => `{ list: tweetsOfDay(day: "${DAY}", ${args}) { edges { node { tweetId } } ${PAGE_INFO} } }`,
);
const idsBy = async (direction: 'first' | 'last', size: number) =>
  (await joinPages(page, direction, size)).map(({ node }) => node.tweetId);

async function stretches() {
  const key = { owner: nameDay(new Date(DAY)), list: tweetsByDay.name, limit: 10_000 };
  const [found = []] = await readMany(server.database, listBuckets.page, [key]);
  return found;
}

test('all shards of a day have the same stretches, of several buckets', async () => {
  const found = await stretches();
  expect(found.length).toBeGreaterThan(8);
  expect(Math.max(...found.map(({ others }) => others?.length ?? 0))).toBeGreaterThan(1);
  const rows = await server.database.run('SELECT CAST(day AS text) AS day, bucket FROM tweets_by_day');
  const [owners, buckets] = ['day', 'bucket'].map((name) => new Set(rows.map((row) => String(row[name]))));
  expect(owners?.size).toBe(tweetsByDay.shards);
  expect(buckets?.size).toBeGreaterThan(8);
});

test.each([
  ['first', 25],
  ['last', 100],
] as const)('pages of a split day (%s: %i) join to the whole', async (direction, size) => {
  expect(await idsBy(direction, size)).toEqual(newestFirst());
});

test('a page of a split day reads no more than it has reserved, and what is cheap of a day that was not split', async () => {
  const cost = async (day: string, args: string) => {
    const query = `{ tweetsOfDay(day: "${day}", ${args}) { edges { cursor } ${PAGE_INFO} } }`;
    const { extensions, data } = JSON.parse((await server.post(JSON.stringify({ query }))).body) as {
      extensions: { cost: { bound: number; boundOfRows: number; reads: number; rows: number } };
      data: { tweetsOfDay: { pageInfo: { endCursor: string } } };
    };
    return { ...extensions.cost, end: data.tweetsOfDay.pageInfo.endCursor };
  };
  let after = '';
  for (let n = 0; n < 10; n++) {
    const { bound, boundOfRows, reads, rows, end } = await cost(DAY, `first: 25, after: "${after}"`);
    expect(reads).toBeLessThanOrEqual(bound);
    expect(rows).toBeLessThanOrEqual(boundOfRows);
    after = end;
  }
  const quiet = await cost('2026-03-06', 'first: 25');
  expect(quiet.reads).toBeLessThanOrEqual(tweetsByDay.shards + 4);
});

test('an import has counted each tweet of a split day once', async () => {
  const { data, errors } = await server.query(
    `{ tweetFrequency(from: "${DAY}T00:00:00Z", to: "2026-03-06T00:00:00Z") { count } }`,
  );
  expect(errors).toEqual([]);
  const { tweetFrequency } = data as { tweetFrequency: { count: number }[] };
  const due = Array.from({ length: 1440 }, () => 0);
  for (const { minute } of stored.values()) due[minute] = (due[minute] ?? 0) + 1;
  expect(tweetFrequency.map(({ count }) => count)).toEqual(due);
  const context = { database: server.database, retentionMonths: null };
  expect(await frequencyJob.verify(context, 1000)).toMatchObject({ different: 0 });
});

test('tweets that are deleted are gone from a split day, wherever they were stored', async () => {
  const gone = newestFirst().filter((_, index) => index % 9 === 0);
  for (const tweetId of gone) {
    const id = encodeNodeId('Tweet', tweetId);
    await act(server, stored.get(tweetId)?.author ?? '', 'deleteTweet', { id });
    stored.delete(tweetId);
  }
  await server.writeServices.outbox.idle();
  expect(await idsBy('first', 100)).toEqual(newestFirst());
});

test('a split day is verified and rebuilt', async () => {
  const job = jobs.find(({ name }) => name === tweetsByDay.name);
  const context = { database: server.database, retentionMonths: null };
  const right = { missing: 0, surplus: 0, different: 0, examples: [] };
  expect(await job?.verify(context, 2000)).toMatchObject(right);
  const rows = await server.database.run(
    'SELECT CAST(day AS text) AS day, bucket, CAST(tweet_id AS text) AS id FROM tweets_by_day',
  );
  for (const { day, bucket, id } of rows.filter((_, index) => index % 11 === 0))
    await server.database.run('DELETE FROM tweets_by_day WHERE day = ? AND bucket = ? AND tweet_id = ?', [
      String(day),
      Number(bucket),
      String(id),
    ]);
  expect(await job?.verify(context, 2000)).not.toMatchObject(right);
  await job?.rebuild(context, () => undefined);
  await settleSplits();
  expect(await job?.verify(context, 2000)).toMatchObject(right);
  expect(await idsBy('first', 100)).toEqual(newestFirst());
});

test('the tweets of who leaves are gone from a split day', async () => {
  const parts = partsInOrder(writeFeatures).filter(({ name }) => name === 'tweets_by_author');
  for (const part of parts)
    for await (const { rows } of part.remove(
      server.writeServices,
      { userId: '3', issuer: null, subject: null },
      '',
    ))
      expect(Object.keys(rows)).toEqual(['tweets_by_author']);
  await server.writeServices.outbox.idle();
  for (const [id, { author }] of stored) if (author === '3') stored.delete(id);
  expect(await idsBy('first', 100)).toEqual(newestFirst());
  expect(await idsBy('last', 25)).toEqual(newestFirst());
});

test('a day that is split while it goes on has what is posted, in order', async () => {
  const posted: string[] = [];
  for (let n = 0; n < 40; n++) {
    const made = await Promise.all(
      AUTHORS.slice(0, 2).flatMap((author) =>
        [0, 1, 2].map((k) => post(server, author, { content: `Post ${n} ${k}` })),
      ),
    );
    posted.push(...made.map(({ tweetId }) => tweetId));
  }
  await settleSplits();
  const today = pageReader<{ readonly node: { readonly tweetId: string } }>(
    (source) => server.query(source),
    (args) =>
      `{ list: tweetsOfDay(day: "${new Date().toISOString().slice(0, 10)}", ${args}) { edges { node { tweetId } } ${PAGE_INFO} } }`,
  );
  const due = posted.sort((a, b) => compareIds(b, a));
  for (const direction of ['first', 'last'] as const) {
    const ids = (await joinPages(today, direction, 25)).map(({ node }) => node.tweetId);
    // If it was midnight meanwhile, the first of them are of another day.
    expect(ids).toEqual(due.slice(0, ids.length));
    expect(ids.length).toBeGreaterThan(0);
  }
});
