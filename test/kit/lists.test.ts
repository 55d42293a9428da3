import { createBulkWriter } from '../../src/kit/writes/bulk';
import type { Statement } from '../../src/kit/cassandra/statement';
import { bucketsOfList, listBuckets } from '../../src/kit/lists/list-buckets';
import { createLoad, type Load, type ReadLog } from '../../src/kit/reads/load';
import { bucketAssignerOf, type BucketAssignerOptions } from '../../src/kit/lists/bucket-assigner';
import { removalOf, writeOf } from '../../src/kit/cassandra/write';
import { bucketList } from '../../src/kit/lists/bucket-list';
import { countRows } from '../../src/kit/lists/count-rows';
import { listPages } from '../../src/kit/lists/list-pages';
import { collect } from '../../src/kit/lists/connection';
import type { Position } from '../../src/kit/lists/cursor';
import type { Found, FoundRows } from '../../src/kit/lists/list-parts';
import { likesByTweet } from '../../src/features/like/like.lists';
import { startHarness, type Harness } from '../support/harness';
import { randomIntFrom } from '../support/random-int';

// Small partitions and no waiting: lists are split all the time, by two servers that do not tell each other.
const lists: BucketAssignerOptions = { fullRows: 10, rowsPerCheck: 3, effectiveMs: 0 };

let servers: readonly Harness[];
beforeAll(async () => {
  const first = await startHarness({}, undefined, { lists });
  servers = [first, await startHarness({}, first, { lists })];
});

interface Like {
  readonly likedAt: Date;
  readonly userId: string;
}

const position = ({ likedAt, userId }: Like) => [likedAt, userId];
const nameOf = ({ likedAt, userId }: Like) => `${Number(likedAt)} ${userId}`;
const listOf = (server: Harness, tweetId: string) =>
  bucketList(createLoad(server.database), likesByTweet, { tweetId }, position);

async function walk(server: Harness, tweetId: string, size: number, backwards: boolean) {
  const found: string[] = [];
  let from: Position | null = null;
  for (;;) {
    const read: FoundRows<Like> = await collect(listOf(server, tweetId), {
      limit: size - 1,
      backwards,
      from,
    });
    found.push(...read.rows.map(({ row }) => nameOf(row)));
    const last: Found<Like> | undefined = read.rows.length < size ? undefined : read.rows.at(-1);
    if (last !== undefined) from = { bucket: last.bucket, key: position(last.row) };
    else if (read.end !== null) from = read.end;
    else return backwards ? found.reverse() : found;
  }
}

function newLog(): ReadLog {
  return { reads: [], resolving: () => undefined, lists: new Map(), apart: (work) => work() };
}

const orders = {
  'the present': (_random: (below: number) => number, n: number) => new Date(Date.now() + (n % 7)),
  'the past, in order': (_random: (below: number) => number, n: number) => new Date(n * 1000),
  'the past, against the order': (_random: (below: number) => number, n: number) => new Date(-n * 1000),
  'the past, at random': (random: (below: number) => number) => new Date(random(1_000_000)),
  'one moment': () => new Date(0),
  'the past and the present': (random: (below: number) => number, n: number) =>
    n % 3 === 0 ? new Date(Date.now() + (n % 7)) : new Date(random(1_000_000)),
};

describe.each(Object.keys(orders) as (keyof typeof orders)[])('a list that gets rows of %s', (order) => {
  const tweetId = String(1000 + Object.keys(orders).indexOf(order));
  const random = randomIntFrom(Number(tweetId));
  const stored = new Map<string, Like>();

  test('has all its rows, in order, in both directions, whatever the size of the pages', async () => {
    const [first] = servers as [Harness, Harness];
    for (let n = 0; n < 120; n++) {
      const server = servers[random(2)] as Harness;
      const writer = server.writeServices.bulk();
      const like = { likedAt: orders[order](random, n), userId: String(random(100_000)) };
      await writer.put(writeOf(likesByTweet, { tweetId, ...like }));
      stored.set(nameOf(like), like);
      if (random(4) === 0) {
        const gone = [...stored.values()][random(stored.size)] as Like;
        await writer.put(removalOf(likesByTweet, { tweetId, ...gone }));
        stored.delete(nameOf(gone));
      }
      await writer.flush();
      if (n % 40 !== 39) continue;
      await Promise.all(servers.map(({ database }) => bucketAssignerOf(database).idle()));
      const due = [...stored.values()]
        .sort((a, b) => Number(b.likedAt) - Number(a.likedAt) || Number(b.userId) - Number(a.userId))
        .map(nameOf);
      for (const size of [2, 7, 100])
        for (const backwards of [false, true])
          expect(await walk(servers[random(2)] as Harness, tweetId, size, backwards)).toEqual(due);
      const paged: string[] = [];
      for await (const page of listPages(
        first.database,
        (load) => bucketList(load, likesByTweet, { tweetId }, position),
        9,
      ))
        paged.push(...page.map(nameOf));
      expect(paged).toEqual(due);
      expect((await countRows(first.database, likesByTweet, [tweetId])).get(tweetId)).toBe(due.length);
    }
  });

  test('was split, and no stretch has rows in many buckets', async () => {
    const load = createLoad((servers[0] as Harness).database);
    expect((await bucketsOfList(load, likesByTweet, tweetId)).length).toBeGreaterThan(1);
    const stretches = await load(listBuckets.page, {
      owner: tweetId,
      list: likesByTweet.name,
      limit: 10_000,
    });
    expect(Math.max(...stretches.map(({ others }) => others?.length ?? 0))).toBeLessThanOrEqual(7);
  });

  test.each([false, true])('several buckets are read by one request (reversed: %s)', async (reversed) => {
    const { database } = servers[0] as Harness;
    const buckets = await bucketsOfList(createLoad(database), likesByTweet, tweetId);
    const read = (load: Load, bucket: number) =>
      load(likesByTweet.slice, { tweetId, bucket, after: undefined, reversed, limit: 5 });
    const log = newLog();
    const together = createLoad(database, log);
    const slices = await Promise.all(buckets.map((bucket) => read(together, bucket)));
    expect(log.reads).toMatchObject([{ statement: 'likes_by_tweet.page', partitions: buckets.length }]);
    const apart = [];
    for (const bucket of buckets) apart.push(await read(createLoad(database), bucket));
    expect(slices.map(({ rows }) => rows.map(nameOf))).toEqual(apart.map(({ rows }) => rows.map(nameOf)));
    expect(slices.map(({ statics }) => statics?.isSplit ?? null)).toEqual(
      apart.map(({ statics }) => statics?.isSplit ?? null),
    );
  });
});

test('a list that is not full is one partition, and a page of it one read', async () => {
  const [server] = servers as [Harness, Harness];
  const writer = createBulkWriter(server.database)();
  for (let n = 0; n < 5; n++)
    await writer.put(writeOf(likesByTweet, { tweetId: '1', likedAt: new Date(n), userId: '1' }));
  await writer.flush();
  const log = newLog();
  const list = bucketList(createLoad(server.database, log), likesByTweet, { tweetId: '1' }, position);
  await collect(list, { limit: 25, backwards: false, from: null });
  expect(log.reads.map(({ statement, partitions, rows }) => [statement, partitions, rows])).toEqual([
    ['likes_by_tweet.page', 1, 5],
  ]);
});

describe('of a list that is not full', () => {
  const tweetId = '77';
  const due = [8, 7, 6, 5, 4, 3, 2, 1, 0];
  let loads: number;
  /** The list, whose loads are counted, also those that are answered without a read. */
  const countedList = () => {
    const load = createLoad((servers[0] as Harness).database);
    const counted: Load = Object.assign(
      <K, R>(statement: Statement<K, R>, key: K) => {
        loads++;
        return load(statement, key);
      },
      { forget: () => undefined, within: <T>(work: Promise<T>) => work },
    );
    return bucketList(counted, likesByTweet, { tweetId }, position);
  };
  const idsIn = ({ rows }: FoundRows<Like>) => rows.map(({ row }) => Number(row.userId));

  beforeAll(async () => {
    const writer = createBulkWriter((servers[0] as Harness).database)();
    for (const n of due)
      await writer.put(writeOf(likesByTweet, { tweetId, likedAt: new Date(n), userId: String(n) }));
    await writer.flush();
  });
  beforeEach(() => {
    loads = 0;
  });

  test.each([
    [false, null, [8, 7, 6]],
    [false, 6, [5, 4, 3]],
    [true, null, [0, 1, 2]],
    [true, 2, [3, 4, 5]],
  ])('a page (backwards: %s, after %s) takes one load', async (backwards, after, page) => {
    const from = after === null ? null : { bucket: 0, key: [new Date(after), String(after)] };
    expect(idsIn(await collect(countedList(), { limit: 2, backwards, from }))).toEqual(page);
    expect(loads).toBe(1);
  });

  test('a page whose rows are mostly hidden is filled by further loads', async () => {
    const list = { ...countedList(), shown: ({ userId }: Like) => ['8', '2', '0'].includes(userId) };
    expect(idsIn(await collect(list, { limit: 2, backwards: false, from: null }))).toEqual([8, 2, 0]);
    expect(loads).toBeGreaterThan(1);
  });
});

describe('a cursor', () => {
  const likes = Array.from({ length: 30 }, (_, n) => ({
    likedAt: new Date(Date.UTC(2026, 0, 1 + 3 * n)),
    userId: String(n),
  }));
  const page = (from: Position, backwards = false) =>
    collect(listOf(servers[0] as Harness, '2'), { limit: 100, backwards, from });
  beforeAll(async () => {
    const writer = (servers[0] as Harness).writeServices.bulk();
    for (const like of likes) await writer.put(writeOf(likesByTweet, { tweetId: '2', ...like }));
    await writer.flush();
  });

  test.each<[string, Position]>([
    ['too few values', { bucket: 1, key: ['1'] }],
    ['too many values', { bucket: 1, key: [new Date(0), '1', '2'] }],
    ['a moment out of range', { bucket: 1, key: [new Date(NaN), '1'] }],
    ['an id out of range', { bucket: 1, key: [new Date(0), '9999999999999999999'] }],
  ])('that a client made up with %s is refused', async (_name, from) => {
    await expect(page(from)).rejects.toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
  });
});
