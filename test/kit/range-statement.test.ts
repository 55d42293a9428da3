import { hashtagsByHour } from '../../src/features/hashtag/hashtag.table';
import { MIN_ID } from '../../src/kit/base/ids';
import { rangeStatement } from '../../src/kit/cassandra/range-statement';
import { createLoad } from '../../src/kit/reads/load';
import { putAll } from '../../src/kit/writes/row-writer';
import { writeOf } from '../../src/kit/cassandra/write';
import type { Row } from '../../src/kit/cassandra/table';
import { startHarness, type Harness } from '../support/harness';

type Use = Row<typeof hashtagsByHour>;

let server: Harness;
/** Two hours in which seven authors use three hashtags, some of them often. Some authors have the same hash. */
const uses: readonly Use[] = Array.from({ length: 140 }, (_, n) => ({
  hour: 500_000 + (n % 2),
  shard: 0,
  hashtag: `tag${(n * n) % 5}`,
  authorHash: Math.floor(((n * 3) % 7) / 2),
  authorId: String((n * 3) % 7),
  tweetId: String(1000 + n),
  createdAt: new Date(Date.UTC(2026, 0, 1) + ((n * 37) % 140) * 1000),
}));

beforeAll(async () => {
  server = await startHarness();
  await putAll(
    server.writeServices.bulk(),
    uses.map((use) => writeOf(hashtagsByHour, use)),
  );
});
afterAll(() => server.close());

const last = rangeStatement(hashtagsByHour, {
  by: ['authorHash', 'authorId', 'hashtag'],
  take: { createdAt: 'max' },
});
const start = { authorHash: 0, authorId: MIN_ID, hashtag: '' };

/** The latest use of each hashtag by each author, in the table's order. */
function lastOf(hour: number): [string, string, number][] {
  const latest = new Map<string, [string, string, number]>();
  for (const { hour: other, hashtag, authorId, createdAt } of uses) {
    if (other !== hour) continue;
    const key = `${authorId} ${hashtag}`;
    latest.set(key, [authorId, hashtag, Math.max(latest.get(key)?.[2] ?? 0, Number(createdAt))]);
  }
  return [...latest.values()].sort(([a, b], [c, d]) => (a < c || (a === c && b < d) ? -1 : 1));
}

async function walk(hour: number, limit: number, before?: number) {
  const load = createLoad(server.database);
  const found: [string, string, number][] = [];
  for (let after = start; ;) {
    const rows = await load(last, { hour, shard: 0, after, limit, ...(before !== undefined && { before }) });
    expect(rows.length).toBeLessThanOrEqual(limit);
    for (const row of rows) found.push([row.authorId, row.hashtag, Number(row.createdAt)]);
    const end = rows.at(-1);
    if (rows.length < limit || end === undefined) return found;
    after = end;
  }
}

test.each([1, 3, 10, 1000])('ranges of %d groups joined are the whole partition', async (limit) => {
  for (const hour of [500_000, 500_001]) {
    expect(lastOf(hour).length).toBeGreaterThan(10);
    expect(await walk(hour, limit)).toEqual(lastOf(hour));
  }
});

test('a range ends before the value that it is given', async () => {
  expect(await walk(500_000, 4, 2)).toEqual(lastOf(500_000).filter(([authorId]) => authorId < '4'));
});

test('ranges of several partitions are one request, and each has its own limit', async () => {
  const reads: number[] = [];
  const database = {
    ...server.database,
    read: (...args: Parameters<typeof server.database.read>) => {
      reads.push(1);
      return server.database.read(...args);
    },
  };
  const load = createLoad(database);
  const key = { shard: 0, after: start, limit: 3 };
  const both = await Promise.all([500_000, 500_001].map((hour) => load(last, { ...key, hour })));
  expect(both.map((rows) => rows.map((row) => [row.authorId, row.hashtag, Number(row.createdAt)]))).toEqual(
    [500_000, 500_001].map((hour) => lastOf(hour).slice(0, 3)),
  );
  expect(reads).toHaveLength(1);
});
