import { openTracer, type Tracer } from '../bench/tombstones/passed';
import { likesByUser } from '../src/features/like/like.lists';
import { tweetsByArea } from '../src/features/map/map.table';
import { timelinesByUser } from '../src/features/timeline/timeline.lists';
import type { Write } from '../src/kit/cassandra/database';
import { writeOf } from '../src/kit/cassandra/write';
import { bucketAssignerOf, type BucketAssignerOptions } from '../src/kit/lists/bucket-assigner';
import { clearGap, CLEARED_AGE_MS } from '../src/kit/lists/clear-gap';
import { bucketsOfList } from '../src/kit/lists/list-buckets';
import { createLoad } from '../src/kit/reads/load';
import { putAll } from '../src/kit/writes/row-writer';
import { startHarness, type Harness } from './harness';
import { randomIntFrom } from './random-int';
import { gapped, lists, nth, placeIn, watchReads, type Sent } from './worn-places';

/** After how many removals a place is worn, how many rows it has, and how often one is made and removed there. */
const WORN_ROWS = 50;
const LIVE_ROWS = 60;
const CYCLES = 300;
const AT_ONCE = 50;
/** A server that does not wait: it is the only one, so it knows of each stretch at once. */
const options: BucketAssignerOptions = {
  ...{ wornRows: WORN_ROWS, settledMs: 0, effectiveMs: 0 },
  // Removals of tweets have timestamps an hour ahead, which nobody waits for here.
  clearedAgeMs: -7_200_000,
};

let server: Harness;
let tracer: Tracer;
beforeAll(async () => {
  server = await startHarness({}, undefined, { lists: options });
  const { contactPoints, localDatacenter, keyspace } = server.config.cassandra;
  tracer = await openTracer({ contactPoints: contactPoints ?? [], localDatacenter, keyspace });
});
afterAll(() => tracer.close());

const store = (writes: readonly Write[]) => putAll(server.writeServices.bulk(), writes);
const checked = () => bucketAssignerOf(server.database).idle();

/** How many tombstones Cassandra says that it passes for some reads. */
async function countPassed(sent: readonly Sent[]): Promise<number> {
  const passed = await Promise.all(sent.map(({ cql, params }) => tracer.trace(cql, params)));
  return passed.reduce((sum, { tombstones }) => sum + tombstones, 0);
}

/** Where rows are made and removed: after the newest row, between two rows, and before the oldest one. */
const spots = { newest: LIVE_ROWS, middle: LIVE_ROWS / 2, oldest: -1 } as const;

test('all lists are tried, and of other tables these', () => {
  expect(lists.length).toBeGreaterThan(12);
  const names = ['top_replies_by_tweet', 'top_tweets_by_author', 'tweets_by_area', 'tweets_by_day'];
  expect(gapped.map(({ name }) => name).sort()).toEqual(names);
});

test.each(Object.entries(spots))(
  `a page passes few tombstones after ${CYCLES} rows were made and removed at the %s place of any list`,
  async (_, at) => {
    const places = [...lists, ...gapped].map((table) => placeIn(table, String(1_000_000 + at)));
    // The page begins some rows above the place.
    const from = at === LIVE_ROWS ? null : at + 10;
    const before = new Map<string, readonly string[]>();
    for (const place of places) {
      await store(Array.from({ length: LIVE_ROWS }, (_, n) => place.put(n)));
      before.set(place.name, await place.read(server.database, from));
    }
    for (let n = 0; n < CYCLES; n += AT_ONCE) {
      const items = Array.from({ length: AT_ONCE }, (_, k) => at + (n + k + 1) / (CYCLES + 2));
      await store(places.flatMap((place) => items.map((item) => place.put(item))));
      await store(places.flatMap((place) => items.map((item) => place.remove(item))));
      await checked();
    }
    for (const place of places) {
      const { database, sent } = watchReads(server.database);
      const rows = await place.read(database, from);
      expect({ place: place.name, rows }).toEqual({ place: place.name, rows: before.get(place.name) });
      expect(await countPassed(sent)).toBeLessThanOrEqual(2 * WORN_ROWS + AT_ONCE);
      // Besides the first partition, the one with the stretches, and that of the place.
      expect(sent.length).toBeLessThanOrEqual(4);
      expect(await place.read(server.database, null, 1000)).toHaveLength(LIVE_ROWS);
    }
  },
);

test('rows keep their time to live when they are moved', async () => {
  const owner = '77';
  const place = placeIn(timelinesByUser, owner);
  await store([place.put(0, { at: 1000, ttl: 5000 })]);
  for (let n = 1; n < 4 * WORN_ROWS; n++) {
    await store([place.put(n)]);
    await store([place.remove(n)]);
  }
  await checked();
  const stored = await server.database.run(
    'SELECT bucket, TTL(author_id) AS ttl FROM timelines_by_user WHERE user_id = ? AND bucket IN (0, 1, 2, 3, 4, 5) AND tweet_id = ?',
    [owner, nth(0).id],
  );
  const moved = stored.map((one) => ({ isFirst: one['bucket'] === 0, ttl: Number(one['ttl']) }));
  expect(moved).toEqual([{ isFirst: false, ttl: expect.any(Number) as number }]);
  expect(moved[0]?.ttl).toBeGreaterThan(4000);
});

test('a list has its rows, whatever is put, removed and moved meanwhile, and wherever', async () => {
  const random = randomIntFrom(38);
  const busy = await startHarness({}, server, { lists: { wornRows: 15, settledMs: 500, effectiveMs: 0 } });
  const due = new Set<number>();
  const owner = '78';
  const place = placeIn(likesByUser, owner);
  for (let round = 0; round < 40; round++) {
    const around = random(3) * 40;
    // One after another: of two writes of a row, the later one counts.
    for (const item of Array.from({ length: 30 }, () => around + random(40))) {
      const isGone = random(2) === 0;
      if (isGone) due.delete(item);
      else due.add(item);
      await putAll(busy.writeServices.bulk(), [isGone ? place.remove(item) : place.put(item)]);
    }
    const found = await place.read(server.database, null, 1000);
    const ids = [...due].sort((a, b) => b - a).map((item) => nth(item).id);
    const foundIds = found.map((row) => (JSON.parse(row) as { readonly tweetId: string }).tweetId);
    expect({ round, found: foundIds }).toEqual({ round, found: ids });
  }
  expect(await bucketsOfList(createLoad(server.database), likesByUser, owner)).not.toHaveLength(1);
});

test('a row that is written after a gap was cleared, or shortly before, is there', async () => {
  const cell = '42';
  const row = (n: number) => {
    const { moment, id } = nth(n);
    return { cell, bucket: 1, createdAt: moment, tweetId: id, latitude: 1, longitude: 1 };
  };
  await store([0, 9, 4].map((n) => writeOf(tweetsByArea, row(n))));
  await clearGap(server.database, tweetsByArea, row(5), CLEARED_AGE_MS);
  await store([writeOf(tweetsByArea, row(6))]);
  await clearGap(server.database, tweetsByArea, row(3), CLEARED_AGE_MS);
  await store([writeOf(tweetsByArea, row(2))]);
  const rows = await createLoad(server.database)(tweetsByArea.page, { cell, bucket: 1, limit: 100 });
  expect(rows.map(({ tweetId }) => tweetId)).toEqual([9, 6, 4, 2, 0].map((n) => nth(n).id));
});
