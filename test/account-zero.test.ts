import { encodeNodeId } from '../src/kit/graphql/global-id';
import { readAll, recordsIn } from './import/read';
import { follows } from '../src/import/formats/follows';
import { rebuildRows } from '../src/jobs/rebuild';
import { tables } from '../src/app';
import { derivedTables } from '../src/jobs/all';
import { findId } from '../src/jobs/find-id';
import { person, startHarness, tweet, type Harness } from './support/harness';
import { act, ask, post } from './support/mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
afterAll(() => server.close());

const id = (userId: string) => encodeNodeId('User', userId);
interface Known {
  readonly id: string;
  readonly userId: string;
  readonly followerCount: number;
  readonly followingCount: number;
  readonly followers: { readonly nodes: readonly { readonly userId: string }[] };
  readonly following: { readonly nodes: readonly { readonly userId: string }[] };
}
async function known(username: string): Promise<Known> {
  const list = 'nodes { userId }';
  const data = await ask(
    server,
    `{ user(username: "${username}") { id userId followerCount followingCount followers { ${list} } following { ${list} } } }`,
  );
  return (data as { user: Known }).user;
}
/** Whom somebody follows, and by whom somebody is followed, by the lists and by the counts. */
async function relations(username: string) {
  const { followers, following, followerCount, followingCount } = await known(username);
  const names = ({ nodes }: Known['followers']) => nodes.map(({ userId }) => userId).sort();
  expect([names(followers).length, names(following).length]).toEqual([followerCount, followingCount]);
  return { followers: names(followers), following: names(following) };
}

test('an account 0 of an edge list is a user like any other', async () => {
  const edges = recordsIn(await readAll(follows, '0 1\n2 0\n3 1\n'));
  await server.store([...edges, tweet('500', '0'), tweet('501', '1')]);
  expect(await relations('0')).toEqual({ followers: ['2'], following: ['1'] });
  expect(await relations('1')).toEqual({ followers: ['0', '3'], following: [] });
  expect(await ask(server, `{ node(id: "${id('0')}") { ... on User { userId username } } }`)).toEqual({
    node: { userId: '0', username: '0' },
  });
});

test('the account 0 follows, is followed, and stops, by acts', async () => {
  await act(server, '3', 'followUser', { id: id('0') });
  await act(server, '0', 'followUser', { id: id('2') });
  expect(await relations('0')).toEqual({ followers: ['2', '3'], following: ['1', '2'] });
  expect(await relations('2')).toEqual({ followers: ['0'], following: ['0'] });
  // Imported relations end, too; also where somebody else of the same part of the tally was counted before.
  await server.store([person('16', 'sixteen')]);
  await act(server, '16', 'followUser', { id: id('1') });
  await act(server, '16', 'unfollowUser', { id: id('1') });
  await act(server, '0', 'unfollowUser', { id: id('1') });
  await act(server, '2', 'unfollowUser', { id: id('0') });
  expect(await relations('0')).toEqual({ followers: ['3'], following: ['2'] });
  expect(await relations('1')).toEqual({ followers: ['3'], following: [] });
  await act(server, '0', 'followUser', { id: id('1') });
  await act(server, '0', 'unfollowUser', { id: id('2') });
  expect(await relations('0')).toEqual({ followers: ['3'], following: ['1'] });
  expect(await relations('2')).toEqual({ followers: [], following: [] });
});

test('the account 0 posts, likes and shares, and has a timeline', async () => {
  const own = await post(server, '0', { content: 'I count from nothing' });
  const other = encodeNodeId('Tweet', '501');
  for (const who of ['0', '3']) await act(server, who, 'likeTweet', { id: other });
  await act(server, '3', 'unlikeTweet', { id: other });
  await act(server, '0', 'shareTweet', { id: other });
  await server.writeServices.outbox.idle();
  const seen = 'likeCount shareCount viewerHasLiked viewerHasShared likers { nodes { userId } }';
  expect(await ask(server, `{ node(id: "${other}") { ... on Tweet { ${seen} } } }`, '0')).toEqual({
    node: {
      likeCount: 1,
      shareCount: 1,
      viewerHasLiked: true,
      viewerHasShared: true,
      likers: { nodes: [{ userId: '0' }] },
    },
  });
  const timelines = await ask(
    server,
    '{ fan: user(username: "3") { timeline { nodes { tweetId sharedTweet { tweetId } } } } zero: user(username: "0") { tweetCount timeline { nodes { tweetId } } } }',
  );
  const share = { tweetId: expect.any(String) as string, sharedTweet: { tweetId: '501' } };
  const ownTweets = [own.tweetId, '500'].map((tweetId) => ({ tweetId, sharedTweet: null }));
  expect(timelines).toEqual({
    fan: { timeline: { nodes: [share, ownTweets[0], { tweetId: '501', sharedTweet: null }, ownTweets[1]] } },
    zero: { tweetCount: 3, timeline: { nodes: [{ tweetId: '501' }] } },
  });
});

test('the account 0 is found where it is, and not among the tweets of a minute', async () => {
  const having: string[] = [];
  for await (const { table, rows } of findId(server.database, tables, { type: 'User', id: '0' }))
    if (rows > 0) having.push(table);
  expect(having).toContain('users');
  // The count of a minute is in the row of its member 0.
  const tallies = await server.database.run('SELECT owner, member FROM tallies');
  expect(tallies.some(({ owner, member }) => Number(owner) < 0 && Number(member) === 0)).toBe(true);
});

test('rebuilding keeps what the account 0 likes', async () => {
  const likes = derivedTables.filter(({ table }) => table.name.startsWith('likes_by'));
  for (const derived of likes) {
    const before = await server.database.run(`SELECT * FROM ${derived.table.name}`);
    expect(before).toHaveLength(1);
    await server.database.run(`TRUNCATE ${derived.table.name}`);
    const context = {
      database: server.database,
      retentionMonths: null,
    };
    await rebuildRows(context, derived, () => undefined);
    expect(await server.database.run(`SELECT * FROM ${derived.table.name}`)).toEqual(before);
  }
});

describe('the tweet 0', () => {
  const ids = ['2', '1', '0'];
  beforeAll(async () => {
    await server.store([
      person('7', 'seven'),
      person('8', 'eight'),
      {
        kind: 'follow',
        follower: { userId: '8' },
        followee: { userId: '7' },
        followedAt: new Date('2026-01-01'),
      },
      tweet('600', '8'),
      ...ids.map((tweetId) =>
        tweet(tweetId, '7', 0, { content: 'zero #zero', hashtags: ['zero'], inReplyToId: '600' }),
      ),
    ]);
  });

  const page = (args: string) =>
    `(${args}) { edges { cursor node { tweetId } } pageInfo { hasNextPage hasPreviousPage } }`;
  const inOrder = (owner: string, list: string) =>
    ['NEWEST', 'MOST_LIKED'].map((order): [string, (args: string) => string] => [
      `${list} ${order}`,
      (args) => `{ of: ${owner} list: ${list}${page(`order: ${order}, ${args}`)} } }`,
    ]);
  const original = encodeNodeId('Tweet', '600');
  const lists = [
    ...inOrder('user(username: "seven") {', 'tweets'),
    ...inOrder('user(username: "eight") {', 'timeline'),
    ...inOrder(`node(id: "${original}") { ... on Tweet {`, 'replies').map(
      ([name, ask]): [string, (args: string) => string] => [name, (args) => `${ask(args)} }`],
    ),
  ];
  const found = inOrder('hashtag(name: "zero") {', 'tweets');
  interface Page {
    readonly edges: readonly { readonly cursor: string; readonly node: { readonly tweetId: string } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean };
  }

  describe.each([0, 1])('with %d likes', (likes) => {
    beforeAll(async () => {
      if (likes === 0) return;
      for (const tweetId of ids) await act(server, '3', 'likeTweet', { id: encodeNodeId('Tweet', tweetId) });
      await server.writeServices.outbox.idle();
    });

    const read = async (query: string) => ((await ask(server, query, '8')) as { of: { list: Page } }).of.list;

    test.each(lists)('is in %s in both directions, and pages begin and end there', async (_, list) => {
      const all = await read(list('first: 10'));
      expect(all.edges.map(({ node }) => node.tweetId)).toEqual(ids);
      for (const [index, { cursor }] of all.edges.entries()) {
        expect(await read(list(`first: 10, after: "${cursor}"`))).toEqual({
          edges: all.edges.slice(index + 1),
          pageInfo: { hasNextPage: false, hasPreviousPage: true },
        });
        expect(await read(list(`last: 10, before: "${cursor}"`))).toEqual({
          edges: all.edges.slice(0, index),
          pageInfo: { hasNextPage: true, hasPreviousPage: false },
        });
      }
      expect((await read(list('last: 1'))).edges).toEqual(all.edges.slice(2));
      expect((await read(list('last: 2'))).edges).toEqual(all.edges.slice(1));
    });

    test.each(found)('is found in %s of its hashtag, and a page begins after it', async (_, list) => {
      const all = await read(list('first: 10'));
      expect(all.edges.map(({ node }) => node.tweetId)).toEqual(ids);
      const after = list(`first: 10, after: "${all.edges.at(-1)?.cursor ?? ''}"`);
      expect(await read(after)).toEqual({
        edges: [],
        pageInfo: { hasNextPage: false, hasPreviousPage: true },
      });
    });
  });
});
