import { taskRun } from '../support/task-run';
import { LATE_TWEETS } from '../../src/features/live/topics';
import { writeOf } from '../../src/kit/cassandra/write';
import { arrivalWrite, lateArrivals } from '../../src/kit/subscriptions/late-arrivals';
import { divideList } from '../../src/kit/postings/commit';
import { tweetIndexesIn } from '../../src/features/search/tweet-index';
import { timeOfId } from '../../src/kit/base/snowflake';
import { putAll } from '../../src/kit/writes/row-writer';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { fanOut } from '../../src/write/timeline/fan-out';
import { tweetRows } from '../../src/write/tweet/tweet-rows';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { act, ask, plain, post } from '../support/mutations';
import { startProxy } from '../support/proxy';
import { pause, subscribe, subscribeToEvents } from './subscriber';
import {
  codesIn,
  edgeIn,
  idsIn,
  POSTED,
  TIMELINE,
  type Edge,
  type PostedEvent,
  type TimelineEvent,
} from './subscriptions';

const settings = { SUBSCRIPTION_READ_SECONDS: '1' };
let server: Harness;
let address: string;
beforeAll(async () => {
  server = await startHarness(settings);
  address = await server.listen();
  await server.store([
    ...[person('1', 'ada'), person('2', 'bo'), person('3', 'cy'), person('4', 'dee')],
    follow('1', '2'),
  ]);
});

/** The ids of the tweets in a timeline, oldest first. */
async function timelineOf(username: string): Promise<string[]> {
  const { user } = (await ask(
    server,
    `{ user(username: "${username}") { timeline(first: 100) { nodes { tweetId } } } }`,
  )) as {
    user: { timeline: { nodes: { tweetId: string }[] } };
  };
  return user.timeline.nodes.map(({ tweetId }) => tweetId).reverse();
}

test('two servers that share a database, and nothing else, deliver', async () => {
  const other = await startHarness(settings, server);
  const mine = await subscribe<TimelineEvent>(address, { query: TIMELINE, who: '1' });
  const posted = await subscribe<PostedEvent>(address, {
    query: POSTED,
    variables: { words: ['elsewhere'] },
  });
  const { tweetId } = await post(other, '2', { content: 'from elsewhere' });
  expect(idsIn([await mine.next()])).toEqual([tweetId]);
  expect(idsIn([await posted.next()])).toEqual([tweetId]);
  await other.close();
});

test.each([
  ['WebSocket', subscribe],
  ['text/event-stream', subscribeToEvents],
] as const)(
  'over %s, a client of a server that stops goes on at another one without a gap',
  async (_, begin) => {
    const stopped = await startHarness(settings, server);
    const first = await begin<TimelineEvent>(await stopped.listen(), { query: TIMELINE, who: '1' });
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await post(stopped, '2', { content: `before ${n}` })).tweetId);
    for (let n = 0; n < 3; n++) await first.next();
    const closing = stopped.close();
    const last = await first.next();
    expect(codesIn(last)).toEqual(['UNAVAILABLE']);
    expect(last.errors?.[0]?.extensions.retryAfter).toBe(1);
    expect(await first.ended).toBe('complete');
    for (let n = 0; n < 3; n++) ids.push((await post(server, '2', { content: `meanwhile ${n}` })).tweetId);
    await closing;
    const cursor = first.events.flatMap(({ data }) => (data ? edgeIn(data).cursor : [])).at(-1);
    const second = await begin<TimelineEvent>(address, {
      query: TIMELINE,
      who: '1',
      variables: { after: cursor },
    });
    await second.next();
    ids.push((await post(server, '2', { content: 'after' })).tweetId);
    for (let n = 0; n < 3; n++) await second.next();
    expect(new Set(idsIn([...first.events, ...second.events]))).toEqual(new Set(ids));
    expect(idsIn(second.events).slice(0, 4)).toEqual(ids.slice(3));
  },
);

/** Pushes a tweet that was posted a minute before another one. Resolves to its id. */
async function pushLate(tweetId: string, authorId: string): Promise<string> {
  const lateId = String(BigInt(tweetId) - (60_000n << 22n));
  const late = { ...plain, tweetId: lateId, authorId, content: 'late', createdAt: timeOfId(lateId) };
  await putAll(server.writeServices.bulk(), tweetRows(late));
  await fanOut(server.writeServices, lateId, taskRun());
  return lateId;
}

test('a tweet that reaches a timeline late still comes, live and after a cursor', async () => {
  const mine = await subscribe<TimelineEvent>(address, { query: TIMELINE, who: '1' });
  const { tweetId } = await post(server, '2', { content: 'in time' });
  expect(idsIn([await mine.next()])).toEqual([tweetId]);
  const cursor = edgeIn((mine.events[0]?.data ?? null) as TimelineEvent).cursor;
  const lateId = await pushLate(tweetId, '2');
  expect(idsIn([await mine.next()])).toEqual([lateId]);
  const resumed = await subscribe<TimelineEvent>(address, {
    query: TIMELINE,
    who: '1',
    variables: { after: cursor },
  });
  for (let n = 0; !idsIn(resumed.events).includes(lateId) && n < 20; n++) await resumed.next();
  expect(idsIn(resumed.events)).toContain(lateId);
  // What was given is not given again for ever.
  const { length } = mine.events;
  await pause(3000);
  expect(mine.events).toHaveLength(length);
});

test('a tweet whose rows took seconds to store comes by its words, also of an index of several parts', async () => {
  const { newest } = tweetIndexesIn(server.database);
  await divideList(server.database, newest.list, 2);
  const proxy = await startProxy(process.env['CASSANDRA_CONTACT_POINTS'] ?? '');
  const slow = await startHarness({ CASSANDRA_CONTACT_POINTS: proxy.address }, server);
  for (const one of [server, slow])
    await ask(one, '{ searchTweets(words: ["slowly"]) { nodes { tweetId } } }');
  const mine = await subscribe<PostedEvent>(address, { query: POSTED, variables: { words: ['slowly'] } });
  proxy.hold(/INSERT INTO unsealed_entries/);
  const posting = post(slow, '2', { content: 'stored slowly' });
  await proxy.held(1);
  await pause(2500);
  proxy.release();
  const { tweetId } = await posting;
  expect(idsIn([await mine.next()])).toEqual([tweetId]);
  await slow.close();
  await proxy.close();
});

test('however many tweets come late within one second, each comes once', async () => {
  const mine = await subscribe<PostedEvent>(address, { query: POSTED, variables: { words: ['thronged'] } });
  const { tweetId } = await post(server, '4', { content: 'a thronged second' });
  expect(idsIn([await mine.next()])).toEqual([tweetId]);
  const lateIds = Array.from({ length: 250 }, (_, n) =>
    String(BigInt(tweetId) - (BigInt(60_000 + n) << 22n)),
  );
  const late = lateIds.map((id) => {
    return { ...plain, tweetId: id, authorId: '4', content: 'thronged', createdAt: timeOfId(id) };
  });
  await putAll(server.writeServices.bulk(), late.flatMap(tweetRows));
  const arrivedAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 500);
  const at = Number(arrivedAt) * 1000;
  await putAll(
    server.writeServices.bulk(),
    lateIds.map((item) =>
      writeOf(lateArrivals, { ...LATE_TWEETS, arrivedAt, item, kind: 'row' }, { at, ttl: 60 }),
    ),
  );
  for (const _ of lateIds) await mine.next();
  const after = await post(server, '4', { content: 'after the thronged second' });
  await mine.next();
  expect(idsIn(mine.events).toSorted()).toEqual([tweetId, ...lateIds, after.tweetId].toSorted());
});

test('what came without a signal is given before the tweet that a later signal names', async () => {
  const slow = await startHarness({ SUBSCRIPTION_READ_SECONDS: '30' }, server);
  const mine = await subscribe<TimelineEvent>(await slow.listen(), { query: TIMELINE, who: '1' });
  // Who resumes after a cursor looks back some seconds only: after a longer time than this, the list is read first.
  await pause(6000);
  const silent = server.writeServices.worker.nextId();
  const row = { ...plain, tweetId: silent, authorId: '2', content: 'silent', createdAt: timeOfId(silent) };
  await putAll(server.writeServices.bulk(), tweetRows(row));
  await fanOut(server.writeServices, silent, taskRun());
  const { tweetId } = await post(slow, '2', { content: 'with a signal' });
  await mine.next();
  await mine.next();
  expect(idsIn(mine.events)).toEqual([silent, tweetId]);
  await slow.close();
});

test('after a follow, all tweets of the account come, oldest first', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await post(server, '3', { content: `of cy ${n}` })).tweetId);
  const mine = await subscribe<TimelineEvent>(address, { query: TIMELINE, who: '2' });
  await act(server, '2', 'followUser', { id: encodeNodeId('User', '3') });
  for (let n = 0; n < 3; n++) await mine.next();
  expect(new Set(idsIn(mine.events))).toEqual(new Set(ids));
  const { tweetId } = await post(server, '3', { content: 'one more' });
  await mine.next();
  expect(idsIn(mine.events)).toContain(tweetId);
});

test('a subscription without a cursor gives nothing of what an earlier follow still brings', async () => {
  await server.store([person('8', 'hal'), person('9', 'ida'), tweet('900', '9')]);
  await act(server, '8', 'followUser', { id: encodeNodeId('User', '9') });
  const mine = await subscribe<TimelineEvent>(address, { query: TIMELINE, who: '8' });
  await server.writeServices.outbox.idle();
  // The follow ends only now.
  const { query, params } = arrivalWrite('timelines_by_user', '8', 'list', '9');
  await server.database.write(query, params);
  await pause(2500);
  const { tweetId } = await post(server, '9', { content: 'new' });
  expect(idsIn([await mine.next()])).toEqual([tweetId]);
  expect(mine.events).toHaveLength(1);
});

test('the tweets of a pulled author come as they are posted', async () => {
  const pulling = await startHarness(
    { ...settings, FANOUT_PUSH_LIMIT: '1', SUBSCRIPTION_READ_SECONDS: '30' },
    server,
  );
  for (const who of ['1', '2']) await act(pulling, who, 'followUser', { id: encodeNodeId('User', '3') });
  await post(pulling, '3', { content: 'makes the author pulled' });
  await pause(1500);
  const mine = await subscribe<TimelineEvent>(await pulling.listen(), { query: TIMELINE, who: '1' });
  await pause(1000);
  const { tweetId } = await post(pulling, '3', { content: 'of a pulled author' });
  // Before the subscription reads by itself, so a signal has come.
  expect(idsIn([await mine.next()])).toEqual([tweetId]);
  await pulling.close();
});

test('many posts at once from two servers all come once', async () => {
  const other = await startHarness(settings, server);
  const mine = await subscribe<TimelineEvent>(address, { query: TIMELINE, who: '1' });
  const before = await timelineOf('ada');
  const posting = Array.from({ length: 60 }, (_, n) =>
    post(n % 2 ? other : server, '2', { content: `burst ${n}` }),
  );
  const ids = (await Promise.all(posting)).map(({ tweetId }) => tweetId);
  for (let n = 0; n < 60; n++) await mine.next();
  await pause(2500);
  expect(idsIn(mine.events).toSorted()).toEqual(ids.toSorted());
  expect((await timelineOf('ada')).filter((id) => !before.includes(id)).toSorted()).toEqual(ids.toSorted());
  await other.close();
});

test('a tweet that came late does not come to a client that resumes after it has unfollowed the author', async () => {
  await server.store([
    ...['5', '6', '7'].map((id) => person(id, `user${id}`)),
    follow('5', '6'),
    follow('5', '7'),
  ]);
  const mine = await subscribe<TimelineEvent>(address, { query: TIMELINE, who: '5' });
  const { tweetId } = await post(server, '6', { content: 'in time' });
  expect(idsIn([await mine.next()])).toEqual([tweetId]);
  const cursor = edgeIn((mine.events[0]?.data ?? null) as TimelineEvent).cursor;
  const lateId = await pushLate(tweetId, '6');
  expect(idsIn([await mine.next()])).toEqual([lateId]);
  await act(server, '5', 'unfollowUser', { id: encodeNodeId('User', '6') });
  const variables = { after: cursor };
  const resumed = await subscribe<TimelineEvent>(address, { query: TIMELINE, who: '5', variables });
  const other = await post(server, '7', { content: 'of somebody who is followed' });
  await resumed.next();
  await pause(3000);
  expect(idsIn(resumed.events)).toEqual([other.tweetId]);
});

test('tweets with ids of a time to come are no news, and hide none', async () => {
  const ids = Array.from({ length: 5 }, (_, n) => String(9_000_000_000_000_000_000n + BigInt(n)));
  await server.store([
    person('81', 'ulf'),
    person('82', 'uma'),
    follow('82', '81'),
    ...ids.map((id) => tweet(id, '81')),
  ]);
  const mine = await subscribe<TimelineEvent>(address, { query: TIMELINE, who: '82' });
  const { tweetId } = await post(server, '81', { content: 'now' });
  expect(idsIn([await mine.next()])).toEqual([tweetId]);
  await mine.close();
  const { user } = (await ask(
    server,
    '{ user(username: "uma") { timeline(first: 1) { edges { cursor node { tweetId } } } } }',
  )) as { user: { timeline: { edges: [Edge] } } };
  const [{ cursor, node }] = user.timeline.edges;
  expect(node.tweetId).toBe(ids.at(-1));
  // A client that follows the advice of docs/live.md begins with the first tweet of a page.
  const again = await subscribe<TimelineEvent>(address, {
    query: TIMELINE,
    who: '82',
    variables: { after: cursor },
  });
  const later = await post(server, '81', { content: 'later' });
  const events = [await again.next(), await again.next()];
  expect(idsIn(events)).toEqual([tweetId, later.tweetId]);
  const last = await post(server, '81', { content: 'and later' });
  expect(idsIn([await again.next()])).toEqual([last.tweetId]);
});
