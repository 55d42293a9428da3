import { createSight } from '../../src/features/hidden/sight/sight';
import { HIDDEN, hiddenByUser, MAX_BLOCKERS } from '../../src/features/hidden/hidden.table';
import { findBlock } from '../../src/features/hidden/may-show';
import type { Viewer } from '../../src/context';
import { createLoad } from '../../src/kit/reads/load';
import { writeOf } from '../../src/kit/cassandra/write';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { putAll } from '../../src/kit/writes/row-writer';
import { storeBlock } from '../../src/write/hidden/hidden-rows';
import { setBlocked } from '../../src/write/hidden/set-blocked';
import { setFollowing } from '../../src/write/follow/set-following';
import { joinPair } from '../../src/features/follow/relation';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { act, ask, codesOf, send } from '../support/mutations';

let server: Harness;
let stories = 0;
let [A, B, C, D] = ['', '', '', ''];
beforeAll(async () => {
  server = await startHarness();
});
beforeEach(async () => {
  const base = ++stories * 10;
  [A, B, C, D] = [String(base + 1), String(base + 2), String(base + 3), String(base + 4)];
  await server.store([A, B, C, D].map((userId) => person(userId, `user${userId}`)));
});
afterAll(() => server.close());

const idOf = (userId: string) => ({ id: encodeNodeId('User', userId) });
const idle = () => server.writeServices.outbox.idle();

/** What `who` sees of another user. */
async function relation(who: string, other: string) {
  const fields =
    'viewerIsFollowing isFollowingViewer viewerIsBlocking isBlockingViewer viewerIsMuting followerCount followingCount';
  const data = await ask(server, `{ user(username: "user${other}") { ${fields} } }`, who);
  return (data as { user: Readonly<Record<string, boolean | number>> }).user;
}

/** The sight of a user, as a request of it has it. */
function sightOf(userId: string) {
  const viewer = { caller: { kind: 'person' }, userId: () => Promise.resolve(userId) } as unknown as Viewer;
  return createSight(createLoad(server.database), viewer)();
}

const strangers = {
  viewerIsFollowing: false,
  isFollowingViewer: false,
  viewerIsBlocking: false,
  isBlockingViewer: false,
  viewerIsMuting: false,
  followerCount: 0,
  followingCount: 0,
};

test('a block ends both follows at once, is seen by both, and can be repeated; unblocking brings no follow back', async () => {
  await act(server, A, 'followUser', idOf(B));
  await act(server, B, 'followUser', idOf(A));
  for (const _ of [1, 2])
    expect(await act(server, A, 'blockUser', idOf(B))).toEqual({
      user: { viewerIsBlocking: true, viewerIsFollowing: false },
    });
  expect(await relation(A, B)).toEqual({ ...strangers, viewerIsBlocking: true });
  expect(await relation(B, A)).toEqual({ ...strangers, isBlockingViewer: true });
  expect(await relation(C, B)).toEqual(strangers);
  for (const _ of [1, 2]) await act(server, A, 'unblockUser', idOf(B));
  expect(await relation(A, B)).toEqual(strangers);
  expect(await relation(B, A)).toEqual(strangers);
});

test('nobody follows across a block, and the error says why', async () => {
  await act(server, A, 'blockUser', idOf(B));
  for (const [who, other] of [
    [A, B],
    [B, A],
  ] as const) {
    const { errors } = await send(server, who, 'followUser', idOf(other));
    expect(errors[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'BLOCKED' });
  }
  await act(server, A, 'unblockUser', idOf(B));
  await act(server, B, 'followUser', idOf(A));
  expect(await relation(B, A)).toMatchObject({ viewerIsFollowing: true, followerCount: 1 });
});

test('imported follows end as well', async () => {
  await server.store([follow(A, B), follow(B, A)]);
  await act(server, B, 'blockUser', idOf(A));
  expect(await relation(A, B)).toEqual({ ...strangers, isBlockingViewer: true });
});

test('of a block and follows at one moment the block wins', async () => {
  const { writeServices } = server;
  for (let round = 0; round < 2; round++) {
    await Promise.allSettled([
      setFollowing(writeServices, A, B, true),
      setFollowing(writeServices, B, A, true),
      setBlocked(writeServices, A, B, true),
      setFollowing(writeServices, C, B, true),
    ]);
    await idle();
    expect(await relation(A, B)).toMatchObject({
      ...{ viewerIsBlocking: true, viewerIsFollowing: false, isFollowingViewer: false },
      ...{ followerCount: 1, followingCount: 0 },
    });
    await setBlocked(writeServices, A, B, false);
  }
});

test('blocks in both directions at one moment are both there, and each ends by itself', async () => {
  await Promise.all([act(server, A, 'blockUser', idOf(B)), act(server, B, 'blockUser', idOf(A))]);
  expect(await relation(A, B)).toMatchObject({ viewerIsBlocking: true, isBlockingViewer: true });
  await act(server, A, 'unblockUser', idOf(B));
  expect(await relation(A, B)).toMatchObject({ viewerIsBlocking: false, isBlockingViewer: true });
});

describe('a block that was interrupted after its decision', () => {
  const runTask = async () => {
    await server.writeServices.outbox.leaveToTask('block', { blocker: A, blocked: B });
    await idle();
  };
  beforeEach(async () => {
    await setFollowing(server.writeServices, B, A, true);
    const ended = 'high_follows = false, high_at = ?, high_version = 2';
    const decided = `UPDATE relations SET low_blocks = true, low_blocks_at = ?, ${ended} WHERE pair = ?`;
    await server.database.write(decided, [new Date(), new Date(), joinPair(A, B)]);
  });

  test('is completed by its task', async () => {
    await runTask();
    expect(await relation(A, B)).toEqual({ ...strangers, viewerIsBlocking: true });
  });

  test('is seen at once by a client that repeats it', async () => {
    await act(server, A, 'blockUser', idOf(B));
    expect(await relation(A, B)).toEqual({ ...strangers, viewerIsBlocking: true });
    expect(await relation(B, A)).toEqual({ ...strangers, isBlockingViewer: true });
  });

  test('has ended the follow, also if it is taken back before its task runs', async () => {
    await act(server, A, 'unblockUser', idOf(B));
    await runTask();
    expect(await relation(A, B)).toEqual(strangers);
    expect(await relation(B, A)).toEqual(strangers);
  });
});

test('a mute is seen by its user alone, replaces an earlier one, ends by itself and leaves the follow', async () => {
  await act(server, A, 'followUser', idOf(B));
  await act(server, A, 'muteUser', idOf(B));
  expect(await relation(A, B)).toMatchObject({ viewerIsMuting: true, viewerIsFollowing: true });
  expect(await relation(B, A)).toMatchObject({ viewerIsMuting: false });
  expect((await sightOf(A))?.muteOf(B)).toMatchObject({ until: null, scope: null });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await act(server, A, 'muteUser', { ...idOf(B), until, scope: ['SHARES', 'REPLIES', 'SHARES'] });
  expect((await sightOf(A))?.muteOf(B)).toMatchObject({
    until: new Date(until),
    scope: new Set(['SHARES', 'REPLIES']),
  });
  for (const _ of [1, 2]) await act(server, A, 'unmuteUser', idOf(B));
  expect(await sightOf(A)).toBeNull();
  await act(server, A, 'muteUser', idOf(B));
  expect((await sightOf(A))?.muteOf(B)).toMatchObject({ until: null, scope: null });
});

test('muting again what has ended is a new mute, although the row of the old one is still there', async () => {
  const [hiddenAt, until] = [new Date(Date.UTC(2026, 0, 1)), new Date(Date.now() - 60_000)];
  const ended = { viewerId: A, kind: HIDDEN.mute, targetId: B, hiddenAt, changedAt: hiddenAt, until };
  const { query, params } = writeOf(hiddenByUser, ended);
  await server.database.write(query, params);
  const began = new Date();
  await act(server, A, 'muteUser', idOf(B));
  const at = (await sightOf(A))?.muteOf(B)?.at;
  expect(Number(at)).toBeGreaterThanOrEqual(Number(began));
  // A mute that holds keeps its beginning.
  await act(server, A, 'muteUser', { ...idOf(B), scope: ['SHARES'] });
  expect((await sightOf(A))?.muteOf(B)).toMatchObject({ at, scope: new Set(['SHARES']) });
});

test('what is no block or mute is refused', async () => {
  expect(await codesOf(server, A, 'blockUser', idOf(A))).toEqual(['BAD_USER_INPUT']);
  expect(await codesOf(server, A, 'blockUser', idOf('999999'))).toEqual(['NOT_FOUND']);
  expect(await codesOf(server, null, 'blockUser', idOf(A))).toEqual(['UNAUTHENTICATED']);
  expect(await codesOf(server, A, 'muteUser', { ...idOf(B), scope: [] })).toEqual(['BAD_USER_INPUT']);
  const past = { ...idOf(B), until: '2020-01-01T00:00:00Z' };
  expect(await codesOf(server, A, 'muteUser', past)).toEqual(['BAD_USER_INPUT']);
});

test('whoever very many block has a small partition, and is hidden from them all the same', async () => {
  const blockers = Array.from({ length: MAX_BLOCKERS + 2 }, (_, n) => String(1_000_000 + n));
  const rows = blockers.slice(2).map((targetId) =>
    writeOf(hiddenByUser, {
      viewerId: A,
      kind: HIDDEN.blocker,
      targetId,
      hiddenAt: new Date(),
      ended: false,
    }),
  );
  await putAll(server.writeServices.bulk(), rows);
  await setBlocked(server.writeServices, B, A, true);
  expect(await server.database.run('SELECT kind FROM hidden_by_user WHERE viewer_id = ?', [A])).toEqual([
    { kind: HIDDEN.manyBlockers },
  ]);
  // What comes later is in no row of this user, but between the two.
  await storeBlock(server.database, { blocker: C, blocked: A, blocks: true, at: new Date() });
  expect(await server.database.run('SELECT kind FROM hidden_by_user WHERE viewer_id = ?', [A])).toHaveLength(
    1,
  );
  const sight = await sightOf(A);
  expect(sight && findBlock(sight, B)).toBe('BLOCKED_BY');
  await sight?.learn([B, C]);
  expect(sight && [findBlock(sight, B), findBlock(sight, C)]).toEqual(['BLOCKED_BY', null]);
  expect(await relation(A, B)).toMatchObject({ isBlockingViewer: true });
  expect(await relation(A, C)).toMatchObject({ isBlockingViewer: false });
});

/** Sends a mutation with a selection of its own. */
async function acted(who: string, field: string, id: string, selection: string): Promise<unknown> {
  const source = `mutation { it: ${field}(id: "${id}") { ${selection} } }`;
  const { data, errors } = await server.query(source, {}, who);
  expect(errors).toEqual([]);
  return (data as { it: unknown }).it;
}

test('what mutations answer shows no more of somebody than a query does', async () => {
  await server.store([tweet(`${B}00`, B)]);
  await act(server, B, 'updateUser', { input: { description: 'Bees' } });
  const ofTweet = { id: encodeNodeId('Tweet', `${B}00`) };
  const { id } = idOf(B);
  const profile = 'user { userId description }';
  expect(await acted(A, 'muteUser', id, profile)).toEqual({ user: { userId: B, description: 'Bees' } });
  await act(server, A, 'likeTweet', ofTweet);
  expect(await acted(A, 'blockUser', id, profile)).toEqual({ user: { userId: B, description: null } });
  expect(await acted(A, 'unmuteUser', id, profile)).toEqual({ user: { userId: B, description: null } });
  for (const who of [A, B]) {
    const other = idOf(who === A ? B : A);
    const { followee } = (await acted(who, 'unfollowUser', other.id, 'followee { description }')) as {
      followee: unknown;
    };
    expect(followee).toEqual({ description: null });
  }
  for (const name of ['muteThread', 'unmuteThread'] as const)
    expect(await codesOf(server, A, name, ofTweet)).toEqual(['FORBIDDEN']);
  // A like can be taken back across a block, but nothing else is shown by that.
  await act(server, A, 'unlikeTweet', ofTweet);
  for (const name of ['unlikeTweet', 'unshareTweet'] as const)
    expect(await codesOf(server, A, name, ofTweet)).toEqual(['FORBIDDEN']);
  expect(await acted(A, 'unblockUser', id, profile)).toEqual({ user: { userId: B, description: 'Bees' } });
});

test('who is suspended can be unblocked and unmuted, and is in neither list meanwhile', async () => {
  const lists = () =>
    ask(
      server,
      '{ viewer { blockedUsers { nodes { userId } } mutedUsers(first: 1) { nodes { userId } } } }',
      A,
    );
  for (const other of [B, C]) {
    await act(server, A, 'blockUser', idOf(other));
    await act(server, A, 'muteUser', idOf(other));
  }
  const reason = { reason: 'a test of blocks' };
  await act(server, 'service', 'suspendUser', { ...idOf(C), ...reason });
  expect(await lists()).toMatchObject({
    viewer: { blockedUsers: { nodes: [{ userId: B }] }, mutedUsers: { nodes: [{ userId: B }] } },
  });
  for (const name of ['blockUser', 'muteUser'] as const)
    expect(await codesOf(server, A, name, idOf(C))).toEqual(['NOT_FOUND']);
  await server.store([follow(A, D)]);
  await act(server, 'service', 'suspendUser', { ...idOf(D), ...reason });
  expect(await codesOf(server, A, 'unfollowUser', idOf(D))).toEqual([]);
  for (const hidden of [C, D])
    expect(await codesOf(server, A, 'unfollowUser', idOf(hidden))).toEqual(['NOT_FOUND']);
  for (const name of ['unblockUser', 'unmuteUser'] as const) {
    expect(await codesOf(server, A, name, idOf(C))).toEqual([]);
    expect(await codesOf(server, A, name, idOf(C))).toEqual(['NOT_FOUND']);
  }
  await act(server, 'service', 'unsuspendUser', { ...idOf(C), ...reason });
  expect(await relation(A, C)).toEqual(strangers);
});

test('a comment says on what it is, but shows nothing of an article whose author is hidden', async () => {
  const article = { title: 'Tea', body: 'Leaves', tags: ['green'] };
  await act(server, B, 'updateUser', { input: { description: 'Bees' } });
  const published = (await act(server, B, 'publishArticle', { input: article })) as {
    article: { id: string };
  };
  const { comment } = (await act(server, C, 'addComment', {
    input: { articleId: published.article.id, body: 'Fine' },
  })) as { comment: { id: string } };
  const fields = '... on Comment { body article { title body tags author { userId description } } }';
  const seen = async (who: string) =>
    ((await ask(server, `{ node(id: "${comment.id}") { ${fields} } }`, who)) as { node: unknown }).node;
  const whole = { body: 'Fine', article: { ...article, author: { userId: B, description: 'Bees' } } };
  expect(await seen(A)).toEqual(whole);
  await act(server, B, 'blockUser', idOf(A));
  const little = { title: 'Tea', body: '', tags: [], author: { userId: B, description: null } };
  expect(await seen(A)).toEqual({ body: 'Fine', article: little });
  expect(await seen(C)).toEqual(whole);
});

test('of an account that is suspended or leaves, only the id is left where the object of somebody else leads to it', async () => {
  await act(server, B, 'updateUser', { input: { description: 'Bees' } });
  for (const [one, other] of [
    [B, C],
    [C, B],
    [A, B],
  ] as const)
    await act(server, one, 'followUser', idOf(other));
  await server.store([tweet(`${B}00`, B), tweet(`${C}00`, C)]);
  const ofB = { id: encodeNodeId('Tweet', `${B}00`) };
  await act(server, B, 'likeTweet', { id: encodeNodeId('Tweet', `${C}00`) });
  const input = { title: 'Tea', body: 'Leaves' };
  const { article } = (await act(server, B, 'publishArticle', { input })) as { article: { id: string } };
  const { comment } = (await act(server, C, 'addComment', {
    input: { articleId: article.id, body: 'Fine' },
  })) as { comment: { id: string } };
  const lists = ['followers', 'following', 'tweets', 'likes', 'articles'];
  const listed = lists.map((list) => `${list} { nodes { id } edges { node { id } } hiddenCount }`).join(' ');
  const profile = `userId username name description twitterAccount followerCount followingCount tweetCount ${listed}`;
  const throughComment = async () => {
    const source = `{ node(id: "${comment.id}") { ... on Comment { article { author { ${profile} } } } } }`;
    const { data, errors } = await server.query(source, {});
    expect(errors).toEqual([]);
    return (data as { node: { article: { author: object } } }).node.article.author;
  };
  const none = { nodes: [], edges: [], hiddenCount: 0 };
  const bare = {
    ...{ userId: B, username: '', name: '', description: null, twitterAccount: null },
    ...{ followerCount: 0, followingCount: 0, tweetCount: 0 },
    ...Object.fromEntries(lists.map((list) => [list, none])),
  };
  const whole = await throughComment();
  expect(whole).toMatchObject({ username: `user${B}`, description: 'Bees', followerCount: 2 });
  const reason = { reason: 'a test of what is hidden' };
  for (const [hide, show] of [
    [
      () => act(server, 'service', 'suspendUser', { ...idOf(B), ...reason }),
      () => act(server, 'service', 'unsuspendUser', { ...idOf(B), ...reason }),
    ],
    [
      () => act(server, B, 'deleteAccount', { confirm: `user${B}` }),
      () => act(server, B, 'cancelAccountDeletion', {}),
    ],
  ] as const) {
    await act(server, A, 'likeTweet', ofB);
    await act(server, A, 'followUser', idOf(B));
    await act(server, A, 'muteUser', idOf(B));
    await hide();
    expect(await throughComment()).toEqual(bare);
    // What was done before can be taken back, and its payload shows no more of the account.
    const taken = await acted(A, 'unlikeTweet', ofB.id, `tweet { author { ${profile} } }`);
    expect(taken).toEqual({ tweet: { author: bare } });
    for (const [name, field] of [
      ['unfollowUser', 'followee'],
      ['unmuteUser', 'user'],
    ] as const)
      expect(await acted(A, name, idOf(B).id, `${field} { ${profile} }`)).toEqual({ [field]: bare });
    await show();
    await act(server, A, 'followUser', idOf(B));
    expect(await throughComment()).toEqual(whole);
  }
});

test('a page counts what is hidden behind its last row, if no page follows', async () => {
  await server.store([tweet(`${C}00`, C)]);
  const ofTweet = { id: encodeNodeId('Tweet', `${C}00`) };
  // The oldest like is the last of the list.
  for (const who of [B, C, A]) await act(server, who, 'likeTweet', ofTweet);
  await act(server, A, 'blockUser', idOf(B));
  const page = async (first: number) => {
    const likers = `likers(first: ${first}) { nodes { userId } hiddenCount pageInfo { hasNextPage } }`;
    const data = await ask(server, `{ tweet(tweetId: "${C}00") { ${likers} } }`, A);
    return (data as { tweet: { likers: unknown } }).tweet.likers;
  };
  const nodes = [{ userId: A }, { userId: C }];
  const pageInfo = { hasNextPage: false };
  expect(await page(2)).toEqual({ nodes, hiddenCount: 1, pageInfo });
  expect(await page(3)).toEqual({ nodes, hiddenCount: 1, pageInfo });
  expect(await page(1)).toEqual({
    nodes: nodes.slice(0, 1),
    hiddenCount: 0,
    pageInfo: { hasNextPage: true },
  });
});
