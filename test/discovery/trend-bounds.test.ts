import { openTracer } from '../../bench/tombstones/passed';
import {
  hashtagsByHour,
  HOUR_SHARDS,
  hourOf,
  MAX_ROWS_OF_SHARD,
} from '../../src/features/hashtag/hashtag.table';
import { MAX_ROWS_OF_AUTHOR, readUses } from '../../src/features/hashtag/read-uses';
import type { Database } from '../../src/kit/cassandra/database';
import { shardOf } from '../../src/kit/base/shard-of';
import { putAll } from '../../src/kit/writes/row-writer';
import { writeOf } from '../../src/kit/cassandra/write';
import { person, startHarness, type Harness } from '../harness';
import { act, post } from '../mutations';

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

describe('however many uses there are', () => {
  const now = new Date();
  const hour = hourOf(now);
  const authorsOf = (shard: number, count: number) =>
    Array.from({ length: 20 * count }, (_, n) => String(1000 + n))
      .filter((authorId) => shardOf(authorId, HOUR_SHARDS) === shard)
      .slice(0, count);
  const use = (authorId: string, hashtag: string, tweetId: number) =>
    writeOf(hashtagsByHour, {
      hour,
      shard: shardOf(authorId, HOUR_SHARDS),
      hashtag,
      authorId,
      tweetId: String(tweetId),
      createdAt: now,
    });
  /** Reads the uses, and counts the rows that come from Cassandra. */
  const read = async () => {
    let rows = 0;
    const database: Database = {
      ...server.database,
      async read(...args) {
        const found = await server.database.read(...args);
        rows += found.length;
        return found;
      },
    };
    const uses = new Map<string, Set<string>>();
    await readUses(database, { from: Number(now) - 3_600_000, to: Number(now) }, ({ hashtag, authorId }) => {
      uses.set(hashtag, (uses.get(hashtag) ?? new Set()).add(authorId));
    });
    return { rows, uses };
  };

  test('an author who uses many in an hour counts with some of them, and hides nobody', async () => {
    const [flooder = '', ...others] = authorsOf(2, 4);
    const flood = Array.from({ length: 5 * MAX_ROWS_OF_AUTHOR }, (_, n) => use(flooder, `flood${n}`, n));
    await putAll(server.writeServices.bulk(), [
      ...flood,
      ...others.map((author, n) => use(author, 'shown', n)),
    ]);
    const { rows, uses } = await read();
    expect(uses.get('shown')).toEqual(new Set(others));
    expect(uses.size).toBe(1 + MAX_ROWS_OF_AUTHOR);
    expect(rows).toBeLessThanOrEqual(2 * MAX_ROWS_OF_AUTHOR);
  });

  test('a shard of an hour is read up to its limit, and the others whole', async () => {
    const many = authorsOf(2, MAX_ROWS_OF_SHARD + 3000);
    const few = authorsOf(3, 10);
    await putAll(
      server.writeServices.bulk(),
      [...many, ...few].map((author, n) => use(author, 'wide', n)),
    );
    const { rows, uses } = await read();
    expect(rows).toBe(MAX_ROWS_OF_SHARD + few.length);
    expect(few.every((author) => uses.get('wide')?.has(author))).toBe(true);
  });
});
