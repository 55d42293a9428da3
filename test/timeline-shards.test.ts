import { encodeNodeId } from '../src/kit/relay/node';
import { monthOf } from '../src/kit/data/buckets';
import { modeOf } from '../src/write/timeline/fan-out-mode';
import type { TweetRecord } from '../src/import/records/record';
import { follow, person, startHarness, tweet, type Harness } from './harness';
import { HOME, pages, type Home } from './home';
import { act, post } from './mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness({ FANOUT_PUSH_LIMIT: '2' }, undefined, { maxUnshardedFollowing: 3 });
});
afterAll(() => server.close());

let stories = 0;

/** A reader, six authors and two more, with every author's tweets of three months, one a week. */
function tell() {
  const story = ++stories;
  const idOf = (n: number) => `${story}${n}`;
  const reader = idOf(10);
  const authors = [idOf(20), idOf(21), idOf(22), idOf(23), idOf(24), idOf(25)] as const;
  const others = [idOf(30), idOf(31)];
  const username = `user${reader}`;
  const people = [reader, ...authors, ...others].map((userId) => person(userId, `user${userId}`));
  const tweetIdOf = (n: number) => `${story}${1000 + n}`;
  const posted = Array.from({ length: 78 }, (_, n) =>
    tweet(tweetIdOf(n), authors[n % authors.length] ?? '', Math.floor(n / authors.length) * 7),
  );
  const follows = authors.map((author, n) => follow(reader, author, n));

  /** What the timeline must hold: what these posted, newest first. */
  const due = (followed: readonly string[], tweets: readonly TweetRecord[] = posted) =>
    tweets
      .filter(({ author }) => followed.includes(author.userId ?? ''))
      .map(({ tweetId }) => tweetId)
      .reverse();

  /** Where the rows of the reader's timeline stand, by author: in the month, in the author's part of it, or both. */
  const places = async () => {
    const rows = await server.database.run(
      'SELECT CAST(user_id AS text) AS reader, bucket, CAST(author_id AS text) AS author, created_at AS at FROM timelines_by_user',
    );
    const found = new Map<string, Set<string>>();
    for (const row of rows.filter((one) => one['reader'] === reader)) {
      const author = String(row['author']);
      const month = monthOf(row['at'] as Date);
      const part = month + 1_000_000 * (1 + (Number(author) % 37));
      const bucket = Number(row['bucket']);
      const place = bucket === month ? 'month' : bucket === part ? 'part' : String(bucket);
      found.set(author, (found.get(author) ?? new Set()).add(place));
    }
    return Object.fromEntries([...found].map(([author, some]) => [author, [...some].sort().join(' ')]));
  };
  const placed = (...wanted: string[]) =>
    Object.fromEntries(wanted.map((place, n) => [String(authors[n]), place]));

  return {
    ...{ reader, authors, others, username, people, posted, follows, tweetIdOf, due, places, placed },
    expectTimeline: async (expected: readonly string[]) => {
      for (const backwards of [false, true])
        expect(await pages(server, 7, backwards, { username })).toEqual(expected);
    },
    page: async (first: number) => {
      const answer = await server.query(HOME, { username, first });
      return { ...answer, ...(answer.data as Home).user.timeline };
    },
    follow: async (who: string, whom: string) => {
      await act(server, who, 'followUser', { id: encodeNodeId('User', whom) });
      await server.writeContext.outbox.idle();
    },
    unfollow: async (who: string, whom: string) => {
      await act(server, who, 'unfollowUser', { id: encodeNodeId('User', whom) });
      await server.writeContext.outbox.idle();
    },
  };
}

describe('a reader who comes to follow many', () => {
  async function start() {
    const story = tell();
    await server.store([...story.people, ...story.posted]);
    for (const author of story.authors) await story.follow(story.reader, author);
    return story;
  }

  test('has the tweets of those followed later in parts, and pages that join to the whole', async () => {
    const { authors, due, places, placed, expectTimeline } = await start();
    const now: string[] = [];
    for (const author of authors) now.unshift((await post(server, author, { content: 'now' })).tweetId);
    await server.writeContext.outbox.idle();
    expect(await places()).toEqual(placed('month', 'month', 'month', 'part', 'part', 'part'));
    await expectTimeline([...now, ...due(authors)]);
  });

  test('keeps the cursors of the time when it followed few', async () => {
    const { reader, authors, username, due, follow, unfollow, page } = await start();
    const [one, ...rest] = authors;
    for (const author of rest) await unfollow(reader, author);
    const { nodes, pageInfo } = await page(5);
    expect(nodes.map(({ tweetId }) => tweetId)).toEqual(due([one]).slice(0, 5));
    for (const author of rest) await follow(reader, author);
    const all = due(authors);
    const place = all.indexOf(nodes.at(-1)?.tweetId ?? '');
    const from = { username, from: pageInfo.endCursor };
    expect(await pages(server, 7, false, from)).toEqual(all.slice(place + 1));
    expect(await pages(server, 7, true, from)).toEqual(all.slice(0, place));
  });

  test('has nothing more of whom it unfollows, and all again in parts, however few it follows then', async () => {
    const { reader, authors, due, places, follow, unfollow, expectTimeline } = await start();
    const [one, , , , , last] = authors;
    for (const author of authors.slice(1)) await unfollow(reader, author);
    expect(await places()).toEqual({ [one]: 'month' });
    await expectTimeline(due([one]));
    await follow(reader, last);
    expect(await places()).toEqual({ [one]: 'month', [last]: 'part' });
    await expectTimeline(due([one, last]));
  });

  test('loses what is deleted', async () => {
    const { authors, posted, due, places, placed, expectTimeline } = await start();
    for (const { tweetId, author } of posted.slice(6))
      await act(server, author.userId ?? '', 'deleteTweet', { id: encodeNodeId('Tweet', tweetId) });
    await expectTimeline(due(authors, posted.slice(0, 6)));
    for (const { tweetId, author } of posted.slice(3, 6))
      await act(server, author.userId ?? '', 'deleteTweet', { id: encodeNodeId('Tweet', tweetId) });
    expect(await places()).toEqual(placed('month', 'month', 'month'));
  });

  test('has all of an author who comes to be merged in and to be pushed again', async () => {
    const { reader, authors, others, due, places, follow, unfollow, expectTimeline } = await start();
    const last = authors[5];
    for (const other of others) await follow(other, last);
    expect((await modeOf(server.writeContext, last)).mode).toBe('pull');
    const { tweetId } = await post(server, last, { content: 'merged in' });
    await server.writeContext.outbox.idle();
    const all = [tweetId, ...due(authors)];
    await expectTimeline(all);
    for (const other of others) await unfollow(other, last);
    expect((await modeOf(server.writeContext, last)).mode).toBe('push');
    await expectTimeline(all);
    expect(await places()).toMatchObject({ [last]: 'part' });
    await unfollow(reader, last);
    await expectTimeline(due(authors.slice(0, -1)));
  });
});

describe('an import of a reader who follows many', () => {
  async function start() {
    const story = tell();
    await server.store([...story.people, ...story.follows, ...story.posted]);
    return story;
  }

  test('puts the tweets of those that come later in parts, each read once a page', async () => {
    const { authors, due, places, placed, expectTimeline, page } = await start();
    expect(await places()).toEqual(placed('month', 'month', 'month', 'part', 'part', 'part'));
    await expectTimeline(due(authors));
    const { reads } = await page(3);
    expect(reads.filter(({ statement }) => statement === 'timelines_by_user.page')).toHaveLength(4);
  });

  test('shows the same when it is made again in another order, and all of it can be removed', async () => {
    const { reader, authors, people, posted, follows, tweetIdOf, ...story } = await start();
    const { due, places, placed, follow, unfollow, expectTimeline } = story;
    await server.store([...posted, ...[...follows].reverse(), ...people]);
    const both = 'month part';
    expect(await places()).toEqual(placed(both, both, both, 'part', 'part', 'part'));
    await expectTimeline(due(authors));
    const gone = tweetIdOf(1);
    await act(server, authors[1], 'deleteTweet', { id: encodeNodeId('Tweet', gone) });
    for (const author of [authors[0], authors[5]]) await unfollow(reader, author);
    const left = authors.slice(1, -1);
    await expectTimeline(due(left).filter((tweetId) => tweetId !== gone));
    expect(Object.keys(await places()).sort()).toEqual(left);
    await follow(reader, authors[0]);
    await expectTimeline(due([authors[0], ...left]).filter((tweetId) => tweetId !== gone));
    expect(await places()).toMatchObject(placed('part', both, both));
  });

  test('leaves nothing under the id that an author had before it came to its own', async () => {
    const { reader, authors, follows, tweetIdOf, due, places, expectTimeline } = await start();
    const named = { ...follow(reader, '', 9), followee: { username: 'zoe' } };
    const tweets = [70, 71].map((day) =>
      tweet(tweetIdOf(1000 + day), '', day, { author: { username: 'zoe' } }),
    );
    const all = [...tweets.map(({ tweetId }) => tweetId).reverse(), ...due(authors)];
    await server.store([...follows, named, ...tweets]);
    await expectTimeline(all);
    await server.store([person('40', 'zoe')]);
    await expectTimeline(all);
    expect(Object.keys(await places()).sort()).toEqual([...authors, '40'].sort());
  });
});

test('a page walks as many months however many parts they have', async () => {
  const { authors, people, follows, tweetIdOf, due, username, page } = tell();
  const sparse = Array.from({ length: 300 }, (_, n) =>
    tweet(tweetIdOf(n), authors[n % 2 === 0 ? 4 : 5], -31 * (150 - Math.floor(n / 2))),
  );
  await server.store([...people, ...follows, ...sparse]);
  // Two tweets in each of the 32 months that a page walks.
  expect((await page(100)).nodes).toHaveLength(64);
  for (const backwards of [false, true])
    expect(await pages(server, 100, backwards, { username })).toEqual(due(authors, sparse));
});
