import { openTracer } from '../../bench/tombstones/passed';
import { MIN_AUTHOR_HASH, placeOfAuthor } from '../../src/features/hashtag/author-hash';
import { hashtagsByHour, HOUR_SHARDS, hourOf, REMOVED_USE } from '../../src/features/hashtag/hashtag.table';
import { MAX_ROWS_OF_AUTHOR, readUses, type Use } from '../../src/features/hashtag/read-uses';
import { countTrends } from '../../src/features/hashtag/trending';
import { type Random, randomFrom } from '../../src/kit/base/random';
import type { Database, Write } from '../../src/kit/cassandra/database';
import { hideUsers } from '../../src/kit/reads/hidden-users';
import { putAll } from '../../src/kit/writes/row-writer';
import { writeOf } from '../../src/kit/cassandra/write';
import { chance } from '../crash/random';
import { person, startHarness, type Harness } from '../support/harness';
import { act, post } from '../support/mutations';

const HOUR = 3_600_000;

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), person('2', 'bo')]);
});
afterEach(() => server.database.run('TRUNCATE hashtags_by_hour'));

/** The hashtags that trend, with the number of their authors. */
async function trends(): Promise<Record<string, number>> {
  const { data, errors } = await server.query(
    '{ trendingHashtags(window: HOUR, first: 100) { hashtag { name } count } }',
  );
  expect(errors).toEqual([]);
  const { trendingHashtags } = data as {
    trendingHashtags: readonly { readonly hashtag: { readonly name: string }; readonly count: number }[];
  };
  return Object.fromEntries(trendingHashtags.map(({ hashtag, count }) => [hashtag.name, count]));
}

/** How many tombstones Cassandra says that it has met in the uses of the last two hours. */
async function tombstones(): Promise<number> {
  const { contactPoints, localDatacenter, keyspace } = server.config.cassandra;
  const tracer = await openTracer({ contactPoints: contactPoints ?? [], localDatacenter, keyspace });
  try {
    let met = 0;
    for (const hour of [hourOf(new Date()), hourOf(new Date()) - 1])
      for (let shard = 0; shard < HOUR_SHARDS; shard++) {
        const query = 'SELECT * FROM hashtags_by_hour WHERE hour = ? AND shard = ?';
        met += (await tracer.trace(query, [hour, shard])).tombstones;
      }
    return met;
  } finally {
    await tracer.close();
  }
}

test('a deleted tweet leaves its trends, and no tombstone among their uses', async () => {
  const content = Array.from({ length: 20 }, (_, n) => `#gone${n}`).join(' ');
  for (let n = 0; n < 5; n++) {
    const { id } = await post(server, '1', { content });
    await act(server, '1', 'deleteTweet', { id });
  }
  await server.writeServices.outbox.idle();
  expect(await trends()).toEqual({});
  expect(await tombstones()).toBe(0);
});

test('of two tweets with a hashtag by one author the other still counts when one is deleted, whichever', async () => {
  for (const deleted of [0, 1]) {
    const tag = `twice${deleted}`;
    const both = [
      await post(server, '1', { content: `#${tag} a` }),
      await post(server, '1', { content: `#${tag} b` }),
    ];
    expect(await trends()).toMatchObject({ [tag]: 1 });
    await act(server, '1', 'deleteTweet', { id: both[deleted]?.id });
    expect(await trends()).toMatchObject({ [tag]: 1 });
    await act(server, '1', 'deleteTweet', { id: both[1 - deleted]?.id });
    expect(await trends()).not.toHaveProperty(tag);
  }
});

/** A use of a hashtag, `n` of an author in an hour: of a tweet of its own. */
function use(hour: number, authorId: string, hashtag: string, n = 0, isRemoved = false) {
  return writeOf(hashtagsByHour, {
    hour,
    ...placeOfAuthor(authorId),
    authorId,
    hashtag,
    tweetId: String(n),
    createdAt: isRemoved ? REMOVED_USE : new Date(hour * HOUR + 1),
  });
}

/** Two hours, as a period of trends. */
const periodFrom = (hour: number) => ({ from: hour * HOUR, to: (hour + 2) * HOUR - 1 });

/** Reads the uses in two hours, and counts the rows that come from Cassandra. */
async function read(hour: number, maxRows?: number) {
  let rows = 0;
  const database: Database = {
    ...server.database,
    async read(...args) {
      const found = await server.database.read(...args);
      rows += found.length;
      return found;
    },
  };
  const authors = new Map<string, Set<string>>();
  const onUse = ({ hashtag, authorId }: Use) => {
    authors.set(hashtag, (authors.get(hashtag) ?? new Set()).add(authorId));
  };
  const { share } = await readUses(database, periodFrom(hour), onUse, maxRows);
  return { rows, share, authors };
}

const NAMES = ['everybody', 'old', 'new', 'rare'] as const;

/** The uses of two hours by 400 authors, half of whom have the ids of the oldest accounts, and who used what. Some uses were removed. */
function randomUses(random: Random, hour: number) {
  const authors = new Map<string, Set<string>>(NAMES.map((name) => [name, new Set()]));
  const writes: Write[] = [];
  for (let n = 0; n < 400; n++) {
    const isOld = n % 2 === 0;
    const authorId = String(isOld ? 1 + Math.floor(random() * 2 ** 20) : 2 ** 60 + 2 ** 10 * n * (1 + hour));
    const names = ['everybody', isOld ? 'old' : 'new', ...(chance(random, 0.1) ? ['rare'] : [])];
    for (const name of names) {
      authors.get(name)?.add(authorId);
      writes.push(use(hour + Number(chance(random, 0.5)), authorId, name));
    }
    if (chance(random, 0.5)) writes.push(use(hour + Number(chance(random, 0.5)), authorId, 'everybody', 1));
    if (chance(random, 0.2)) writes.push(use(hour, authorId, 'removed', 0, true));
  }
  return { authors, writes };
}

test('up to the bound, trends are what counting all uses gives, without those by hidden users', async () => {
  const { authors, writes } = randomUses(randomFrom(1), 300_000);
  await putAll(server.writeServices.bulk(), writes);
  const hidden = new Set([...(authors.get('rare') ?? [])].slice(0, 10));
  hideUsers(server.database, hidden, 'test');
  try {
    const found = await countTrends(server.database, periodFrom(300_000), writes.length + 1);
    const expected = [...authors].map(([key, all]) => [key, [...all].filter((id) => !hidden.has(id)).length]);
    expect(new Map(found.map(({ key, count }) => [key, count]))).toEqual(new Map(expected as []));
  } finally {
    hideUsers(server.database, new Set(), 'test');
  }
});

test('above the bound, counts are estimates without bias, of old and new authors alike, with the error that is documented', async () => {
  const STORES = 100;
  const BOUND = 280;
  const random = randomFrom(2);
  const stores = Array.from({ length: STORES }, (_, n) => ({ hour: 400_000 + 4 * n }));
  const errors = new Map<string, number[]>(NAMES.map((name) => [name, []]));
  const ratios = new Map<string, number[]>(NAMES.map((name) => [name, []]));
  for (const { hour } of stores) {
    const { authors, writes } = randomUses(random, hour);
    await putAll(server.writeServices.bulk(), writes);
    const { rows, share } = await read(hour, BOUND);
    expect(rows).toBeLessThanOrEqual(BOUND);
    expect(share).toBeLessThan(0.5);
    const found = await countTrends(server.database, periodFrom(hour), BOUND);
    for (const [name, { size }] of authors) {
      const count = found.find(({ key }) => key === name)?.count ?? 0;
      ratios.get(name)?.push(count / size);
      errors.get(name)?.push((count / size - 1) * Math.sqrt(size * share));
    }
    expect(found.map(({ key }) => key)).not.toContain('removed');
  }
  const meanOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  for (const name of NAMES) {
    const mean = meanOf(ratios.get(name) ?? []);
    const spread = Math.sqrt(meanOf((ratios.get(name) ?? []).map((ratio) => (ratio - mean) ** 2)));
    const unit = Math.sqrt(meanOf((errors.get(name) ?? []).map((error) => error ** 2)));
    expect(Math.abs(mean - 1)).toBeLessThan((3 * spread) / Math.sqrt(STORES));
    // The standard error is about 1/sqrt(n), where n authors of the hashtag are in the sample.
    expect(unit).toBeGreaterThan(0.7);
    expect(unit).toBeLessThan(1.15);
  }
});

test('however much is posted and deleted, no more is read than the bound', async () => {
  const hour = 500_000;
  const ids = Array.from({ length: 200 }, (_, n) => String(1000 + n));
  const ordered = ids.sort((a, b) => placeOfAuthor(a).authorHash - placeOfAuthor(b).authorHash);
  const flood = ordered
    .slice(0, 20)
    .flatMap((id) => Array.from({ length: 200 }, (_, n) => use(hour, id, `flood${n}`, n, true)));
  await putAll(server.writeServices.bulk(), [...flood, ...ids.map((id) => use(hour, id, 'shown'))]);
  const { rows } = await read(hour, 1000);
  expect(rows).toBe(1000);
  const [found, ...others] = await countTrends(server.database, periodFrom(hour), 1000);
  expect(found?.key).toBe('shown');
  expect(others).toEqual([]);
  const all = await countTrends(server.database, periodFrom(hour));
  expect(all).toMatchObject([{ key: 'shown', count: 200 }]);
});

test('a count is at most what an Int can say, however small the sample is', async () => {
  const hour = 550_000;
  const uses = Array.from({ length: 100 }, (_, n) => ({
    ...{ hour, shard: 0, authorHash: MIN_AUTHOR_HASH + Math.min(n, 1), authorId: String(1 + Math.min(n, 1)) },
    ...{ hashtag: `tag${n}`, tweetId: String(n), createdAt: new Date(hour * HOUR + 1) },
  }));
  await putAll(
    server.writeServices.bulk(),
    uses.map((one) => writeOf(hashtagsByHour, one)),
  );
  const found = await countTrends(server.database, periodFrom(hour), 64);
  expect(found).toMatchObject([{ key: 'tag0', count: 2 ** 31 - 1 }]);
});

test('an author who uses many in an hour counts with some of them, and hides nobody', async () => {
  const hour = 600_000;
  const [flooder = '', ...others] = Array.from({ length: 100 }, (_, n) => String(1000 + n))
    .filter((id) => placeOfAuthor(id).shard === 2)
    .sort((a, b) => placeOfAuthor(a).authorHash - placeOfAuthor(b).authorHash);
  const flood = Array.from({ length: 5 * MAX_ROWS_OF_AUTHOR }, (_, n) => use(hour, flooder, `flood${n}`, n));
  await putAll(server.writeServices.bulk(), [...flood, ...others.map((id) => use(hour, id, 'shown'))]);
  const { rows, authors } = await read(hour);
  expect(authors.get('shown')).toEqual(new Set(others));
  expect(authors.size).toBe(1 + MAX_ROWS_OF_AUTHOR);
  expect(rows).toBeLessThanOrEqual(2 * MAX_ROWS_OF_AUTHOR);
});
