import { writeOf, removalOf } from '../../src/kit/cassandra/write';
import type { Database, Write } from '../../src/kit/cassandra/database';
import { outbox } from '../../src/kit/work/outbox.table';
import { createRemovals } from '../../src/kit/work/removals';
import { setLiked } from '../../src/write/like/set-liked';
import { openWriteServices } from '../../src/write/write-services';
import { readMany } from '../../src/kit/reads/load';
import { tweets } from '../../src/features/tweet/tweet.table';
import pino from 'pino';
import { person, startHarness, tweet, type Harness } from '../support/harness';
import { ask } from '../support/mutations';

let server: Harness;
const PEOPLE = Array.from({ length: 40 }, (_, n) => String(n + 1));

beforeAll(async () => {
  server = await startHarness();
  await server.store([...PEOPLE.map((id) => person(id, `user${id}`)), tweet('100', '1', 1)]);
});

afterAll(() => server.close());

/** A connection, and the batches that are sent by it. */
function watched() {
  const batches: (readonly Write[])[] = [];
  const database: Database = {
    ...server.database,
    batch(writes, options) {
      batches.push(writes);
      return server.database.batch(writes, options);
    },
  };
  return { database, batches };
}

const keyOf = (n: number) => ({ window: 7, server: 0, shard: n % 8, taskId: `task ${n}` });

async function storedTasks(): Promise<number> {
  const rows = await readMany(
    server.database,
    outbox.get,
    PEOPLE.map((_, n) => keyOf(n)),
  );
  return rows.filter((row) => row !== null).length;
}

test('tasks that are completed at the same time are removed together', async () => {
  const { database, batches } = watched();
  const { soon, now } = createRemovals(database);
  for (const n of PEOPLE.keys()) {
    const { query, params } = writeOf(outbox, {
      ...keyOf(n),
      kind: 'like',
      payload: '{}',
      checkpoint: null,
      worker: 'one',
      createdAt: new Date(),
    });
    await server.database.write(query, params);
  }
  const removal = (n: number) => removalOf(outbox, keyOf(n), Date.now() * 1000);
  const waiting = Array.from({ length: 30 }, (_, n) => soon(removal(n)));
  await now(removal(30));
  await Promise.all(waiting);
  expect(batches.flat()).toHaveLength(31);
  expect(batches.length).toBeLessThanOrEqual(3);
  expect(await storedTasks()).toBe(9);
  await Promise.all(Array.from({ length: 9 }, (_, n) => soon(removal(n + 31))));
  expect(await storedTasks()).toBe(0);
  expect(batches.flat()).toHaveLength(40);
});

test('likes of one tweet at the same time are stored together, and counted once each', async () => {
  const { database, batches } = watched();
  const writeServices = await openWriteServices(database, server.config, pino({ level: 'silent' }));
  const [liked] = await readMany(database, tweets.get, [{ tweetId: '100' }]);
  if (!liked) throw new Error('the tweet must be stored');
  const changed = await Promise.all(PEOPLE.map((userId) => setLiked(writeServices, liked, userId, true)));
  expect(changed.map(({ hasChanged }) => hasChanged)).toEqual(PEOPLE.map(() => true));
  expect(await setLiked(writeServices, liked, '1', true)).toMatchObject({ hasChanged: false });
  const stored = batches.filter((writes) => writes.some(({ query }) => query.includes('likes_by_tweet')));
  expect(stored.length).toBeLessThan(PEOPLE.length / 2);
  const source = '{ tweet(tweetId: "100") { likeCount likers(first: 50) { nodes { userId } } } }';
  const { tweet: shown } = (await ask(server, source)) as {
    tweet: { likeCount: number; likers: { nodes: { userId: string }[] } };
  };
  expect(shown.likeCount).toBe(40);
  expect(shown.likers.nodes.map(({ userId }) => userId).sort()).toEqual([...PEOPLE].sort());
  await writeServices.outbox.idle();
  expect(await server.writeServices.outbox.pending()).toEqual([]);
  await writeServices.close();
});
