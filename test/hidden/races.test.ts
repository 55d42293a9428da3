import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { claimKey } from '../../src/kit/writes/idempotency';
import { encodePosted } from '../../src/write/tweet/post-tweet';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { act, ask, plain, post, send, type Mutation, type Variables } from '../support/mutations';

/** What people do to each other at one moment, on two servers of one database. */
const servers: Harness[] = [];
beforeAll(async () => {
  servers.push(await startHarness({}));
  servers.push(await startHarness({}, one()));
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.close();
});

function one(n = 0): Harness {
  const server = servers[n % servers.length];
  if (server === undefined) throw new Error('There must be a server');
  return server;
}

/** Resolves when no server has work left. */
async function idle(): Promise<void> {
  for (const { writeServices } of servers) await writeServices.outbox.idle();
  while ((await one().writeServices.outbox.pending()).length > 0)
    for (const { writeServices } of servers) await writeServices.outbox.idle();
}

let people = 0;
/** Some new users. */
async function newPeople(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => String(++people));
  await one().store(ids.map((id) => person(id, `user${id}`)));
  return ids;
}

const userNode = (userId = '') => ({ id: encodeNodeId('User', userId) });

/** The names of what somebody sees in a list of `node`. */
async function listed(who: string | null, id: string, type: string, list: string, name: string) {
  const source = `query ($id: ID!) { node(id: $id) { ... on ${type} { list: ${list} { nodes { ${name} } } } } }`;
  const { data, errors } = await one().query(source, { id }, who ?? 'service');
  expect(errors).toEqual([]);
  const { node } = data as { node: { list: { nodes: Record<string, string>[] } } | null };
  return node === null ? null : node.list.nodes.map((item) => item[name] ?? '').sort();
}

interface Told {
  readonly viewer: {
    readonly unreadNotifications: { readonly count: number };
    readonly notifications: {
      readonly nodes: readonly {
        readonly kind: string;
        readonly actorCount: number;
        readonly actors: { readonly nodes: readonly { readonly userId: string }[] };
      }[];
    };
  };
}

/** Of what somebody is told, and by whom. The badge must be the length of the list. */
async function told(who: string): Promise<{ kind: string; actors: string[] }[]> {
  const source =
    '{ viewer { unreadNotifications { count } notifications(first: 100) { nodes { kind actorCount actors(first: 100) { nodes { userId } } } } } }';
  const { viewer } = (await ask(one(), source, who)) as Told;
  const { nodes } = viewer.notifications;
  expect(viewer.unreadNotifications.count).toBe(nodes.length);
  return nodes.map(({ kind, actors }) => ({ kind, actors: actors.nodes.map(({ userId }) => userId).sort() }));
}

/** An act, the server that does it, and the codes of its errors. */
interface Done {
  readonly name: Mutation;
  readonly codes: readonly string[];
}

async function attempt(n: number, who: string, name: Mutation, variables: Variables): Promise<Done> {
  const { errors } = await send(one(n), who, name, variables);
  return {
    name,
    codes: errors.map(({ extensions }) => `${extensions.code} ${String(Reflect.get(extensions, 'reason'))}`),
  };
}

/** What B does to A while A blocks B, in an order that depends on `n`; the block is first, last, or in the midst. */
async function race(n: number, A: string, B: string, ofA: string, ofB: string): Promise<Done[]> {
  const content = `to user${A} and @user${A}`;
  const acts: (() => Promise<Done>)[] = [
    () => attempt(n, B, 'followUser', userNode(A)),
    () => attempt(n + 1, A, 'followUser', userNode(B)),
    () => attempt(n + 1, B, 'likeTweet', { id: ofA }),
    () => attempt(n, B, 'shareTweet', { id: ofA }),
    () => attempt(n + 1, B, 'createTweet', { input: { content, inReplyTo: ofA } }),
    () => attempt(n, B, 'createTweet', { input: { content: 'see this', quotes: ofA } }),
    () => attempt(n, A, 'likeTweet', { id: ofB }),
  ];
  acts.splice(n % 3 === 0 ? 0 : n % 3 === 1 ? acts.length : 4, 0, () =>
    attempt(n, A, 'blockUser', userNode(B)),
  );
  return Promise.all(acts.map((start) => start()));
}

test('of a block and acts at one moment no follow stays, and nothing that the two did is shown to the other', async () => {
  const ROUNDS = 6;
  for (let n = 0; n < ROUNDS; n++) {
    const [A = '', B = '', C = ''] = await newPeople(3);
    const [{ id: ofA }, { id: ofB }] = [
      await post(one(), A, { content: 'of A' }),
      await post(one(1), B, { content: 'of B' }),
    ];
    const done = await race(n, A, B, ofA, ofB);
    for (const { name, codes } of done)
      expect([name, codes]).toEqual([
        name,
        codes.length === 0 || name === 'blockUser' ? [] : ['FORBIDDEN BLOCKED'],
      ]);
    await idle();

    const lists = async (who: string | null) => ({
      followersOfA: await listed(who, userNode(A).id, 'User', 'followers', 'userId'),
      followersOfB: await listed(who, userNode(B).id, 'User', 'followers', 'userId'),
      likers: await listed(who, ofA, 'Tweet', 'likers', 'userId'),
      sharers: await listed(who, ofA, 'Tweet', 'sharers', 'userId'),
      replies: await listed(who, ofA, 'Tweet', 'replies', 'tweetId'),
      quotes: await listed(who, ofA, 'Tweet', 'quotes', 'tweetId'),
    });
    const facts = await lists(C);
    const isDone = (index: number) =>
      done.filter(({ name }) => name !== 'blockUser')[index]?.codes.length === 0;
    expect(facts).toMatchObject({ followersOfA: [], followersOfB: [] });
    expect([facts.likers, facts.sharers]).toEqual([isDone(2) ? [B] : [], isDone(3) ? [B] : []]);
    // A reply to somebody who blocks its author is shown to nobody else.
    expect([facts.replies?.length, facts.quotes?.length]).toEqual([0, Number(isDone(5))]);
    const empty = { likers: [], sharers: [], replies: [], quotes: [] };
    expect(await lists(A)).toMatchObject(empty);
    expect(await listed(B, ofA, 'Tweet', 'likers', 'userId')).toBeNull();
    expect(await listed(A, userNode(B).id, 'User', 'tweets', 'tweetId')).toEqual([]);
    expect([await told(A), await told(B)]).toEqual([[], []]);

    await act(one(n), A, 'unblockUser', userNode(B));
    await idle();
    const { replies, ...others } = await lists(A);
    expect(replies).toHaveLength(Number(isDone(4)));
    expect({ ...others, replies: [] }).toEqual(facts);
    expect((await told(A)).every(({ kind, actors }) => kind !== 'FOLLOW' && actors.join() === B)).toBe(true);
  }
});

test('200 likes at once, on two servers, are one group of 200, and the badge is the list', async () => {
  const [A = '', ...others] = await newPeople(201);
  const { id } = await post(one(), A, { content: 'popular' });
  await Promise.all(others.map((who, n) => act(one(n), who, 'likeTweet', { id })));
  await idle();
  const source =
    'query ($after: String) { viewer { unreadNotifications { count } notifications(first: 10) { nodes { kind actorCount actors(first: 100, after: $after) { nodes { userId } pageInfo { endCursor hasNextPage } } } } } }';
  const members: string[] = [];
  for (let after: string | null = null; ;) {
    const { data } = await one().query(source, { after }, A);
    const { viewer } = data as {
      viewer: {
        unreadNotifications: object;
        notifications: {
          nodes: {
            kind: string;
            actorCount: number;
            actors: { nodes: { userId: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean } };
          }[];
        };
      };
    };
    expect(viewer).toMatchObject({
      unreadNotifications: { count: 1 },
      notifications: { nodes: [{ kind: 'LIKE', actorCount: 200 }] },
    });
    const [group] = viewer.notifications.nodes;
    members.push(...(group?.actors.nodes ?? []).map(({ userId }) => userId));
    if (group?.actors.pageInfo.hasNextPage !== true) break;
    after = group.actors.pageInfo.endCursor;
  }
  expect(members.sort()).toEqual(others.sort());
  const half = others.slice(0, 100);
  await Promise.all(half.map((who, n) => act(one(n + 1), who, 'unlikeTweet', { id })));
  await idle();
  expect(await told(A)).toMatchObject([{ kind: 'LIKE', actors: others.slice(100).sort() }]);
});

describe('an import of follows between two of whom one blocks the other', () => {
  const followsOf = async (A: string, B: string) => {
    const fields = 'followerCount followingCount viewerIsFollowing isFollowingViewer';
    const { data } = await one().query(
      `query ($id: ID!) { node(id: $id) { ... on User { ${fields} } } }`,
      userNode(B),
      A,
    );
    return {
      ...(data as { node: object }).node,
      lists: [
        await listed(null, userNode(A).id, 'User', 'followers', 'userId'),
        await listed(null, userNode(A).id, 'User', 'following', 'userId'),
        await listed(null, userNode(B).id, 'User', 'followers', 'userId'),
        await listed(null, userNode(B).id, 'User', 'following', 'userId'),
      ],
      timelines: [
        await listed(null, userNode(A).id, 'User', 'timeline', 'tweetId'),
        await listed(null, userNode(B).id, 'User', 'timeline', 'tweetId'),
      ],
    };
  };
  const none = {
    ...{ followerCount: 0, followingCount: 0, viewerIsFollowing: false, isFollowingViewer: false },
    lists: [[], [], [], []],
    timelines: [[], []],
  };
  const block = (who: string, other: string) => act(one(), who, 'blockUser', userNode(other));
  const unblock = (who: string, other: string) => act(one(1), who, 'unblockUser', userNode(other));
  const both = (A: string, B: string) => one().store([follow(A, B), follow(B, A)]);
  const stories: Readonly<Record<string, (A: string, B: string) => Promise<unknown>>> = {
    'after the block': async (A, B) => [await block(A, B), await both(A, B)],
    'after a block by the other': async (A, B) => [await block(B, A), await both(A, B)],
    'before the block': async (A, B) => [await both(A, B), await block(A, B)],
    'around the end of the block': async (A, B) => [
      ...[await block(A, B), await both(A, B), await unblock(A, B), await both(A, B)],
    ],
    'after a follow that the block has ended': async (A, B) => [
      await act(one(), B, 'followUser', userNode(A)),
      ...[await block(A, B), await both(A, B)],
    ],
    'while the block is made': async (A, B) => Promise.all([both(A, B), block(A, B)]),
  };
  for (const [name, story] of Object.entries(stories))
    test(`brings none ${name}, and a later follow counts once`, async () => {
      const [A = '', B = ''] = await newPeople(2);
      const tweets = [A, B].map((author) => tweet(String(10_000 + Number(author)), author, 1));
      await one().store(tweets);
      await story(A, B);
      await idle();
      expect(await followsOf(A, B)).toEqual(none);
      for (const [who, other] of [
        [A, B],
        [B, A],
      ] as const)
        await act(one(), who, 'unblockUser', userNode(other));
      await idle();
      expect(await followsOf(A, B)).toEqual(none);
      await act(one(), B, 'followUser', userNode(A));
      await idle();
      await both(A, B);
      await idle();
      const now = await followsOf(A, B);
      expect(now).toMatchObject({ isFollowingViewer: true, viewerIsFollowing: false, followingCount: 1 });
      expect(now).toMatchObject({ lists: [[B], [], [], [A]], timelines: [[], [tweets[0]?.tweetId]] });
    });
});

describe('a retry with an idempotency key across a block', () => {
  test('of a comment that was made before answers as the first call did', async () => {
    const [A = '', B = ''] = await newPeople(2);
    const published = await act(one(), A, 'publishArticle', { input: { title: 'News', body: 'text' } });
    const { article } = published as { article: { id: string } };
    const input = { articleId: article.id, body: 'well', idempotencyKey: 'said' };
    const first = await act(one(), B, 'addComment', { input });
    await act(one(1), A, 'blockUser', userNode(B));
    const again = (await act(one(1), B, 'addComment', { input })) as { comment: { id: string } };
    expect(again.comment.id).toBe((first as typeof again).comment.id);
    const other = { input: { ...input, idempotencyKey: 'other' } };
    expect(await attempt(0, B, 'addComment', other)).toMatchObject({ codes: ['FORBIDDEN BLOCKED'] });
  });

  test('of a post whose first call was cut off is refused, and the post never comes', async () => {
    const [A = '', B = ''] = await newPeople(2);
    const { id, tweetId: inReplyToId } = await post(one(), A, { content: 'of A' });
    const { writeServices, database } = one();
    const tweetId = writeServices.worker.nextId();
    const input = { content: 'late', inReplyTo: id, language: 'en', idempotencyKey: 'cut off' };
    await claimKey(database, B, 'cut off', ['late', inReplyToId, null, 'en', null], tweetId);
    const row = { ...plain, tweetId, authorId: B, createdAt: new Date(), content: 'late', inReplyToId };
    const cut = await writeServices.outbox.prepareTask('post', encodePosted({ ...row, rootId: inReplyToId }));
    await writeServices.outbox.enqueue(cut);
    await act(one(1), A, 'blockUser', userNode(B));
    expect(await attempt(1, B, 'createTweet', { input })).toMatchObject({ codes: ['FORBIDDEN BLOCKED'] });
    writeServices.outbox.runInBackground(cut.task);
    await idle();
    expect(await listed(null, id, 'Tweet', 'replies', 'tweetId')).toEqual([]);
  });
});

test('who is leaving can be unblocked and unmuted', async () => {
  const [A = '', B = ''] = await newPeople(2);
  await act(one(), A, 'blockUser', userNode(B));
  await act(one(), A, 'muteUser', userNode(B));
  await act(one(), B, 'deleteAccount', { confirm: `user${B}` });
  expect(await act(one(), A, 'unblockUser', userNode(B))).toMatchObject({
    user: { viewerIsBlocking: false },
  });
  expect(await act(one(), A, 'unmuteUser', userNode(B))).toMatchObject({ user: { viewerIsMuting: false } });
  expect(await attempt(0, A, 'blockUser', userNode(B))).toMatchObject({ codes: ['NOT_FOUND undefined'] });
});
