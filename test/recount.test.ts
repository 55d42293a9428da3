import { recount, type Difference } from '../src/jobs/recount';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { follow, person, startHarness, tweet, type Harness } from './harness';

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
