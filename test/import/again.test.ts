import { encodeNodeId } from '../../src/kit/graphql/global-id';
import type { FollowRecord } from '../../src/import/records/record';
import { follow, person, startHarness, tweet, type Harness } from '../harness';
import { act, ask } from '../mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

const SHOWN = (reader: string, author: string, tweetId: string) => `{
  reader: user(username: "user${reader}") {
    followingCount following { nodes { userId } } timeline { nodes { tweetId } }
  }
  author: user(username: "user${author}") {
    followerCount followers { edges { followedAt node { userId } } } tweetCount tweets { nodes { tweetId } }
  }
  tweet(tweetId: "${tweetId}") { likeCount likers { nodes { userId } } }
}`;

test('what replied to or shared a tweet and was deleted before that came is not counted', async () => {
  await server.store([
    person('8', 'user8'),
    tweet('801', '8', 2, { inReplyToId: '800' }),
    tweet('802', '8', 3, { sharedTweetId: '800' }),
  ]);
  for (const id of ['801', '802']) await act(server, '8', 'deleteTweet', { id: encodeNodeId('Tweet', id) });
  await server.store([tweet('800', '8', 1)]);
  const shown = '{ tweet(tweetId: "800") { likeCount shareCount replyCount } }';
  const counts = { likeCount: 0, shareCount: 0, replyCount: 0 };
  expect(await ask(server, shown)).toEqual({ tweet: counts });
  await act(server, '8', 'likeTweet', { id: encodeNodeId('Tweet', '800') });
  expect(await ask(server, shown)).toEqual({ tweet: { ...counts, likeCount: 1 } });
});

const people = ['1', '2', '3', '4', '5'].map((id) => person(id, `user${id}`));

test('importing again brings back nothing that was undone here, and takes away nothing that was done', async () => {
  const records = [
    ...people,
    follow('1', '2', 1),
    follow('3', '2', 2),
    tweet('100', '2', 1, { likeCount: 7 }),
    tweet('101', '2', 2),
  ];
  await server.store(records);
  await act(server, '1', 'unfollowUser', { id: encodeNodeId('User', '2') });
  await act(server, '2', 'deleteTweet', { id: encodeNodeId('Tweet', '101') });
  await act(server, '1', 'likeTweet', { id: encodeNodeId('Tweet', '100') });
  await server.writeServices.outbox.idle();
  const expected = {
    reader: { followingCount: 0, following: { nodes: [] }, timeline: { nodes: [] } },
    author: {
      followerCount: 1,
      followers: { edges: [{ followedAt: '2026-01-01T00:02:00.000Z', node: { userId: '3' } }] },
      tweetCount: 1,
      tweets: { nodes: [{ tweetId: '100' }] },
    },
    tweet: { likeCount: 8, likers: { nodes: [{ userId: '1' }] } },
  };
  expect(await ask(server, SHOWN('1', '2', '100'))).toEqual(expected);
  const { followedAt: _, ...undated }: FollowRecord = follow('1', '2');
  for (const more of [[], [undated], [follow('1', '2', 99)]]) {
    await server.store([...records, ...more]);
    expect(await ask(server, SHOWN('1', '2', '100'))).toEqual(expected);
  }
  await server.store([tweet('100', '2', 1, { likeCount: 10 })]);
  expect(await ask(server, SHOWN('1', '2', '100'))).toMatchObject({ tweet: { likeCount: 11 } });
  await act(server, '1', 'followUser', { id: encodeNodeId('User', '2') });
  await server.store(records);
  expect(await ask(server, SHOWN('1', '2', '100'))).toMatchObject({
    reader: {
      followingCount: 1,
      following: { nodes: [{ userId: '2' }] },
      timeline: { nodes: [{ tweetId: '100' }] },
    },
    author: {
      followerCount: 2,
      followers: { edges: [{ node: { userId: '1' } }, { node: { userId: '3' } }] },
    },
  });
});

test('who followed here before an import says so too stands in the lists once, since then', async () => {
  await server.store([...people, tweet('200', '4', 1)]);
  await act(server, '5', 'followUser', { id: encodeNodeId('User', '4') });
  await server.writeServices.outbox.idle();
  const before = await ask(server, SHOWN('5', '4', '200'));
  expect(before).toMatchObject({
    author: { followerCount: 1 },
    reader: { timeline: { nodes: [{ tweetId: '200' }] } },
  });
  await server.store([follow('5', '4')]);
  expect(await ask(server, SHOWN('5', '4', '200'))).toEqual(before);
  await act(server, '5', 'unfollowUser', { id: encodeNodeId('User', '4') });
  expect(await ask(server, SHOWN('5', '4', '200'))).toMatchObject({
    author: { followerCount: 0, followers: { edges: [] } },
    reader: { timeline: { nodes: [] } },
  });
});

test('a tweet that comes again without its hashtags, mentions or location shows none in any list', async () => {
  const location = { latitude: 1, longitude: 2 };
  await server.store([
    person('7', 'user7'),
    tweet('700', '7', 1, { hashtags: ['a'], mentions: ['b'] }),
    tweet('701', '7', 2, { hashtags: ['a'], mentions: ['b'], location }),
    tweet('702', '7', 3, { hashtags: ['a'], mentions: ['b'], location }),
  ]);
  await server.store([
    tweet('700', '7', 1, { mentions: ['b'] }),
    tweet('701', '7', 2, { hashtags: ['a'], location }),
    tweet('702', '7', 3, { hashtags: ['a'], mentions: ['b'] }),
  ]);
  const fields = 'hashtags mentions location { latitude }';
  const shown = [
    { hashtags: ['a'], mentions: ['b'], location: null },
    { hashtags: ['a'], mentions: [], location: { latitude: 1 } },
    { hashtags: [], mentions: ['b'], location: null },
  ];
  expect(await ask(server, `{ user(username: "user7") { tweets { nodes { ${fields} } } } }`)).toEqual({
    user: { tweets: { nodes: shown } },
  });
  expect(
    await ask(
      server,
      `{ a: tweet(tweetId: "702") { ${fields} } b: tweet(tweetId: "701") { ${fields} } c: tweet(tweetId: "700") { ${fields} } }`,
    ),
  ).toEqual({ a: shown[0], b: shown[1], c: shown[2] });
});
