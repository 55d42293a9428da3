import { openTracer, type Tracer } from '../bench/tombstones/passed';
import { tweetsByArea } from '../src/features/map/map.table';
import type { Write } from '../src/kit/cassandra/database';
import { writeOf } from '../src/kit/cassandra/write';
import { clearGap, createGapClearing } from '../src/kit/lists/clear-gap';
import { createLoad } from '../src/kit/reads/load';
import { putAll } from '../src/kit/writes/row-writer';
import { startHarness, type Harness } from './harness';
import { until } from './cache/network';
import { gapped, nth, placeIn, watchReads, type Place } from './worn-places';

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

/** The rows of the page after an item, and how many tombstones Cassandra says that it passes for them. */
async function readPage(place: Place, from: number | null) {
  const { database, sent } = watchReads(server.database);
  const rows = await place.read(database, from);
  const passed = await Promise.all(sent.map(({ cql, params }) => tracer.trace(cql, params)));
  return { rows, tombstones: passed.reduce((sum, { tombstones }) => sum + tombstones, 0) };
}

test('of the tables that are no lists, these are cleared', () => {
  const names = ['top_replies_by_tweet', 'top_tweets_by_author', 'tweets_by_area', 'tweets_by_day'];
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

test('one of many removals, chosen by chance, clears its gap later', async () => {
  const place = placeIn(tweetsByArea, '43');
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
  const cell = '42';
  const row = (n: number) => {
    const { moment, id } = nth(n);
    return { cell, bucket: 1, createdAt: moment, tweetId: id, latitude: 1, longitude: 1 };
  };
  await store([0, 9, 4].map((n) => writeOf(tweetsByArea, row(n))));
  await clearGap(server.database, tweetsByArea, row(5));
  await store([writeOf(tweetsByArea, row(6))]);
  await clearGap(server.database, tweetsByArea, row(3));
  await store([writeOf(tweetsByArea, row(2))]);
  const rows = await createLoad(server.database)(tweetsByArea.page, { cell, bucket: 1, limit: 100 });
  expect(rows.map(({ tweetId }) => tweetId)).toEqual([9, 6, 4, 2, 0].map((n) => nth(n).id));
});
