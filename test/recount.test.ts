import { setTimeout as sleep } from 'node:timers/promises';
import { countJobs } from '../src/jobs/counts';
import { recount, recountKinds, type Difference } from '../src/jobs/recount';
import { indexUser } from '../src/write/user-search/index-users';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { follow, person, startHarness, tweet, type Harness } from './support/harness';
import { act } from './support/mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([
    person('1', 'ada'),
    person('2', 'bo'),
    follow('1', '2'),
    tweet('100', '2', 1, { likeCount: 7, shareCount: 3 }),
    tweet('101', '1', 2, { inReplyToId: '100' }),
  ]);
  const mutations = [
    ['followUser', 'followee { id }', encodeNodeId('User', '1'), '2'],
    ['likeTweet', 'tweet { id }', encodeNodeId('Tweet', '100'), '1'],
    ['shareTweet', 'tweet { id }', encodeNodeId('Tweet', '100'), '1'],
    ['deleteTweet', 'deletedId', encodeNodeId('Tweet', '101'), '1'],
  ];
  for (const [name = '', payload = '', id, who = ''] of mutations) {
    const source = `mutation ($id: ID!) { ${name}(id: $id) { ${payload} } }`;
    expect((await server.query(source, { id }, who)).errors).toEqual([]);
  }
  await server.writeServices.outbox.idle();
});
afterAll(() => server.close());

async function recounted(): Promise<Difference[]> {
  const found: Difference[] = [];
  for await (const difference of recount(server.database, () => undefined)) found.push(difference);
  return found;
}

const SHOWN =
  '{ users: nodes(ids: ["VXNlcjox", "VXNlcjoy"]) { ... on User { followerCount followingCount tweetCount } } tweet(tweetId: "100") { likeCount shareCount replyCount } }';
const right = {
  users: [
    { followerCount: 1, followingCount: 1, tweetCount: 1 },
    { followerCount: 1, followingCount: 1, tweetCount: 1 },
  ],
  tweet: { likeCount: 8, shareCount: 4, replyCount: 0 },
};

test('what imports and acts have counted together differs in nothing from the rows', async () => {
  expect((await server.query(SHOWN)).data).toEqual(right);
  expect(await recounted()).toEqual([]);
});

test('counts that differ from the rows are reported and repaired, and acts go on from there', async () => {
  await server.database.run('UPDATE user_counts SET imported_followers = 9, tweets = 5 WHERE user_id = 1');
  await server.database.run('UPDATE tweet_counts SET imported_likes = 0, replies = 4 WHERE tweet_id = 100');
  const found = (await recounted()).map(({ id, count, counted }) => [id, count, counted].join(' '));
  expect(found.sort()).toEqual([
    '1 followerCount 1',
    '1 tweetCount 1',
    '100 likeCount 8',
    '100 replyCount 0',
  ]);
  expect((await server.query(SHOWN)).data).toEqual(right);
  expect(await recounted()).toEqual([]);
  const like = 'mutation ($id: ID!) { likeTweet(id: $id) { tweet { likeCount } } }';
  const { data } = await server.query(like, { id: encodeNodeId('Tweet', '100') }, '2');
  expect(data).toEqual({ likeTweet: { tweet: { likeCount: 9 } } });
});

const rankOf = async (userId: string): Promise<unknown> => {
  const cql = `SELECT rank FROM user_search_entries WHERE user_id = ${userId}`;
  return (await server.database.run(cql)).map((row) => Number(row['rank']));
};

test('who has another magnitude of followers after a repair is found by it in the search for people', async () => {
  const ranks = await rankOf('2');
  await server.database.run('UPDATE user_counts SET imported_followers = 500 WHERE user_id = 2');
  await indexUser(server.database, '2');
  expect(await rankOf('2')).not.toEqual(ranks);
  expect(await recounted()).toMatchObject([{ id: '2', count: 'followerCount', shown: 500, counted: 1 }]);
  expect(await rankOf('2')).toEqual(ranks);
});

test('a count that acts change all the time is repaired, too', async () => {
  const fans = Array.from({ length: 60 }, (_, n) => String(1000 + n));
  await server.store(fans.map((userId) => person(userId, `fan${userId}`)));
  await server.database.run('UPDATE tweet_counts SET imported_likes = 100 WHERE tweet_id = 100');
  const recounting = recounted();
  const recount = { isDone: false };
  void recounting.finally(() => (recount.isDone = true));
  for (const who of fans) {
    if (recount.isDone) break;
    await act(server, who, 'likeTweet', { id: encodeNodeId('Tweet', '100') });
    await sleep(700);
  }
  expect(await recounting).toMatchObject([{ id: '100', count: 'likeCount', imported: 100 }]);
  expect(await recounted()).toEqual([]);
});

test('a difference that two find at once is repaired once', async () => {
  await server.database.run('UPDATE user_counts SET imported_following = 9 WHERE user_id = 1');
  await server.database.run('UPDATE tweet_counts SET imported_shares = 9 WHERE tweet_id = 100');
  for (const [{ compare, repair }, id] of [
    [recountKinds.user, '1'],
    [recountKinds.tweet, '100'],
  ] as const) {
    const wrong = await compare(server.database, [id]);
    expect(wrong).toHaveLength(1);
    expect(await repair(server.database, wrong)).toEqual(wrong);
    expect(await repair(server.database, wrong)).toEqual([]);
    expect(await compare(server.database, [id])).toEqual([]);
  }
});

test('while an import runs, nothing is repaired and no difference is reported', async () => {
  await server.database.run("INSERT INTO unsettled_imports (shard, run) VALUES (0, 'running')");
  await expect(recounted()).rejects.toThrow('An import is running');
  const context = { database: server.database, retentionMonths: null };
  for (const job of countJobs) expect(await job.verify(context, 1000)).toMatchObject({ different: 0 });
  await server.database.run('UPDATE user_counts SET imported_tweets = 9 WHERE user_id = 1');
  await server.database.run('UPDATE tweet_counts SET imported_replies = 9 WHERE tweet_id = 100');
  for (const job of countJobs)
    await expect(job.verify(context, 1000)).rejects.toThrow('An import is running');
  await server.database.run('TRUNCATE unsettled_imports');
  expect(await recounted()).toHaveLength(2);
});
