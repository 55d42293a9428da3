import { setTimeout as sleep } from 'node:timers/promises';
import { followersByUser } from '../../src/features/follow/follow.lists';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { writeOf } from '../../src/kit/cassandra/write';
import { likesByTweet, likesByUser } from '../../src/features/like/like.lists';
import { sharesByTweet } from '../../src/features/tweet/tweet.lists';
import { userCounts } from '../../src/features/user/user.table';
import type { TaskRun } from '../../src/kit/work/handler';
import { fanOut, fanOutChunk } from '../../src/write/timeline/fan-out';
import type { WriteServices } from '../../src/write/write-services';
import { readMode } from '../../src/write/timeline/fan-out-mode';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { act, ask, post } from '../support/mutations';
import { taskRun } from '../support/task-run';

const FOLLOWERS = 4500;

/** Two servers: with the first, authors of these tests are pulled, and with the second, they are pushed. */
let pulling: Harness;
let pushing: Harness;
beforeAll(async () => {
  pulling = await startHarness({ FANOUT_PUSH_LIMIT: '1000' });
  pushing = await startHarness({ FANOUT_PUSH_LIMIT: '100000' }, pulling);
  // Each has seen the other.
  await sleep(1500);
});
afterAll(async () => {
  await pushing.close();
  await pulling.close();
});

/** Counts the chunks that a server completes, by kind. */
function chunksOf(server: Harness): Map<string, number> {
  const counts = new Map<string, number>();
  server.writeServices.outbox.onCompleted(({ kind, taskId }) => {
    if (taskId.includes('.')) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  });
  return counts;
}

async function settled(): Promise<void> {
  while ((await pulling.writeServices.outbox.pending()).length > 0) await sleep(50);
}

async function storeFollowers(userId: string): Promise<void> {
  await pulling.store([person(userId, `author${userId}`)]);
  const bulk = pulling.writeServices.bulk();
  for (let n = 0; n < FOLLOWERS; n++) {
    const followedAt = new Date(Date.UTC(2026, 0, 1) + n);
    await bulk.put(writeOf(followersByUser, { userId, followedAt, followerId: String(100_000 + n) }));
  }
  await bulk.put(writeOf(userCounts, { userId, importedFollowers: FOLLOWERS }));
  await bulk.flush();
}

/** How many rows of a table have a value in a column. A split list keeps a row without `key`, which says so. */
async function count(table: string, column: string, value: string, key = column): Promise<number> {
  let found = 0;
  for await (const row of pulling.database.stream(
    `SELECT ${column} AS value, ${key} AS key FROM ${table}`,
    [],
  ))
    if (String(Reflect.get(row, 'value')) === value && Reflect.get(row, 'key') !== null) found++;
  return found;
}

test('a fan-out and changes of mode in chunks reach every follower', async () => {
  await storeFollowers('1');
  const chunks = [chunksOf(pulling), chunksOf(pushing)];
  const ran = (kind: string) => chunks.reduce((sum, counts) => sum + (counts.get(kind) ?? 0), 0);
  const first = await post(pushing, '1', { content: 'to all' });
  await settled();
  expect(await count('timelines_by_user', 'tweet_id', first.tweetId)).toBe(FOLLOWERS);
  expect(ran('fan-out')).toBe(3);

  // A server whose limit is lower begins to pull the author.
  await post(pulling, '1', { content: 'pushed and pulled' });
  await settled();
  expect((await readMode(pulling.writeServices, '1')).mode).toBe('pull');
  expect(await count('pulled_by_user', 'author_id', '1')).toBe(FOLLOWERS);
  expect(ran('pull')).toBe(3);

  const third = await post(pushing, '1', { content: 'pushed again' });
  await settled();
  expect((await readMode(pulling.writeServices, '1')).mode).toBe('push');
  expect(await count('pulled_by_user', 'author_id', '1')).toBe(0);
  expect(await count('timelines_by_user', 'tweet_id', third.tweetId)).toBe(FOLLOWERS);
  expect([ran('push'), ran('unpull')]).toEqual([3, 3]);
});

test('the shares and likes of a deleted tweet are removed in chunks', async () => {
  const [id, shares, likes] = ['700000000', 1250, 20_500];
  await pulling.store([person('2', 'author2'), tweet(id, '2')]);
  const bulk = pulling.writeServices.bulk();
  for (let n = 1; n <= shares; n++)
    await bulk.put(
      writeOf(sharesByTweet, { sharedTweetId: id, tweetId: String(Number(id) + n), authorId: '1' }),
    );
  for (let n = 0; n < likes; n++) {
    const [userId, likedAt] = [String(500_000 + n), new Date(Date.UTC(2026, 0, 1) + n)];
    await bulk.put(writeOf(likesByTweet, { tweetId: id, likedAt, userId }));
    await bulk.put(writeOf(likesByUser, { userId, likedAt, tweetId: id }));
  }
  await bulk.flush();
  const chunks = [chunksOf(pulling), chunksOf(pushing)];
  await act(pulling, '2', 'deleteTweet', { id: encodeNodeId('Tweet', id) });
  await settled();
  expect(await count('shares_by_tweet', 'shared_tweet_id', id, 'tweet_id')).toBe(0);
  expect(await count('likes_by_user', 'tweet_id', id)).toBe(0);
  expect(await count('likes_by_tweet', 'tweet_id', id, 'user_id')).toBe(0);
  const ran = (kind: string) => chunks.reduce((sum, counts) => sum + (counts.get(kind) ?? 0), 0);
  expect([ran('unshare'), ran('unlike')]).toEqual([2, 1]);
});

test('a late tweet of a pulled author, of which each follower is told, is told in chunks', async () => {
  await storeFollowers('5');
  await pulling.store([tweet('800000000', '5')]);
  await pulling.database.run("INSERT INTO fanout_modes (author_id, mode, version) VALUES (5, 'pull', 1)");
  const kinds: string[] = [];
  const split: TaskRun['split'] = async (_, plan) => {
    for await (const { kind } of plan(null)) kinds.push(kind);
  };
  await fanOut(pulling.writeServices, '800000000', taskRun({ split, helpers: 1 }));
  expect(kinds).toEqual(['fan-out', 'fan-out', 'fan-out']);
});

test.each([
  ['a fan-out', '3', fanOut],
  [
    'a chunk of a fan-out',
    '4',
    (writeServices: WriteServices, tweetId: string, task: TaskRun) =>
      fanOutChunk(writeServices)({ tweetId, from: '', to: '' }, task),
  ],
])('%s that waited for too long pulls an author with many followers, who stays pulled', async (_, n, run) => {
  const server = await startHarness({ FANOUT_PUSH_LIMIT: '10', FANOUT_SHED_AFTER_SECONDS: '60' }, pulling);
  const author = `${n}0`;
  const readers = [1, 2, 3].map((reader) => `${n}${reader}`);
  const [early, late] = [`${n}00000000`, `${n}00000001`];
  await server.store([
    person(author, `author${author}`),
    ...readers.map((userId) => person(userId, `reader${userId}`)),
    ...readers.map((userId) => follow(userId, author)),
    tweet(early, author),
    tweet(late, author),
  ]);
  await server.database.run('TRUNCATE timelines_by_user');
  const timeline = async () =>
    ask(server, `{ user(username: "reader${n}1") { timeline { nodes { tweetId } } } }`);
  const nodes = [late, early].map((tweetId) => ({ tweetId }));

  await run(server.writeServices, early, taskRun({ waitedMs: 59_000 }));
  expect((await readMode(server.writeServices, author)).mode).toBe('push');
  await run(server.writeServices, late, taskRun({ waitedMs: 61_000 }));
  expect(await readMode(server.writeServices, author)).toMatchObject({ mode: 'pull', isShed: true });
  expect(await count('timelines_by_user', 'tweet_id', late)).toBe(0);
  expect(await timeline()).toEqual({ user: { timeline: { nodes } } });
  expect((await server.get('/metrics')).body).toContain('murmuration_fanout_shed_total 1');

  // Later tweets do not push again, though there are fewer followers than the limit.
  await post(server, author, { content: 'pulled' });
  await server.writeServices.outbox.idle();
  expect((await readMode(server.writeServices, author)).mode).toBe('pull');
  await server.close();
});

test('a deleted tweet of a pulled author is erased where it was pushed before, by no chunk if it never was', async () => {
  await storeFollowers('6');
  const old = await post(pushing, '6', { content: 'pushed, then its author is pulled' });
  await settled();
  await post(pulling, '6', { content: 'not pushed' });
  await settled();
  expect((await readMode(pulling.writeServices, '6')).mode).toBe('pull');
  expect(await count('timelines_by_user', 'tweet_id', old.tweetId)).toBe(FOLLOWERS);
  const chunks = [chunksOf(pulling), chunksOf(pushing)];
  const erased = () => chunks.reduce((sum, counts) => sum + (counts.get('erase') ?? 0), 0);
  await act(pulling, '6', 'deleteTweet', { id: old.id });
  await settled();
  expect(await count('timelines_by_user', 'tweet_id', old.tweetId)).toBe(0);
  expect(erased()).toBe(3);

  const hours = 2 * 3_600_000;
  await pulling.database.run('UPDATE fanout_modes SET pulled_at = ? WHERE author_id = 6', [
    new Date(Date.now() - hours),
  ]);
  const late = await post(pulling, '6', { content: 'never pushed' });
  await settled();
  await act(pulling, '6', 'deleteTweet', { id: late.id });
  await settled();
  expect(erased()).toBe(3);
});
