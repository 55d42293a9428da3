import { encodeNodeId } from '../src/kit/graphql/global-id';
import { follow, person, startHarness, tweet, type Harness } from './support/harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([
    person('1', 'ada'),
    person('2', 'bo'),
    person('3', 'cy'),
    follow('3', '2'),
    tweet('100', '2', 1, { likeCount: 7 }),
  ]);
});
afterAll(() => server.close());

const user = (id: string) => encodeNodeId('User', id);
const one = (id: string) => encodeNodeId('Tweet', id);

/** Asks as a user; expects no errors. */
async function ask(who: string, source: string, variables: Readonly<Record<string, unknown>> = {}) {
  const { data, errors } = await server.query(source, variables, who);
  expect(errors).toEqual([]);
  return data;
}

const timelineOf = async (userId: string) => {
  const data = await ask(userId, '{ viewer { timeline { nodes { content } } } }');
  const { viewer } = data as { viewer: { timeline: { nodes: { content: string }[] } } };
  return viewer.timeline.nodes.map(({ content }) => content);
};

async function create(who: string, input: Readonly<Record<string, unknown>>) {
  const data = await ask(
    who,
    'mutation ($input: CreateTweetInput!) { createTweet(input: $input) { tweet { id tweetId author { tweetCount } } } }',
    { input },
  );
  return (data as { createTweet: { tweet: { id: string; tweetId: string } } }).createTweet.tweet;
}

test('following brings in what was posted before and after, unfollowing takes it out', async () => {
  const FOLLOW =
    'mutation ($id: ID!) { followUser(id: $id) { follower { username followingCount } followee { username followerCount viewerIsFollowing isFollowingViewer } } }';
  for (let n = 0; n < 2; n++) {
    expect(await ask('1', FOLLOW, { id: user('2') })).toEqual({
      followUser: {
        follower: { username: 'ada', followingCount: 1 },
        followee: { username: 'bo', followerCount: 2, viewerIsFollowing: true, isFollowingViewer: false },
      },
    });
    expect(await timelineOf('1')).toEqual(['tweet 100']);
  }
  await create('2', { content: 'new' });
  await server.writeServices.outbox.idle();
  expect(await timelineOf('1')).toEqual(['new', 'tweet 100']);
  expect(await timelineOf('3')).toEqual(['new', 'tweet 100']);
  const UNFOLLOW =
    'mutation ($id: ID!) { unfollowUser(id: $id) { follower { followingCount } followee { followerCount viewerIsFollowing } } }';
  for (let n = 0; n < 2; n++) {
    expect(await ask('1', UNFOLLOW, { id: user('2') })).toEqual({
      unfollowUser: {
        follower: { followingCount: 0 },
        followee: { followerCount: 1, viewerIsFollowing: false },
      },
    });
    expect(await timelineOf('1')).toEqual([]);
    await server.writeServices.outbox.idle();
    expect(await timelineOf('1')).toEqual([]);
  }
  await ask('1', FOLLOW, { id: user('2') });
  expect(await timelineOf('1')).toEqual(['new', 'tweet 100']);
  await server.writeServices.outbox.idle();
  expect(await timelineOf('1')).toEqual(['new', 'tweet 100']);
});

const ACT = (name: string) =>
  `mutation ($id: ID!) { ${name}(id: $id) { tweet { tweetId likeCount shareCount replyCount viewerHasLiked viewerHasShared } } }`;
const LISTS =
  'query ($id: ID!) { node(id: $id) { ... on Tweet { likers { nodes { username } } replies { nodes { content } } } } user(username: "ada") { likes { nodes { content } } tweetCount } cy: user(username: "cy") { tweetCount tweets { nodes { content sharedTweet { content } likeCount } } } }';

test('a tweet can be liked, shared, replied to, and deleted', async () => {
  const original = await create('2', { content: 'original' });
  const reply = await create('1', { content: 'reply', inReplyTo: original.id });
  const counts = {
    tweetId: original.tweetId,
    likeCount: 0,
    shareCount: 0,
    replyCount: 1,
    viewerHasLiked: false,
    viewerHasShared: false,
  };
  for (let n = 0; n < 2; n++)
    expect(await ask('1', ACT('likeTweet'), { id: original.id })).toEqual({
      likeTweet: { tweet: { ...counts, likeCount: 1, viewerHasLiked: true } },
    });
  for (let n = 0; n < 2; n++)
    expect(await ask('3', ACT('shareTweet'), { id: original.id })).toEqual({
      shareTweet: { tweet: { ...counts, likeCount: 1, shareCount: 1, viewerHasShared: true } },
    });
  expect(await ask('1', LISTS, { id: original.id })).toEqual({
    node: { likers: { nodes: [{ username: 'ada' }] }, replies: { nodes: [{ content: 'reply' }] } },
    user: { likes: { nodes: [{ content: 'original' }] }, tweetCount: 1 },
    cy: {
      tweetCount: 1,
      tweets: { nodes: [{ content: 'original', sharedTweet: { content: 'original' }, likeCount: 1 }] },
    },
  });
  for (let n = 0; n < 2; n++)
    expect(await ask('3', ACT('unshareTweet'), { id: original.id })).toEqual({
      unshareTweet: { tweet: { ...counts, likeCount: 1 } },
    });
  for (let n = 0; n < 2; n++)
    expect(await ask('1', ACT('unlikeTweet'), { id: original.id })).toEqual({
      unlikeTweet: { tweet: counts },
    });
  await expectDeletion(original, reply);
});

/** Deletes a liked and shared tweet that has a reply, and expects it to be gone from every list. */
async function expectDeletion(original: { readonly id: string }, reply: { readonly id: string }) {
  await ask('1', ACT('likeTweet'), { id: original.id });
  await ask('3', ACT('shareTweet'), { id: original.id });
  for (let n = 0; n < 2; n++)
    expect(
      await ask('2', 'mutation ($id: ID!) { deleteTweet(id: $id) { deletedId } }', { id: original.id }),
    ).toEqual({
      deleteTweet: { deletedId: original.id },
    });
  const gone = {
    node: null,
    user: { likes: { nodes: [] }, tweetCount: 1 },
    cy: { tweets: { nodes: [] } },
  };
  expect(await ask('1', LISTS, { id: original.id })).toMatchObject(gone);
  await server.writeServices.outbox.idle();
  expect(await ask('1', LISTS, { id: original.id })).toMatchObject({ ...gone, cy: { tweetCount: 0 } });
  expect(
    await ask('1', 'query ($id: ID!) { node(id: $id) { ... on Tweet { inReplyTo { id } } } }', {
      id: reply.id,
    }),
  ).toEqual({ node: { inReplyTo: null } });
  expect((await server.query(ACT('likeTweet'), { id: original.id }, '1')).errors).toMatchObject([
    { extensions: { code: 'NOT_FOUND' } },
  ]);
  expect(
    (
      await server.query(
        'mutation ($id: ID!) { deleteTweet(id: $id) { deletedId } }',
        { id: one('100') },
        '1',
      )
    ).errors,
  ).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
}

test('deleting a tweet leaves the counts of the user of the same number', async () => {
  await server.store([person('900', 'nine'), person('901', 'fan'), tweet('900', '900', 2)]);
  const FOLLOW = 'mutation ($id: ID!) { followUser(id: $id) { followee { followerCount tweetCount } } }';
  const followed = (followerCount: number, tweetCount: number) => ({
    followUser: { followee: { followerCount, tweetCount } },
  });
  expect(await ask('901', FOLLOW, { id: user('900') })).toEqual(followed(1, 1));
  await ask('900', 'mutation ($id: ID!) { deleteTweet(id: $id) { deletedId } }', { id: one('900') });
  await server.writeServices.outbox.idle();
  expect(await ask('1', FOLLOW, { id: user('900') })).toEqual(followed(2, 0));
});
