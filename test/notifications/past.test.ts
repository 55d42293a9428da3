import { storeLikes } from '../../src/import/store/likes';
import type { Database } from '../../src/kit/cassandra/database';
import { randomFrom } from '../../src/kit/base/random';
import { person, startHarness, tweet, type Harness } from '../support/harness';
import { ask } from '../support/mutations';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 2);
const LIKERS = Array.from({ length: 120 }, (_, n) => String(10 + n));

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([
    person('1', 'author'),
    ...LIKERS.map((id) => person(id, `user${id}`)),
    tweet('100', '1', 0),
  ]);
});
afterAll(() => server.close());

test('likes of a week fill one group of 12 hours after the other, by two transactions of each member at most', async () => {
  const random = randomFrom(5);
  const likes = LIKERS.map((userId) => ({
    tweetId: '100',
    userId,
    likedAt: new Date(START + Math.floor(random() * 7 * 24 * HOUR_MS)),
  }));
  let transactions = 0;
  const database: Database = {
    ...server.database,
    compareAndWrite(writes, options) {
      if (writes.some(({ query }) => query.includes('notification_members'))) transactions++;
      return server.database.compareAndWrite(writes, options);
    },
  };
  await storeLikes(database, [likes]);
  const { viewer } = (await ask(
    server,
    '{ viewer { notifications(first: 100) { nodes { actorCount } } } }',
    '1',
  )) as { viewer: { notifications: { nodes: readonly { readonly actorCount: number }[] } } };
  const counts = viewer.notifications.nodes.map(({ actorCount }) => actorCount);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(LIKERS.length);
  // As many groups as there are if the likes come as they were made.
  const times = likes.map(({ likedAt }) => Number(likedAt)).sort((one, other) => one - other);
  let groups = 0;
  let first = -Infinity;
  for (const time of times)
    if (time - first >= 12 * HOUR_MS) {
      groups++;
      first = time;
    }
  expect(groups).toBeGreaterThan(10);
  expect(counts).toHaveLength(groups);
  expect(transactions).toBeLessThanOrEqual(2 * LIKERS.length);
});
