import { derivedTables, jobs } from '../../src/jobs/all';
import type { Job } from '../../src/jobs/job';
import { rebuildRows } from '../../src/jobs/rebuild';
import type { Database } from '../../src/kit/cassandra/database';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { ensureDeleted } from '../../src/write/tweet/delete-tweet';
import { tweetsByAuthor } from '../../src/features/tweet/tweet.lists';
import { likesByTweet } from '../../src/features/like/like.lists';
import type { Harness } from '../support/harness';
import { act, ask, post } from '../support/mutations';
import { dump } from './damage';
import { startStory } from './story';

let server: Harness;
beforeAll(async () => {
  ({ server } = await startStory());
});
afterAll(() => server.close());

function jobOf(name: string): Job {
  const job = jobs.find((one) => one.name === name);
  if (job === undefined) throw new Error(`${name} must be derived`);
  return job;
}
const context = (database: Database = server.database) => ({
  database,
  retentionMonths: null,
});
const rebuild = (name: string, database?: Database) =>
  jobOf(name).rebuild(context(database), () => undefined);
const verify = (name: string) => jobOf(name).verify(context(), 1000);
const right = { missing: 0, surplus: 0, different: 0 };

const FREQUENCY =
  '{ tweetFrequency(from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z", unit: DAY) { at language count } }';
const COUNTS =
  '{ ada: user(username: "ada") { followerCount followingCount tweetCount } tweet(tweetId: "100") { likeCount shareCount replyCount } }';

test('counts that were lost are made again, and acts go on from there', async () => {
  const before = await Promise.all([ask(server, COUNTS), ask(server, FREQUENCY)]);
  for (const name of ['user_counts', 'tweet_counts', 'tweet_frequency']) {
    await server.database.run(`TRUNCATE ${name}`);
    expect([name, (await verify(name)).different]).not.toEqual([name, 0]);
    await rebuild(name);
    expect([name, await verify(name)]).toMatchObject([name, right]);
  }
  expect(await Promise.all([ask(server, COUNTS), ask(server, FREQUENCY)])).toEqual(before);
  await act(server, '3', 'likeTweet', { id: encodeNodeId('Tweet', '100') });
  await post(server, '1', { content: 'One more' });
  expect(await ask(server, COUNTS)).toMatchObject({ ada: { tweetCount: 5 }, tweet: { likeCount: 9 } });
});

test('counts that were altered, or that belong to nothing, are reported and repaired', async () => {
  await server.database.run('UPDATE tweet_counts SET imported_replies = 7 WHERE tweet_id = 100');
  await server.database.run('UPDATE tweet_counts SET imported_replies = 7 WHERE tweet_id = 77');
  await server.database.run(
    "UPDATE tweet_frequency SET imported = 7 WHERE period = 2026 AND unit = 'DAY' AND at = '2026-01-02' AND language = 'en'",
  );
  expect(await verify('tweet_counts')).toMatchObject({ different: 1, surplus: 1 });
  expect(await verify('tweet_frequency')).toMatchObject({
    different: 1,
    examples: ['different: DAY 2026-01-02T00:00:00.000Z, language en'],
  });
  await rebuild('tweet_counts');
  await rebuild('tweet_frequency');
  expect(await verify('tweet_counts')).toMatchObject(right);
  expect(await verify('tweet_frequency')).toMatchObject(right);
});

test('a tweet that is deleted between being read and its row being written does not come back', async () => {
  const { tweetId } = await post(server, '1', { content: 'Soon gone' });
  await server.database.run(`TRUNCATE ${tweetsByAuthor.name}`);
  let deleted = false;
  const between: Database = {
    ...server.database,
    async batch(writes, options) {
      const isMending = writes.some(({ query }) => query === tweetsByAuthor.put);
      if (isMending && !deleted) {
        deleted = true;
        await ensureDeleted(server.writeServices, tweetId);
        await server.writeServices.outbox.idle();
      }
      await server.database.batch(writes, options);
    },
  };
  await rebuild(tweetsByAuthor.name, between);
  expect(deleted).toBe(true);
  const rows = [...(await dump(server, tweetsByAuthor)).values()];
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.map((row) => row['tweetId'])).not.toContain(tweetId);
  expect(await verify(tweetsByAuthor.name)).toMatchObject(right);
});

test('a like that is taken back while its row is written over a removal does not stay', async () => {
  const of100 = async () =>
    [...(await dump(server, likesByTweet)).values()].filter((row) => row['tweetId'] === '100');
  const before = await of100();
  for (const { bucket, likedAt, userId } of before)
    await server.database.write(likesByTweet.remove, ['100', bucket, likedAt, userId]);
  let unliked = false;
  const between: Database = {
    ...server.database,
    async write(cql, params) {
      if (cql === likesByTweet.putAt && !unliked) {
        unliked = true;
        await act(server, '3', 'unlikeTweet', { id: encodeNodeId('Tweet', '100') });
      }
      await server.database.write(cql, params);
    },
  };
  await rebuild(likesByTweet.name, between);
  expect(unliked).toBe(true);
  expect((await of100()).map((row) => row['userId'])).toEqual(
    before.map((row) => row['userId']).filter((userId) => userId !== '3'),
  );
  expect(await verify(likesByTweet.name)).toMatchObject(right);
});

/** Rebuilds a table. Something happens after its sources are read for the first time, and before the table is. */
async function rebuildAround(name: string, meanwhile: () => Promise<unknown>): Promise<void> {
  const derived = derivedTables.find(({ table }) => table.name === name);
  if (derived === undefined) throw new Error(`${name} must be derived`);
  let hasHappened = false;
  const sources = derived.sources.map((source): (typeof derived.sources)[number] => ({
    ...source,
    async *writesOf(options, keys) {
      for await (const writes of source.writesOf(options, keys)) {
        if (!hasHappened && writes.length > 0) {
          hasHappened = true;
          await meanwhile();
          await server.writeServices.outbox.idle();
        }
        yield writes;
      }
    },
  }));
  await rebuildRows(context(), { ...derived, sources }, () => undefined);
  expect(hasHappened).toBe(true);
}

test('the number of comments that changes while it is rebuilt changes with later comments', async () => {
  const input = { title: 'Tomorrow', body: 'It rains.' };
  const { article } = (await act(server, '1', 'publishArticle', { input })) as { article: { id: string } };
  const comment = () =>
    act(server, '2', 'addComment', { input: { articleId: article.id, body: 'Rain again' } });
  await comment();
  await rebuildAround('article_counts', comment);
  const shown = () => ask(server, `{ node(id: "${article.id}") { ... on Article { commentCount } } }`);
  expect(await shown()).toEqual({ node: { commentCount: 2 } });
  await comment();
  expect(await shown()).toEqual({ node: { commentCount: 3 } });
});

test('a group of notifications that changes while it is rebuilt changes with later acts', async () => {
  const { id } = await post(server, '1', { content: 'Liked by many' });
  const like = async (who: string) => {
    await act(server, who, 'likeTweet', { id });
    await server.writeServices.outbox.idle();
  };
  await like('2');
  await rebuildAround('notifications_by_user', () => like('3'));
  await like('4');
  const list = 'notifications(kinds: [LIKE], first: 1) { nodes { actorCount } }';
  expect(await ask(server, `{ user(username: "ada") { ${list} } }`, '1')).toEqual({
    user: { notifications: { nodes: [{ actorCount: 3 }] } },
  });
  expect(await verify('notifications_by_user')).toMatchObject(right);
});

test('readers miss nothing while a table is rebuilt, and what is posted meanwhile is there', async () => {
  const shown = '{ user(username: "bo") { timeline(first: 50) { nodes { tweetId } } } }';
  const idsOf = async () =>
    (
      (await ask(server, shown)) as { user: { timeline: { nodes: { tweetId: string }[] } } }
    ).user.timeline.nodes.map(({ tweetId }) => tweetId);
  const before = await idsOf();
  expect(before.length).toBeGreaterThan(2);
  await server.database.run(
    `INSERT INTO timelines_by_user (user_id, bucket, tweet_id, author_id, content) VALUES (2, 24312, 77, 1, 'surplus')`,
  );
  const rebuilt = new AbortController();
  const rebuilding = Promise.all(
    ['buckets', 'followers_by_user', 'timelines_by_user', 'tweets_by_author'].map((name) => rebuild(name)),
  ).finally(() => {
    rebuilt.abort();
  });
  const posted: string[] = [];
  while (!rebuilt.signal.aborted) {
    const ids = await idsOf();
    expect(before.filter((id) => !ids.includes(id))).toEqual([]);
    if (posted.length < 10)
      posted.push((await post(server, '1', { content: `Meanwhile ${posted.length}` })).tweetId);
  }
  await rebuilding;
  await server.writeServices.outbox.idle();
  expect(await idsOf()).toEqual([...posted.reverse(), ...before]);
});

test('nothing is rebuilt while an import has not come to its end', async () => {
  await server.database.run("INSERT INTO unsettled_imports (shard, run) VALUES (0, 'killed')");
  await expect(rebuild('tweets_by_day')).rejects.toThrow('An import is running or was killed');
  await server.database.run('TRUNCATE unsettled_imports');
});
