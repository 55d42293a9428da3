import { openTracer, type Tracer } from '../bench/tombstones/passed';
import { likesByUser } from '../src/features/like/like.lists';
import { topTweetsByAuthor } from '../src/features/tweet/tweet.table';
import type { Database, Write } from '../src/kit/cassandra/database';
import { writeOf } from '../src/kit/cassandra/write';
import { clearGap, createGapClearing } from '../src/kit/lists/clear-gap';
import { createLoad } from '../src/kit/reads/load';
import { createBulkWriter } from '../src/kit/writes/bulk';
import { putAll } from '../src/kit/writes/row-writer';
import { startHarness, type Harness } from './support/harness';
import { until } from './cache/network';
import { bucketAssignerOf, setBucketAssigner } from '../src/kit/lists/bucket-assigner';
import { tellStory } from './support/gap-story';
import { gapped, lists, nth, placeIn, watchReads, type Place } from './support/worn-places';

/** How many rows a place has, and how many were made and removed there. */
const LIVE_ROWS = 60;
const REMOVED = 300;
/** Gaps are cleared when removals, which are stamped an hour ahead, are an hour and six minutes old. */
const AGE_MS = 66 * 60_000;

let server: Harness;
let tracer: Tracer;
beforeAll(async () => {
  server = await startHarness();
  const { contactPoints, localDatacenter, keyspace } = server.config.cassandra;
  tracer = await openTracer({ contactPoints: contactPoints ?? [], localDatacenter, keyspace });
});
afterAll(() => tracer.close());

const store = (writes: readonly Write[]) => putAll(server.writeServices.bulk(), writes);

/** The rows of the page after an item, how many tombstones Cassandra says that it passes for them, and these with all rows that are read. */
async function readPage(place: Place, from: number | null) {
  const { database, sent } = watchReads(server.database);
  const rows = await place.read(database, from);
  const passed = await Promise.all(sent.map(({ cql, params }) => tracer.trace(cql, params)));
  const tombstones = passed.reduce((sum, one) => sum + one.tombstones, 0);
  return { rows, tombstones, passed: passed.reduce((sum, one) => sum + one.rows, tombstones) };
}

test('of the tables that are no lists, these are cleared', () => {
  const names = ['top_replies_by_tweet', 'top_tweets_by_author'];
  expect(gapped.map(({ name }) => name).sort()).toEqual(names);
});

const spots = { newest: LIVE_ROWS, middle: LIVE_ROWS / 2, oldest: -1 } as const;

test.each(gapped.flatMap((table) => Object.entries(spots).map(([spot, at]) => ({ table, spot, at }))))(
  'a page of $table.name passes few tombstones where rows were removed at the $spot place',
  async ({ table, at }) => {
    const place = placeIn(table, String(1_000_000 + at));
    const from = at === LIVE_ROWS ? null : at + 10;
    const [put, gone] = [Date.now() - 2 * AGE_MS, Date.now() - AGE_MS];
    await store(Array.from({ length: LIVE_ROWS }, (_, n) => place.put(n, { at: put * 1000 })));
    const before = await readPage(place, from);
    const items = Array.from({ length: REMOVED }, (_, n) => at + (n + 1) / (REMOVED + 2));
    await store(items.map((item) => place.remove(item, gone)));
    expect((await readPage(place, from)).tombstones).toBeGreaterThanOrEqual(REMOVED);
    await clearGap(server.database, table, place.remove(items[7] ?? 0).removed?.key ?? {});
    const after = await readPage(place, from);
    expect(after.rows).toEqual(before.rows);
    expect(after.tombstones).toBeLessThan(10);
    expect(await place.read(server.database, null, 1000)).toHaveLength(LIVE_ROWS);
  },
);

/** Gaps are renewed without waiting, because nobody else writes. */
const AT_ONCE = { trustedMs: 0, trustedForOldRowsMs: 0, effectiveMs: 0, settledMs: 0 };

/** Removes items of a list, and renews their gap. */
async function removeAndRenew(place: Place, items: readonly number[], moment?: number) {
  await store(items.map((item) => place.remove(item, moment)));
  setBucketAssigner(server.database, { ...AT_ONCE, wornRemovals: 3 });
  await store(items.slice(-3).map((item) => place.remove(item, moment)));
  await bucketAssignerOf(server.database).gapsRenewed();
  setBucketAssigner(server.database, AT_ONCE);
}

test.each(lists.map((table) => ({ table })))(
  'the first page of $table.name costs at most twice as much after rows were made and removed above it',
  async ({ table }) => {
    setBucketAssigner(server.database, AT_ONCE);
    const place = placeIn(table, '44');
    await store(Array.from({ length: LIVE_ROWS }, (_, n) => place.put(n)));
    const before = await readPage(place, null);
    for (let n = 0; n < REMOVED; n += 50) {
      const items = Array.from({ length: 50 }, (_, k) => LIVE_ROWS + (n + k + 1) / REMOVED);
      await store(items.map((item) => place.put(item)));
      await removeAndRenew(place, items);
    }
    // The first read of a process finds out that the list is split.
    await place.read(server.database, null);
    const after = await readPage(place, null);
    expect(after.rows).toEqual(before.rows);
    expect(after.passed).toBeLessThanOrEqual(2 * before.passed);
  },
);

test('stretches that had a row for a while become one', async () => {
  setBucketAssigner(server.database, AT_ONCE);
  const place = placeIn(likesByUser, '48');
  await store([0, 1, 2].map((n) => place.put(n)));
  for (let n = 10; n < 300; n += 10) {
    await store([place.put(n)]);
    await removeAndRenew(
      place,
      [1, 2, 3, 4, 5, 6].map((above) => n + above),
    );
    await store([place.remove(n)]);
  }
  const { database, sent } = watchReads(server.database);
  expect(await place.read(database, null)).toHaveLength(3);
  expect(sent.length).toBeLessThan(10);
});

test('a row that was held back until its bucket was left out is there, unless it was removed', async () => {
  setBucketAssigner(server.database, AT_ONCE);
  const place = placeIn(likesByUser, '47');
  await store([0, 1, 2].map((n) => place.put(n, { at: 1 })));
  const release = Promise.withResolvers<null>();
  const slow: Database = {
    ...server.database,
    async batch(writes, options) {
      await release.promise;
      await server.database.batch(writes, options);
    },
  };
  setBucketAssigner(slow, { ...AT_ONCE, storedWithinMs: 0 });
  const held = putAll(
    createBulkWriter(slow)(),
    [3, 4, 5].map((n) => place.put(n, { at: 2 })),
  );
  const removed = Array.from({ length: 6 }, (_, n) => 6 + n);
  await store([place.remove(4, 3)]);
  await removeAndRenew(place, removed, 3);
  await store([place.remove(5, 3)]);
  release.resolve(null);
  await held;
  const idsIn = (rows: readonly string[]) =>
    rows.map((row) => (JSON.parse(row) as { tweetId: string }).tweetId);
  expect(idsIn(await place.read(server.database, null))).toEqual([3, 2, 1, 0].map((n) => nth(n).id));
});

/** `STORY_ACTS=100000` tells longer stories. */
const STORY_ACTS = Number(process.env['STORY_ACTS'] ?? 800);

test.each([
  ['the present', '45', () => Date.now() - 3_000_000, 1],
  // Its stretches are divided into so many that few gaps are worn.
  ['the past', '46', () => Date.UTC(2020, 0, 1), 0],
])(
  'no row of %s is lost or comes back while stretches are split and gaps renewed',
  async (_, tweetId, begin, left) => {
    const seed = Number(process.env['STORY_SEED'] ?? tweetId);
    const told = await tellStory(server.database, { tweetId, begin: begin(), acts: STORY_ACTS, seed });
    expect(told.differences).toEqual([]);
    expect(told.killed).toBeGreaterThan(0);
    expect(told.left).toBeGreaterThanOrEqual(left);
  },
);

test('one of many removals, chosen by chance, clears its gap later', async () => {
  const place = placeIn(topTweetsByAuthor, '43');
  const items = Array.from({ length: REMOVED }, (_, n) => n);
  await store(items.map((item) => place.remove(item, Date.now() - AGE_MS)));
  const clearLater = createGapClearing(server.database, { perClearing: 10, afterMs: 0 });
  for (const item of items) {
    const { removed } = place.remove(item);
    if (removed) clearLater(removed);
  }
  await until(async () => (await readPage(place, null)).tombstones < 10);
});

test('a row that is written after a gap was cleared, or shortly before, is there', async () => {
  const authorId = '42';
  const row = (n: number) => {
    const { moment, id } = nth(n);
    return { authorId, magnitude: 1, tweetId: id, createdAt: moment };
  };
  await store([0, 9, 4].map((n) => writeOf(topTweetsByAuthor, row(n))));
  await clearGap(server.database, topTweetsByAuthor, row(5));
  await store([writeOf(topTweetsByAuthor, row(6))]);
  await clearGap(server.database, topTweetsByAuthor, row(3));
  await store([writeOf(topTweetsByAuthor, row(2))]);
  const rows = await createLoad(server.database)(topTweetsByAuthor.page, { authorId, limit: 100 });
  expect(rows.map(({ tweetId }) => tweetId)).toEqual([9, 6, 4, 2, 0].map((n) => nth(n).id));
});
