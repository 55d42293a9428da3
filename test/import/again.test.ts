import { encodeNodeId } from '../../src/kit/graphql/global-id';
import type { FollowRecord } from '../../src/import/records/record';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { act, ask } from '../support/mutations';
import { relationTo } from '../../src/features/follow/relation';
import { createLoad } from '../../src/kit/reads/load';

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

const CONVERSATION = (tweetId: string) =>
  `{ tweet(tweetId: "${tweetId}") { replyCount quoteCount replies { nodes { tweetId } } thread { edges { node { tweetId root { tweetId } } } } } }`;

test('a version that says nothing of a conversation leaves a tweet in it, whatever else it changes', async () => {
  const location = { latitude: 48, longitude: 16 };
  await server.store([
    person('9', 'user9'),
    tweet('900', '9', 1),
    tweet('901', '9', 2, { inReplyToId: '900', location }),
    tweet('902', '9', 3, { quotedTweetId: '900', location }),
  ]);
  const before = await ask(server, CONVERSATION('900'));
  expect(before).toMatchObject({
    tweet: {
      ...{ replyCount: 1, quoteCount: 1, replies: { nodes: [{ tweetId: '901' }] } },
      thread: {
        edges: [{ node: { tweetId: '900' } }, { node: { tweetId: '901', root: { tweetId: '900' } } }],
      },
    },
  });
  // Without the location, and at another time, all rows are written anew.
  for (const minute of [2, 200])
    for (const id of ['901', '902']) {
      await server.store([tweet(id, '9', minute)]);
      expect([id, minute, await ask(server, CONVERSATION('900'))]).toEqual([id, minute, before]);
    }
});

test('a version that replies to another tweet moves it there', async () => {
  await server.store([
    person('9', 'user9'),
    tweet('910', '9', 1),
    tweet('911', '9', 1),
    tweet('912', '9', 2, { inReplyToId: '910' }),
    tweet('912', '9', 2, { inReplyToId: '911' }),
  ]);
  await server.store([tweet('912', '9', 2, { inReplyToId: '910' })]);
  await server.store([tweet('912', '9', 2, { inReplyToId: '911' })]);
  expect(await ask(server, CONVERSATION('910'))).toEqual({
    tweet: {
      ...{ replyCount: 0, quoteCount: 0, replies: { nodes: [] } },
      thread: { edges: [{ node: { tweetId: '910', root: { tweetId: '910' } } }] },
    },
  });
  expect(await ask(server, CONVERSATION('911'))).toMatchObject({
    tweet: { replyCount: 1, thread: { edges: [{}, { node: { tweetId: '912', root: { tweetId: '911' } } }] } },
  });
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

test('a relation with two times is in the lists once, since the later one, in whatever order they come', async () => {
  const undated = (follower: string): FollowRecord => {
    const { followedAt: _, ...rest } = follow(follower, '23');
    return rest;
  };
  await server.store(['20', '21', '22', '23', '24'].map((id) => person(id, `user${id}`)));
  const orders = [
    [undated('20'), follow('20', '23', 2)],
    [follow('21', '23', 2), undated('21')],
  ];
  for (const records of orders) for (const record of records) await server.store([record]);
  await server.store([undated('22'), follow('22', '23', 2), follow('22', '23', 1)]);
  const nodes = ['22', '21', '20'].map((userId) => ({
    followedAt: '2026-01-01T00:02:00.000Z',
    node: { userId },
  }));
  expect(await ask(server, SHOWN('20', '23', '0'))).toMatchObject({
    reader: { followingCount: 1, following: { nodes: [{ userId: '23' }] } },
    author: { followerCount: 3, followers: { edges: nodes } },
  });
});

test('no import brings a follow across a block, nor one that was ended here, whenever it says that it began', async () => {
  const people = ['30', '31', '32'].map((id) => person(id, `user${id}`));
  await server.store(people);
  await act(server, '30', 'blockUser', { id: encodeNodeId('User', '31') });
  await server.writeServices.outbox.idle();
  // As a clock that is ahead says it, and a source that is wrong.
  const since = (followedAt: Date) => ({ ...follow('31', '30'), followedAt });
  const [soon, late] = [new Date(Date.now() + 1000), new Date(Date.now() + 86_400_000)];
  const none = { followerCount: 0, followers: { edges: [] } };
  for (const followedAt of [soon, late]) {
    await server.store([since(followedAt), { ...follow('30', '31'), followedAt }]);
    expect(await ask(server, SHOWN('31', '30', '0'))).toMatchObject({
      reader: { followingCount: 0, following: { nodes: [] } },
      author: none,
    });
  }
  await act(server, '30', 'unblockUser', { id: encodeNodeId('User', '31') });
  await server.store([since(late)]);
  expect(await ask(server, SHOWN('31', '30', '0'))).toMatchObject({ author: none });
  await server.store([{ ...follow('32', '30'), followedAt: late }]);
  await act(server, '30', 'blockUser', { id: encodeNodeId('User', '32') });
  await server.writeServices.outbox.idle();
  await server.store([{ ...follow('32', '30'), followedAt: late }]);
  expect(await ask(server, SHOWN('32', '30', '0'))).toMatchObject({ author: none });
  const load = createLoad(server.database);
  expect((await relationTo(load, '32', '30')).follows || (await relationTo(load, '31', '30')).follows).toBe(
    false,
  );
});
