import { timeOfId } from '../../src/kit/base/snowflake';
import { writeOf } from '../../src/kit/cassandra/write';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { termTopic, timelineTopic } from '../../src/features/live/topics';
import { tweets } from '../../src/features/tweet/tweet.table';
import { person, startHarness, type Harness } from '../support/harness';
import { act, ask, plain, post } from '../support/mutations';
import { pause, subscribe, subscribeToEvents, type Subscribed } from './subscriber';
import {
  CHANGED,
  codesIn,
  POSTED,
  TIMELINE,
  type Edge,
  type PostedEvent,
  type TimelineEvent,
} from './subscriptions';

/** Two ways to subscribe. */
const transports = [
  ['WebSocket', subscribe],
  ['text/event-stream', subscribeToEvents],
] as const;

interface ChangedEvent {
  readonly tweetChanged: { readonly tweetId: string; readonly likeCount: number } | null;
}

let server: Harness;
let address: string;
beforeAll(async () => {
  server = await startHarness({ SUBSCRIPTION_READ_SECONDS: '1' });
  address = await server.listen();
  await server.store([person('1', 'ada'), person('2', 'bo'), person('3', 'cy'), person('4', 'dee')]);
  await act(server, '1', 'followUser', { id: encodeNodeId('User', '2') });
});

/** The tweet ids of the next events. */
async function idsOf<T>(
  subscribed: { next(): Promise<{ data?: T | null }> },
  count: number,
  of: (data: T) => Edge,
) {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { data } = await subscribed.next();
    if (data == null) throw new Error('an event has no data');
    ids.push(of(data).node.tweetId);
  }
  return ids;
}

describe.each(transports)('over %s', (_, begin) => {
  test('a new tweet comes to the timelines of followers, with the cursor of the list', async () => {
    const mine = await begin<TimelineEvent>(address, { query: TIMELINE, who: '1' });
    const { tweetId } = await post(server, '2', { content: 'a new tweet' });
    const { data, errors } = await mine.next();
    expect(errors).toBeUndefined();
    expect(data?.timelineTweet.node).toEqual({ tweetId, author: { username: 'bo' } });
    const timeline = await ask(
      server,
      '{ user(username: "ada") { timeline(first: 1) { edges { cursor } } } }',
    );
    expect(timeline).toEqual({ user: { timeline: { edges: [{ cursor: data?.timelineTweet.cursor }] } } });
  });

  test('after a cursor, everything newer comes first, oldest first, then what is new', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await post(server, '3', { content: `tweet ${n}` })).tweetId);
    const data = (await ask(
      server,
      '{ user(username: "cy") { tweets(first: 4) { edges { cursor } } } }',
    )) as {
      user: { tweets: { edges: { cursor: string }[] } };
    };
    const after = data.user.tweets.edges.at(-1)?.cursor;
    const theirs = await begin<PostedEvent>(address, { query: POSTED, variables: { username: 'CY', after } });
    expect(await idsOf(theirs, 3, (event) => event.tweetPosted)).toEqual(ids.slice(2));
    const { tweetId } = await post(server, '3', { content: 'one more' });
    expect(await idsOf(theirs, 1, (event) => event.tweetPosted)).toEqual([tweetId]);
  });

  test('tweets with words, a hashtag, or a place come; others do not', async () => {
    const location = { latitude: 48.2, longitude: 16.4 };
    const area = { south: 48, north: 49, west: 16, east: 17 };
    const asked = [
      { words: ['Morning', 'light'] },
      { hashtag: '#Vienna' },
      { area },
      { username: 'dee', words: ['light'], hashtag: 'vienna', area },
    ];
    const all: Subscribed<PostedEvent>[] = [];
    for (const variables of asked) all.push(await begin(address, { query: POSTED, variables }));
    const other = await post(server, '4', {
      content: 'nothing of that',
      location: { latitude: 1, longitude: 1 },
    });
    const words = await post(server, '4', { content: 'light in the morning' });
    const tagged = await post(server, '4', { content: 'in #vienna' });
    const placed = await post(server, '4', { content: 'here', location });
    const both = await post(server, '4', { content: 'morning light in #vienna', location });
    const expected = [[words, both], [tagged, both], [placed, both], [both]].map((tweets) =>
      tweets.map(({ tweetId }) => tweetId),
    );
    for (const [index, subscribed] of all.entries()) {
      const wanted = expected[index] ?? [];
      const got = await idsOf(subscribed, wanted.length, (event) => event.tweetPosted);
      expect(got.toSorted()).toEqual(wanted.toSorted());
      expect(got).not.toContain(other.tweetId);
    }
    await pause(1500);
    expect(all.map(({ events }) => events.length)).toEqual([2, 2, 2, 1]);
  });

  test("a tweet's counts come when they change, and null when it is deleted", async () => {
    const { id } = await post(server, '2', { content: 'like me' });
    const changes = await begin<ChangedEvent>(address, { query: CHANGED, variables: { id } });
    expect((await changes.next()).data?.tweetChanged?.likeCount).toBe(0);
    await act(server, '1', 'likeTweet', { id });
    expect((await changes.next()).data?.tweetChanged?.likeCount).toBe(1);
    await act(server, '3', 'likeTweet', { id });
    expect((await changes.next()).data?.tweetChanged?.likeCount).toBe(2);
    await act(server, '2', 'deleteTweet', { id });
    expect(await changes.next()).toEqual({ data: { tweetChanged: null } });
    expect(await changes.ended).toBe('complete');
  });

  test.each([
    ['none of the conditions', POSTED, {}, 'BAD_USER_INPUT'],
    ['a user who does not exist', POSTED, { username: 'nobody' }, 'BAD_USER_INPUT'],
    ['a word without a letter', POSTED, { words: ['!'] }, 'BAD_USER_INPUT'],
    ['a cursor of another list', POSTED, { username: 'bo', after: 'abc' }, 'BAD_USER_INPUT'],
    ['a variable of a wrong type', POSTED, { words: 7 }, 'BAD_USER_INPUT'],
    ['an id that is none', CHANGED, { id: 'x' }, 'BAD_USER_INPUT'],
    ['a timeline without a token', TIMELINE, {}, 'UNAUTHENTICATED'],
    ['a query', '{ viewer { id } }', {}, 'BAD_USER_INPUT'],
    ['a syntax error', 'subscription {', {}, 'BAD_USER_INPUT'],
    ['an unknown field', 'subscription { nothing }', {}, 'BAD_USER_INPUT'],
  ])('%s is refused with a code', async (_what, query, variables, code) => {
    const refused = await begin(address, { query, variables });
    const event = await refused.next();
    expect(event.data ?? null).toBeNull();
    expect(codesIn(event)).toEqual([code]);
    expect(await refused.ended).toBe('complete');
  });
});

test('an event is not answered from what the server keeps, although its selection may read much', async () => {
  const { id } = await post(server, '2', { content: 'kept' });
  const query = `subscription ($id: ID!) { tweetChanged(id: $id) { tweetId likeCount replies(first: 5) { nodes { tweetId } } } }`;
  const changes = await subscribe<ChangedEvent>(address, { query, variables: { id } });
  expect((await changes.next()).data?.tweetChanged?.likeCount).toBe(0);
  for (const [likes, who] of ['1', '3', '4'].entries()) {
    // The count is kept from before the like.
    for (let n = 0; n < 2; n++)
      await server.query('query ($id: ID!) { node(id: $id) { ... on Tweet { likeCount } } }', { id });
    await act(server, who, 'likeTweet', { id });
    expect((await changes.next()).data?.tweetChanged?.likeCount).toBe(likes + 1);
  }
});

test('the tweet that a signal names is read by itself, unless it is gone or not wanted', async () => {
  const [mine, theirs] = [
    await subscribe<TimelineEvent>(address, { query: TIMELINE, who: '1' }),
    await subscribe<PostedEvent>(address, { query: POSTED, variables: { words: ['named'] } }),
  ];
  // A signal that comes before the subscriptions listen is lost.
  await post(server, '2', { content: 'named, at first' });
  await mine.next();
  await theirs.next();
  /** Stores a tweet that is in no list, and names it in a signal. */
  const signal = async (authorId: string, content: string) => {
    const tweetId = server.writeServices.worker.nextId();
    const row = { ...plain, tweetId, authorId, content, createdAt: timeOfId(tweetId) };
    const { query, params } = writeOf(tweets, row);
    await server.database.write(query, params);
    server.writeServices.signals.publish([timelineTopic('1'), termTopic('named')], tweetId);
    await pause(300);
    return tweetId;
  };
  const named = await signal('2', 'named');
  const others = await signal('3', 'named, by somebody whom the user does not follow');
  const unwanted = await signal('2', 'another word');
  server.writeServices.signals.publish([timelineTopic('1'), termTopic('named')], 'no id');
  server.writeServices.signals.publish([timelineTopic('1'), termTopic('named')], '999');
  const { tweetId } = await post(server, '2', { content: 'named, and in the timeline' });
  expect(await idsOf(mine, 3, (event) => event.timelineTweet)).toEqual([named, unwanted, tweetId]);
  expect(await idsOf(theirs, 3, (event) => event.tweetPosted)).toEqual([named, others, tweetId]);
  await pause(1500);
  expect([mine.events.length, theirs.events.length]).toEqual([4, 4]);
});

test('a subscription by POST is refused without a stream', async () => {
  const { errors } = await server.query(TIMELINE, {}, '1');
  expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
});
