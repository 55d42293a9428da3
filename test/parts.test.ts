import { encodeNodeId } from '../src/kit/relay/node';
import { monthOf } from '../src/kit/relay/buckets';
import { modeOf } from '../src/timeline/mode';
import type { FollowRecord, TweetRecord } from '../src/import/record';
import { follow, person, startHarness, tweet, type Harness } from './harness';
import { HOME, pages, type Home } from './home';
import { act, post } from './mutations';

const MANY = 3;
const READER = '1';
const authors = ['20', '21', '22', '23', '24', '25'] as const;
const others = ['30', '31'];
const people = [
  person(READER, 'reader'),
  ...[...authors, ...others].map((userId) => person(userId, `user${userId}`)),
];

/** Every author's tweets of three months, one a week. */
const posted = Array.from({ length: 78 }, (_, n) =>
  tweet(String(1000 + n), authors[n % authors.length] ?? '', Math.floor(n / authors.length) * 7),
);

/** What the timeline must hold: what these authors posted, newest first. */
function due(tweets: readonly TweetRecord[], followed: readonly string[]): string[] {
  return tweets
    .filter(({ author }) => followed.includes(author.userId ?? ''))
    .map(({ tweetId }) => tweetId)
    .reverse();
}

/** Where the rows of the reader's timeline stand, by author: `month`, `part` or both. */
async function placesOf({ database }: Harness): Promise<Record<string, string[]>> {
  const rows = await database.run(
    'SELECT CAST(user_id AS text) AS reader, bucket, CAST(author_id AS text) AS author, created_at AS at FROM timelines_by_user',
  );
  const places = new Map<string, Set<string>>();
  for (const row of rows.filter(({ reader }) => reader === READER)) {
    const author = String(row['author']);
    const month = monthOf(row['at'] as Date);
    const part = month + 1_000_000 * (1 + (Number(author) % 31));
    const place = row['bucket'] === month ? 'month' : row['bucket'] === part ? 'part' : String(row['bucket']);
    places.set(author, (places.get(author) ?? new Set()).add(place));
  }
  return Object.fromEntries([...places].map(([author, some]) => [author, [...some].sort()]));
}

async function expectTimeline(server: Harness, expected: readonly string[]): Promise<void> {
  for (const backwards of [false, true]) expect(await pages(server, 7, backwards)).toEqual(expected);
}

const change = async (server: Harness, who: string, name: 'followUser' | 'unfollowUser', whom: string) => {
  await act(server, who, name, { id: encodeNodeId('User', whom) });
  await server.writing.outbox.idle();
};

describe('a reader who follows many', () => {
  let server: Harness;
  beforeEach(async () => {
    server = await startHarness({ FANOUT_PUSH_LIMIT: '2' }, undefined, { manyFollowed: MANY });
    await server.store([...people, ...posted]);
    for (const author of authors) await change(server, READER, 'followUser', author);
  });
  afterEach(() => server.close());

  test('has the tweets of those followed later in parts, and pages that join to the whole', async () => {
    const now: string[] = [];
    for (const author of authors) now.unshift((await post(server, author, { content: 'now' })).tweetId);
    await server.writing.outbox.idle();
    expect(await placesOf(server)).toEqual({
      ...{ '20': ['month'], '21': ['month'], '22': ['month'] },
      ...{ '23': ['part'], '24': ['part'], '25': ['part'] },
    });
    await expectTimeline(server, [...now, ...due(posted, authors)]);
  });

  test('keeps the cursors of the time when it followed few', async () => {
    for (const author of authors.slice(1)) await change(server, READER, 'unfollowUser', author);
    const first = await server.query(HOME, { first: 5 });
    const { nodes, pageInfo } = (first.data as Home).user.timeline;
    expect(nodes.map(({ tweetId }) => tweetId)).toEqual(due(posted, ['20']).slice(0, 5));
    for (const author of authors.slice(1)) await change(server, READER, 'followUser', author);
    const all = due(posted, authors);
    const from = all.indexOf(nodes.at(-1)?.tweetId ?? '');
    expect(await pages(server, 7, false, pageInfo.endCursor)).toEqual(all.slice(from + 1));
    expect(await pages(server, 7, true, pageInfo.endCursor)).toEqual(all.slice(0, from));
  });

  test('has nothing more of an author whom it unfollows, and all again in parts, however few it follows then', async () => {
    for (const author of authors.slice(1)) await change(server, READER, 'unfollowUser', author);
    expect(await placesOf(server)).toEqual({ '20': ['month'] });
    await expectTimeline(server, due(posted, ['20']));
    await change(server, READER, 'followUser', '25');
    expect(await placesOf(server)).toEqual({ '20': ['month'], '25': ['part'] });
    await expectTimeline(server, due(posted, ['20', '25']));
  });

  test('loses what is deleted', async () => {
    const deleted = posted.slice(-authors.length).map(({ tweetId }) => tweetId);
    for (const [place, author] of authors.entries())
      await act(server, author, 'deleteTweet', { id: encodeNodeId('Tweet', deleted[place] ?? '') });
    const kept = due(posted, authors).filter((tweetId) => !deleted.includes(tweetId));
    await expectTimeline(server, kept);
    const [count] = await server.database.run('SELECT COUNT(*) AS n FROM timelines_by_user');
    expect(Number(count?.['n'])).toBe(kept.length);
  });

  test('has all of an author who comes to be merged in and to be pushed again', async () => {
    for (const other of others) await change(server, other, 'followUser', '25');
    expect((await modeOf(server.writing, '25')).mode).toBe('pull');
    const { tweetId } = await post(server, '25', { content: 'merged in' });
    await server.writing.outbox.idle();
    const all = [tweetId, ...due(posted, authors)];
    await expectTimeline(server, all);
    for (const other of others) await change(server, other, 'unfollowUser', '25');
    expect((await modeOf(server.writing, '25')).mode).toBe('push');
    await expectTimeline(server, all);
    expect(await placesOf(server)).toMatchObject({ '25': ['part'] });
    await change(server, READER, 'unfollowUser', '25');
    await expectTimeline(server, due(posted, authors.slice(0, -1)));
  });
});

describe('an import of a reader who follows many', () => {
  const follows: FollowRecord[] = authors.map((author, n) => follow(READER, author, n));
  let server: Harness;
  beforeEach(async () => {
    server = await startHarness({}, undefined, { manyFollowed: MANY });
    await server.store([...people, ...follows, ...posted]);
  });
  afterEach(() => server.close());

  test('puts the tweets of those that come later in parts', async () => {
    expect(await placesOf(server)).toEqual({
      ...{ '20': ['month'], '21': ['month'], '22': ['month'] },
      ...{ '23': ['part'], '24': ['part'], '25': ['part'] },
    });
    await expectTimeline(server, due(posted, authors));
    const { reads } = await server.query(HOME, { first: 3 });
    expect(reads.filter(({ statement }) => statement === 'timelines_by_user.page')).toHaveLength(4);
  });

  test('changes nothing to be seen when it is made again in another order, nor do acts on it', async () => {
    await server.store([...posted, ...follows.toReversed(), ...people]);
    expect(await placesOf(server)).toEqual({
      ...{ '20': ['month', 'part'], '21': ['month', 'part'], '22': ['month', 'part'] },
      ...{ '23': ['part'], '24': ['part'], '25': ['part'] },
    });
    await expectTimeline(server, due(posted, authors));
    await act(server, '21', 'deleteTweet', { id: encodeNodeId('Tweet', '1001') });
    await change(server, READER, 'unfollowUser', '20');
    await change(server, READER, 'unfollowUser', '25');
    const left = due(posted, ['21', '22', '23', '24']).filter((tweetId) => tweetId !== '1001');
    await expectTimeline(server, left);
    expect(Object.keys(await placesOf(server)).sort()).toEqual(['21', '22', '23', '24']);
    await change(server, READER, 'followUser', '20');
    await expectTimeline(
      server,
      due(posted, authors.slice(0, -1)).filter((tweetId) => tweetId !== '1001'),
    );
    expect(await placesOf(server)).toMatchObject({ '20': ['part'] });
  });

  test('leaves nothing under the id that an author had before it came to its own', async () => {
    const named = { ...follow(READER, '', 9), followee: { username: 'zoe' } };
    const byName = [70, 71].map((day) => tweet(String(5000 + day), '', day, { author: { username: 'zoe' } }));
    const zoes = byName.map(({ tweetId }) => tweetId).reverse();
    await server.store([...follows, named, ...byName]);
    await expectTimeline(server, [...zoes, ...due(posted, authors)]);
    await server.store([person('40', 'zoe')]);
    await expectTimeline(server, [...zoes, ...due(posted, authors)]);
    expect(Object.keys(await placesOf(server)).sort()).toEqual([...authors, '40']);
  });
});

test('a page walks as many months however many parts they have', async () => {
  const server = await startHarness({}, undefined, { manyFollowed: 0 });
  const [one, other] = authors;
  const sparse = Array.from({ length: 300 }, (_, n) =>
    tweet(String(1000 + n), n % 2 === 0 ? one : other, -31 * (150 - Math.floor(n / 2))),
  );
  await server.store([...people, follow(READER, one), follow(READER, other), ...sparse]);
  const { data } = await server.query(HOME, { first: 100 });
  expect((data as Home).user.timeline.nodes).toHaveLength(100);
  for (const backwards of [false, true])
    expect(await pages(server, 100, backwards)).toEqual(due(sparse, authors));
  await server.close();
});
