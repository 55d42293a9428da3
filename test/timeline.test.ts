import { follow, person, startHarness, tweet, type Harness } from './support/harness';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { HOME, pages, type Home } from './support/home';
import { act } from './support/mutations';

interface Flags {
  readonly tweetId: string;
  readonly viewerHasLiked: boolean;
  readonly viewerHasShared: boolean;
}

const people = [person('1', 'reader'), person('2', 'Bo'), person('3', 'cy'), person('4', 'other')];
const follows = [follow('1', '2'), follow('1', '3'), follow('4', '2')];
const posted = Array.from({ length: 60 }, (_, n) => tweet(String(1000 + n), n % 2 === 0 ? '2' : '3', n * 2));
const expected = posted.map(({ tweetId }) => tweetId).reverse();

describe.each([
  ['pushed', '10000'],
  ['pulled', '0'],
  ['partly pushed, partly pulled', '1'],
])('a timeline whose authors are %s', (_name, limit) => {
  let server: Harness;
  beforeAll(async () => {
    server = await startHarness({ FANOUT_PUSH_LIMIT: limit });
    await server.store([...people, ...follows, ...posted, tweet('5000', '1'), tweet('5001', '4')]);
  });
  afterAll(() => server.close());

  test('holds what the followed posted, newest first, in pages that join to the whole', async () => {
    expect(await pages(server, 7, 'first')).toEqual(expected);
  });

  test('can be walked backwards from its end', async () => {
    expect(await pages(server, 7, 'last')).toEqual(expected);
  });

  test('keeps a cursor good when newer tweets arrive', async () => {
    const first = await server.query(HOME, { first: 5 });
    const { endCursor } = (first.data as Home).user.timeline.pageInfo;
    const next = await server.query(HOME, { first: 5, after: endCursor });
    expect((next.data as Home).user.timeline.nodes.map(({ tweetId }) => tweetId)).toEqual(
      expected.slice(5, 10),
    );
  });

  test('changes nothing when the same is imported again', async () => {
    await server.store([...posted, ...follows, ...people]);
    expect(await pages(server, 50, 'first')).toEqual(expected);
  });
});

test.each(['first', 'last'] as const)(
  'a list over more months than a page may walk goes on by its cursor (%s)',
  async (direction) => {
    const server = await startHarness();
    const sparse = Array.from({ length: 150 }, (_, n) => tweet(String(1000 + n), '2', -31 * (150 - n)));
    await server.store([...people, follow('1', '2'), ...sparse]);
    expect(await pages(server, 100, direction)).toEqual(sparse.map(({ tweetId }) => tweetId).reverse());
    await server.close();
  },
);

test('pages join to all tweets while some are added before the cursor and others are removed after it', async () => {
  const server = await startHarness();
  await server.store([...people, ...follows, ...posted]);
  const first = await server.query(HOME, { first: 30 });
  const { nodes, pageInfo } = (first.data as Home).user.timeline;
  await server.store([tweet('2000', '2', 200), tweet('2001', '3', 200)]);
  await server.database.run(
    `DELETE FROM timelines_by_user WHERE user_id = 1 AND bucket = 0 AND tweet_id = 1000`,
  );
  const rest = await server.query(HOME, { first: 100, after: pageInfo.endCursor });
  const joined = [...nodes, ...(rest.data as Home).user.timeline.nodes].map(({ tweetId }) => tweetId);
  expect(joined).toEqual(expected.filter((tweetId) => tweetId !== '1000'));
  await server.close();
});

describe('the reads of a timeline', () => {
  let server: Harness;
  beforeAll(async () => {
    server = await startHarness();
    const tweets = Array.from({ length: 40 }, (_, n) => tweet(String(1000 + n), n % 2 === 0 ? '2' : '3'));
    await server.store([...people, ...follows, ...tweets]);
  });
  afterAll(() => server.close());

  test('are one partition of timelines_by_user and one request a table for the rest', async () => {
    const { reads, errors } = await server.query(HOME, { first: 25 });
    expect(errors).toEqual([]);
    expect(reads.map(({ statement, partitions }) => [statement, partitions]).sort()).toEqual([
      ['profiles_by_username.get', 1],
      ['timelines_by_user.page', 1],
      ['tweet_counts.get', 25],
      ['users.get', 2],
    ]);
  });

  test('are one partition more for what its reader likes and shares', async () => {
    for (const id of ['1039', '1020']) await act(server, '1', 'likeTweet', { id: encodeNodeId('Tweet', id) });
    for (const id of ['1038', '1020'])
      await act(server, '1', 'shareTweet', { id: encodeNodeId('Tweet', id) });
    const { data, reads } = await server.query(
      '{ viewer { timeline(first: 25) { nodes { tweetId viewerHasLiked viewerHasShared } } } }',
      {},
      '1',
    );
    const { viewer } = data as { viewer: { timeline: { nodes: readonly Flags[] } } };
    const having = (flag: keyof Flags) =>
      viewer.timeline.nodes.filter((node) => node[flag] === true).map(({ tweetId }) => tweetId);
    expect(having('viewerHasLiked')).toEqual(['1039', '1020']);
    expect(having('viewerHasShared')).toEqual(['1038', '1020']);
    expect(reads.filter(({ table }) => table === 'engagements_by_user')).toMatchObject([
      { keys: 25, partitions: 1, rows: 4 },
    ]);
    const query = '{ tweet(tweetId: "1020") { viewerHasLiked viewerHasShared } }';
    const { extensions } = JSON.parse((await server.post(JSON.stringify({ query }), '1')).body) as {
      extensions: { cost: { fields: { tables: { table: string; rows: number }[] }[] } };
    };
    const bounds = extensions.cost.fields.flatMap(({ tables }) => tables);
    expect(bounds.filter(({ table }) => table === 'engagements_by_user')).toMatchObject([{ rows: 2 }]);
  });

  test('name the field that asked', async () => {
    const { reads } = await server.query(HOME, { first: 25 });
    expect(reads.find(({ statement }) => statement === 'tweet_counts.get')?.paths).toEqual([
      'user.timeline.nodes.likeCount',
    ]);
  });
});

test.each([
  [50, 100, true],
  [51, 51, false],
])(
  'a later page of a timeline that merges %i authors reads %i partitions of their tweets',
  async (count, partitions, hasPreviousPage) => {
    const server = await startHarness({ FANOUT_PUSH_LIMIT: '0' });
    const authors = Array.from({ length: count }, (_, n) => String(100 + n));
    await server.store([
      person('1', 'reader'),
      ...authors.flatMap((id) => [person(id, `author${id}`), follow('1', id), tweet(`${id}0`, id)]),
    ]);
    const page = (after: string) =>
      server.query(
        `{ user(username: "reader") { timeline(first: 10${after}) { pageInfo { endCursor hasPreviousPage } } } }`,
      );
    const first = (await page('')).data as Home;
    const second = await page(`, after: "${first.user.timeline.pageInfo.endCursor}"`);
    expect((second.data as Home).user.timeline.pageInfo.hasPreviousPage).toBe(hasPreviousPage);
    const read = second.reads.filter(({ statement }) => statement === 'tweets_by_author.page');
    expect(read.reduce((sum, one) => sum + one.partitions, 0)).toBe(partitions);
    await server.close();
  },
);
