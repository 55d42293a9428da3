import { openTracer, type Tracer } from '../bench/tombstones/passed';
import { features } from '../src/app';
import type { Database, Write } from '../src/kit/cassandra/database';
import { isListTable, type Columns, type StoredRow } from '../src/kit/cassandra/table';
import { removalOf, writeOf } from '../src/kit/cassandra/write';
import { bucketAssignerOf, type BucketAssignerOptions } from '../src/kit/lists/bucket-assigner';
import { bucketList, type BucketTable } from '../src/kit/lists/bucket-list';
import { collect } from '../src/kit/lists/connection';
import type { PositionValue } from '../src/kit/lists/cursor';
import { bucketsOfList } from '../src/kit/lists/list-buckets';
import { createLoad } from '../src/kit/reads/load';
import { likesByUser } from '../src/features/like/like.lists';
import { timelinesByUser } from '../src/features/timeline/timeline.lists';
import { leastIdAt } from '../src/kit/base/snowflake';
import { putAll } from '../src/kit/writes/row-writer';
import { startHarness, type Harness } from './harness';
import { randomIntFrom } from './random-int';
import { rowIn, type Nth } from './stored-lists';

/** After how many removals a place is worn, how many rows a list has, and how often a row is made and removed there. */
const WORN_ROWS = 50;
const LIVE_ROWS = 60;
const CYCLES = 1000;
const AT_ONCE = 50;
/** A server that does not wait: it is the only one, so it knows of each stretch at once. */
const options: BucketAssignerOptions = { wornRows: WORN_ROWS, settledMs: 0, effectiveMs: 0 };

/** All lists that there are. */
const lists = features.flatMap(({ tables }) => tables).filter((table) => isListTable(table));

let server: Harness;
let tracer: Tracer;
beforeAll(async () => {
  server = await startHarness({}, undefined, { lists: options });
  const { contactPoints, localDatacenter, keyspace } = server.config.cassandra;
  tracer = await openTracer({ contactPoints: contactPoints ?? [], localDatacenter, keyspace });
});
afterAll(() => tracer.close());

const BEGIN = Date.UTC(2026, 0, 1);
/** The nth item of a list; items between two others have fractions. */
const nth = (n: number): Nth => {
  const moment = new Date(BEGIN + n * 1_000_000);
  return { moment, id: leastIdAt(moment) };
};

type List = (typeof lists)[number];
const putIn = (list: List, owner: string, item: Nth): Write =>
  writeOf<Columns, string, string>(list, rowIn({ list }, owner, item));
const removeFrom = (list: List, owner: string, item: Nth): Write =>
  removalOf<Columns, string, string>(list, rowIn({ list }, owner, item));
const store = (writes: readonly Write[]) => putAll(server.writeServices.bulk(), writes);

/** A read that was sent. */
interface Sent {
  readonly cql: string;
  readonly params: readonly unknown[];
}

/** Rows of a list from a position on, as they are shown, and what was read for them. */
async function read(list: List, owner: string, from: Nth | null, limit = 24) {
  type ListRow = StoredRow & { readonly bucket: number; readonly isSplit: boolean | null };
  const sent: Sent[] = [];
  const database: Database = {
    ...server.database,
    read(cql, params, ...rest) {
      sent.push({ cql, params });
      return server.database.read(cql, params, ...rest);
    },
  };
  const position = (row: ListRow) => list.clustering.map((property) => row[property] as PositionValue);
  const table = list as unknown as BucketTable<ListRow, string>;
  const open = bucketList(createLoad(database), table, { [list.owner]: owner }, position);
  const valueOf = (property: string, { moment, id }: Nth) =>
    list.columns[property]?.cql === 'timestamp' ? moment : id;
  const key = from && list.clustering.map((property) => valueOf(property, from));
  const { rows } = await collect(open, { limit, backwards: false, from: key && { bucket: 0, key } });
  return {
    rows: rows.map(({ row: { bucket: _, isSplit: __, ...row } }) => JSON.stringify(row)),
    sent,
  };
}

/** How many tombstones Cassandra says that it passes for these reads. */
async function countPassed(sent: readonly Sent[]): Promise<number> {
  const passed = await Promise.all(sent.map(({ cql, params }) => tracer.trace(cql, params)));
  return passed.reduce((sum, { tombstones }) => sum + tombstones, 0);
}

/** Where rows are made and removed: after the newest row, between two rows, and before the oldest one. */
const places = { newest: LIVE_ROWS, middle: LIVE_ROWS / 2, oldest: -1 } as const;

test.each(Object.entries(places))(
  `a page of any list passes few tombstones after ${CYCLES} rows were made and removed at its %s place`,
  async (place, at) => {
    const owner = String(1_000_000 + at);
    // The page begins some rows above the place.
    const from = place === 'newest' ? null : nth(at + 10);
    const before = new Map<List, Awaited<ReturnType<typeof read>>>();
    for (const list of lists) {
      await store(Array.from({ length: LIVE_ROWS }, (_, n) => putIn(list, owner, nth(n))));
      before.set(list, await read(list, owner, from));
    }
    for (let n = 0; n < CYCLES; n += AT_ONCE) {
      const items = Array.from({ length: AT_ONCE }, (_, k) => nth(at + (n + k + 1) / (CYCLES + 2)));
      await store(lists.flatMap((list) => items.map((item) => putIn(list, owner, item))));
      await store(lists.flatMap((list) => items.map((item) => removeFrom(list, owner, item))));
      await bucketAssignerOf(server.database).idle();
    }
    for (const list of lists) {
      const { rows, sent } = await read(list, owner, from);
      expect({ list: list.name, rows }).toEqual({ list: list.name, rows: before.get(list)?.rows });
      expect(await countPassed(sent)).toBeLessThanOrEqual(2 * WORN_ROWS + AT_ONCE);
      // Besides the first partition, the one with the stretches, and that of the place.
      expect(sent.length).toBeLessThanOrEqual(4);
      expect((await read(list, owner, null, 1000)).rows).toHaveLength(LIVE_ROWS);
    }
  },
);

test('rows keep their time to live when they are moved', async () => {
  const owner = '77';
  const list = timelinesByUser;
  const row = rowIn({ list }, owner, nth(0));
  await store([writeOf<Columns, string, string>(list, row, { at: 1000, ttl: 5000 })]);
  for (let n = 1; n < 4 * WORN_ROWS; n++) {
    await store([putIn(list, owner, nth(n))]);
    await store([removeFrom(list, owner, nth(n))]);
  }
  await bucketAssignerOf(server.database).idle();
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
  const due = new Map<number, string>();
  const list = likesByUser;
  const owner = '78';
  for (let n = 0; n < 60; n++) {
    const around = random(3) * 40;
    const items = Array.from({ length: 30 }, () => around + random(40));
    const writes = items.map((item) => {
      const isGone = random(2) === 0;
      if (isGone) due.delete(item);
      else due.set(item, nth(item).id);
      return isGone ? removeFrom(list, owner, nth(item)) : putIn(list, owner, nth(item));
    });
    // One after another: of two writes of a row, the later one counts.
    for (const write of writes) await putAll(busy.writeServices.bulk(), [write]);
    const { rows } = await read(list, owner, null, 1000);
    const found = rows.map((row) => (JSON.parse(row) as { tweetId: string }).tweetId);
    const ids = [...due.entries()].sort(([a], [b]) => b - a).map(([, id]) => id);
    expect({ n, found }).toEqual({ n, found: ids });
  }
  expect(await bucketsOfList(createLoad(server.database), list, owner)).not.toHaveLength(1);
});
