import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Write } from '../../src/kit/cassandra/database';
import { createBulkWriter } from '../../src/kit/writes/bulk';
import { putAll } from '../../src/kit/writes/row-writer';
import { writeOf } from '../../src/kit/cassandra/write';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { followersByUser } from '../../src/features/follow/follow.lists';
import { relations } from '../../src/features/follow/follow.table';
import { importedRelation } from '../../src/features/follow/relation';
import { followeesByName } from '../../src/features/user-search/user-search.table';
import { createLoad } from '../../src/kit/reads/load';
import { userCounts } from '../../src/features/user/user.table';
import { LANES } from '../../src/kit/work/lane';
import { growingTask, NOBODY, type Handlers, type TaskRun } from '../../src/kit/work/handler';
import { articlesByUser } from '../../src/features/news/news.lists';
import { articlesByDay } from '../../src/features/news/news-days.lists';
import { taskHandlers } from '../../src/app';
import { deletedByAuthor } from '../../src/features/tweet/tweet.lists';
import { beginMode, readMode } from '../../src/write/timeline/fan-out-mode';
import type { WriteServices } from '../../src/write/write-services';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { act, ask, post, put } from '../support/mutations';
import { settled } from '../support/settled';
import { taskRun } from '../support/task-run';

const TWEETS = 2500;
const AUTHOR = '1';
const READERS = ['2', '3', '4', '5', '6'] as const;

let server: Harness;
/** How often the copies of a name were updated. */
let updates = 0;
/** While this is there, tasks of the kind `block` wait for it. */
let gate: AbortController | null = null;

beforeAll(async () => {
  server = await startHarness({}, undefined, { held: true });
  const { copies, ...others } = taskHandlers(server.writeServices);
  if (copies === undefined) throw new Error('there must be tasks for copies');
  const handlers: Handlers = {
    ...others,
    copies: growingTask(copies.work, (...run) => {
      updates++;
      return copies(...run);
    }),
    block: growingTask({ rows: 1, person: NOBODY }, async () => {
      if (gate) await once(gate.signal, 'abort');
    }),
  };
  server.writeServices.outbox.start(handlers);
  await server.store([
    ...[AUTHOR, ...READERS].map((userId) => person(userId, `user${userId}`)),
    ...Array.from({ length: TWEETS }, (_, n) => tweet(String(10_000 + n), AUTHOR, n / 100)),
  ]);
});
afterEach(openGate);
afterAll(() => server.close());

/** Fills the lane of growing tasks, until the returned function is called. */
async function closeGate(): Promise<() => void> {
  gate = new AbortController();
  for (let n = 0; n < 2; n++) await server.writeServices.outbox.leaveToTask('block', { n: String(n) });
  return openGate;
}

function openGate(): void {
  gate?.abort();
  gate = null;
}

/** How many tasks of a kind wait. */
async function waiting(kind: string): Promise<number> {
  return (await server.writeServices.outbox.pending()).filter((task) => task.kind === kind).length;
}

/** The tweets in a timeline, as they are stored. */
async function stored(reader: string): Promise<number> {
  const rows = await server.database.run(
    'SELECT tweet_id FROM timelines_by_user WHERE user_id = ? AND bucket = 0',
    [reader],
  );
  return rows.filter((row) => row['tweet_id'] !== null).length;
}

/** What a handler writes with, and what it has written. */
function watchedServices(): { readonly writeServices: WriteServices; readonly written: Write[] } {
  const written: Write[] = [];
  const database: Database = {
    ...server.database,
    batch(writes, options) {
      written.push(...writes);
      return server.database.batch(writes, options);
    },
  };
  return { writeServices: { ...server.writeServices, database, bulk: createBulkWriter(database) }, written };
}

/** Runs a task that is cut off after some checkpoints, then again from the last one. Resolves to how much each run has written. */
async function cutOff(
  kind: string,
  payload: Readonly<Record<string, string>>,
  { checkpoints, between = () => Promise.resolve() }: { checkpoints: number; between?: () => Promise<void> },
): Promise<[number, number]> {
  const runOf = async (run: Partial<TaskRun>) => {
    const { writeServices, written } = watchedServices();
    const handler = taskHandlers(writeServices)[kind];
    await handler?.(payload, taskRun(run)).catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== 'cut off') throw error;
    });
    return written.length;
  };
  let progress: string | null = null;
  let left = checkpoints;
  const checkpoint = (text: string) => {
    progress = text;
    return --left === 0 ? Promise.reject(new Error('cut off')) : Promise.resolve();
  };
  const first = await runOf({ saveCheckpoint: checkpoint });
  expect(left).toBe(0);
  await between();
  return [first, await runOf({ checkpoint: progress })];
}

test('each kind of task says how much work it is, and what grows with what is stored has a lane of its own', () => {
  const declared = Object.entries(taskHandlers(server.writeServices)).map(([kind, { work }]) => ({
    kind,
    ...work,
  }));
  const kindsIn = (lane: string) => declared.flatMap((one) => (one.lane === lane ? [one.kind] : [])).sort();
  expect(declared.every(({ lane, rows }) => LANES.includes(lane) && rows > 0)).toBe(true);
  const most = { short: 5000, long: 50_000, growing: 100_000 };
  expect(declared.filter(({ lane, rows }) => rows > most[lane])).toEqual([]);
  // The tasks of a person are found by these names, so that people take turns.
  const payload = {
    authorId: 'ada',
    userId: 'ada',
    follower: 'ada',
    followee: 'bob',
    blocker: 'ada',
    tweetId: '1',
  };
  // All accounts that wait share a sweep.
  const shared = ['sweepAfterLeaving'];
  expect(declared.filter(({ kind, person }) => !shared.includes(kind) && person(payload) !== 'ada')).toEqual(
    [],
  );
  // Tests below cut each of these off, and see that it goes on from its checkpoint; those of deletions and exports are in test/leaving.
  expect(kindsIn('growing')).toEqual([
    'copies',
    'deleteAccount',
    'exportAccount',
    'follow',
    'push',
    'rename',
    'sweepAfterLeaving',
  ]);
  expect(kindsIn('short')).toEqual([
    'article',
    'block',
    'bookmark',
    'comment',
    'leaving',
    'like',
    'post',
    'profile',
  ]);
});

describe('a backfill', () => {
  const followed = async (reader: string) => {
    const end = await closeGate();
    await act(server, reader, 'followUser', { id: encodeNodeId('User', AUTHOR) });
    const count = await stored(reader);
    return { end, count };
  };
  const payload = { follower: READERS[0], followee: AUTHOR };

  test('goes on from its checkpoint when it was cut off', async () => {
    const { end, count } = await followed(READERS[0]);
    expect(count).toBe(100);
    const [first, second] = await cutOff('follow', payload, { checkpoints: 2 });
    expect([first, second - (TWEETS - 2000)].map((rows) => Math.round(rows / 100))).toEqual([20, 0]);
    expect(await stored(READERS[0])).toBe(TWEETS);
    end();
    await settled(server);
  });

  test('ends when the author is unfollowed, and that goes on from its checkpoint, too', async () => {
    const unfollow = () => act(server, READERS[0], 'unfollowUser', { id: encodeNodeId('User', AUTHOR) });
    const end = await closeGate();
    await unfollow();
    expect(await stored(READERS[0])).toBe(TWEETS);
    const [first, second] = await cutOff('follow', payload, { checkpoints: 2 });
    expect([first, second].map((rows) => Math.floor(rows / 100))).toEqual([20, 5]);
    expect(await stored(READERS[0])).toBe(0);
    end();
    await settled(server);
  });

  test('of an earlier follow ends, and its checkpoint is not used for a later one', async () => {
    const { end } = await followed(READERS[1]);
    const of = { follower: READERS[1], followee: AUTHOR };
    const again = async () => {
      for (const name of ['unfollowUser', 'followUser'] as const)
        await act(server, READERS[1], name, { id: encodeNodeId('User', AUTHOR) });
    };
    const [first, second] = await cutOff('follow', of, { checkpoints: 2, between: again });
    expect(first).toBeLessThan(TWEETS);
    expect(second).toBeGreaterThanOrEqual(TWEETS);
    expect(await stored(READERS[1])).toBe(TWEETS);
    end();
    await settled(server);
    expect(await stored(READERS[1])).toBe(TWEETS);
  });

  test('follow, unfollow and follow again, while one waits, leave one task, and the last counts', async () => {
    const { end } = await followed(READERS[2]);
    const id = encodeNodeId('User', AUTHOR);
    for (let n = 0; n < 5; n++)
      for (const name of ['unfollowUser', 'followUser'] as const) await act(server, READERS[2], name, { id });
    await act(server, READERS[2], 'unfollowUser', { id });
    while ((await waiting('follow')) > 1) await sleep(20);
    expect(await stored(READERS[2])).toBe(100);
    end();
    await settled(server);
    expect(await stored(READERS[2])).toBe(0);
  });

  test('does not keep a fan-out waiting, not even one in chunks, nor the backfill of another person', async () => {
    // So many that the fan-out is cut into chunks.
    const bulk = server.writeServices.bulk();
    for (let n = 0; n < 2100; n++) {
      const row = { userId: AUTHOR, followedAt: new Date(n), followerId: String(100_000 + n) };
      await bulk.put(writeOf(followersByUser, row));
    }
    await bulk.put(writeOf(userCounts, { userId: AUTHOR, importedFollowers: 2100 }));
    await bulk.flush();
    const completed: string[] = [];
    server.writeServices.outbox.onCompleted(({ kind }) => completed.push(kind));
    const end = await closeGate();
    for (const reader of READERS)
      await act(server, reader, 'followUser', { id: encodeNodeId('User', AUTHOR) });
    const { tweetId } = await post(server, AUTHOR, { content: 'not kept waiting' });
    const shown = async (reader: string) => {
      const source = `{ user(username: "user${reader}") { timeline(first: 1) { nodes { tweetId } } } }`;
      const data = (await ask(server, source)) as {
        user: { timeline: { nodes: { tweetId: string }[] } };
      };
      return data.user.timeline.nodes[0]?.tweetId;
    };
    for (const reader of READERS) while ((await shown(reader)) !== tweetId) await sleep(20);
    // A tweet is shown before the task that wrote it is told to be complete.
    while (!completed.includes('fan-out')) await sleep(20);
    expect(await waiting('follow')).toBeGreaterThan(2);
    end();
    await settled(server);
    expect(await Promise.all(READERS.map(stored))).toEqual(READERS.map(() => TWEETS + 1));
  });
});

test('a change of mode that writes all tweets to all followers goes on from its checkpoint', async () => {
  await server.store([person('20', 'pulled'), ...READERS.map((userId) => follow(userId, '20'))]);
  await server.store(Array.from({ length: 250 }, (_, n) => tweet(String(20_000 + n), '20', 1)));
  await putAll(server.writeServices.bulk(), [
    writeOf(deletedByAuthor, { authorId: '20', tweetId: '20999', createdAt: new Date() }),
  ]);
  const pulling = { ...server.writeServices, pushLimit: 1 };
  await beginMode(pulling, '20', READERS.length);
  await server.database.run("UPDATE fanout_modes SET mode = 'toPush', version = 2 WHERE author_id = 20");
  const { version } = await readMode(server.writeServices, '20');
  const payload = { authorId: '20', version: String(version), from: '', to: '' };
  const perPage = 50 * READERS.length;
  const [first, second] = await cutOff('push', payload, { checkpoints: 3 });
  expect(first).toBe(3 * perPage);
  // A removal goes to each bucket that may have the row: tests above have removed enough from timelines to split them.
  expect(second).toBeGreaterThanOrEqual(2 * perPage + READERS.length);
  expect(second).toBeLessThan(3 * perPage);
});

test('a name is given to all followers, from the checkpoint on', async () => {
  const followers = Array.from({ length: 620 }, (_, n) => String(70_000 + n));
  const followedAt = new Date(Date.UTC(2026, 0, 1));
  const writes = followers.flatMap((followerId) => [
    writeOf(relations, importedRelation(followerId, READERS[0], followedAt)),
    writeOf(followersByUser, { userId: READERS[0], followedAt, followerId }),
  ]);
  await putAll(server.writeServices.bulk(), writes);
  const written = await cutOff('rename', { userId: READERS[0] }, { checkpoints: 1 });
  expect(written).toEqual([500, 120]);
  const named = await createLoad(server.database)(followeesByName.get, {
    ...{ userId: '70000', followeeId: READERS[0] },
  });
  expect(named?.username).toBe(`user${READERS[0]}`);
});

describe('copies of a name', () => {
  const ARTICLES = 1200;
  const BODY = 'x'.repeat(20_000);
  const day = '2026-02-03';

  /** Makes a person with articles, comments and a mutation's article of each. */
  async function writer(name: string): Promise<string> {
    const { userId } = await put(server, name, 'createUser', { username: name, name: 'Before' });
    const bulk = server.writeServices.bulk();
    for (let n = 0; n < ARTICLES; n++) {
      const article = {
        articleId: String(BigInt(userId) + BigInt(n)),
        authorId: userId,
        title: `article ${n}`,
        body: n < 10 ? BODY : 'short',
        tags: [],
        publishedAt: new Date(`${day}T12:00:00Z`),
        authorName: 'Before',
      };
      await bulk.put(writeOf(articlesByDay, { ...article, ...articlesByDay.dayFor(article) }, { at: 1 }));
      await bulk.put(writeOf(articlesByUser, article, { at: 1 }));
    }
    await bulk.flush();
    return userId;
  }

  /** How many articles of an author the day has, and with which names. So many rows may be in several buckets. */
  async function copiesOf(userId: string) {
    const rows = await server.database.run(
      'SELECT CAST(article_id AS text) AS id, CAST(author_id AS text) AS author, author_name AS name FROM articles_by_day',
    );
    const own = rows.filter(({ author }) => author === userId);
    const distinct = (column: string) => new Set(own.map((row) => String(row[column])));
    return { articles: distinct('id').size, names: [...distinct('name')] };
  }

  test('go on from their checkpoint, from the beginning after another change, and write no texts', async () => {
    const userId = await writer('copied');
    const end = await closeGate();
    await put(server, 'copied', 'updateUser', { name: 'Between', description: 'new' });
    const cut = await cutOff('copies', { userId }, { checkpoints: 2 });
    expect(cut.map((rows) => Math.floor(rows / 100))).toEqual([10, 2]);
    const change = () => put(server, 'copied', 'updateUser', { name: 'After' }).then(() => undefined);
    const again = await cutOff('copies', { userId }, { checkpoints: 2, between: change });
    expect(again.map((rows) => Math.floor(rows / 100))).toEqual([10, 12]);
    const { writeServices, written } = watchedServices();
    await taskHandlers(writeServices)['copies']?.({ userId }, taskRun());
    const bytes = written
      .flatMap(({ params }) => params.map((value) => String(value).length))
      .reduce((sum, length) => sum + length);
    expect(written.length).toBeGreaterThan(ARTICLES);
    expect(bytes / written.length).toBeLessThan(100);
    expect(await copiesOf(userId)).toEqual({ articles: ARTICLES, names: ['After'] });
    const { user } = (await ask(
      server,
      '{ user(username: "copied") { articles(first: 1) { nodes { author { name description } } } } }',
    )) as { user: { articles: { nodes: { author: object }[] } } };
    expect(user.articles.nodes[0]?.author).toEqual({ name: 'After', description: 'new' });
    end();
    await settled(server);
  });

  test('after 100 changes in one request that wait for room are made once, and the last one counts', async () => {
    const userId = await writer('often');
    updates = 0;
    const end = await closeGate();
    const fields = Array.from(
      { length: 100 },
      (_, n) => `n${n}: updateUser(input: { name: "Name ${n}" }) { user { name } }`,
    );
    const answer = await server.query(`mutation { ${fields.join(' ')} }`, {}, 'often');
    expect(answer.errors).toEqual([]);
    expect(await waiting('copies')).toBe(1);
    end();
    await settled(server);
    expect(updates).toBe(1);
    expect(await copiesOf(userId)).toEqual({ articles: ARTICLES, names: ['Name 99'] });
  });

  test('of comments are made, and a comment that comes during a change has the new name', async () => {
    await put(server, 'commenting', 'createUser', { username: 'commenting', name: 'Before' });
    const input = { title: 'A', body: 'B' };
    const { article } = (await act(server, 'commenting', 'publishArticle', { input })) as {
      article: { id: string };
    };
    const comments = Array.from({ length: 8 }, (_, n) =>
      act(server, 'commenting', 'addComment', { input: { articleId: article.id, body: `comment ${n}` } }),
    );
    await Promise.all([...comments, put(server, 'commenting', 'updateUser', { name: 'After' })]);
    await settled(server);
    const rows = await server.database.run('SELECT author_name, body FROM comments_by_day');
    const own = rows.filter((row) => String(row['body']).startsWith('comment '));
    expect(own).toHaveLength(8);
    expect(new Set(own.map((row) => String(row['author_name'])))).toEqual(new Set(['After']));
  });
});
