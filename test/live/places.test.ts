import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { authorization, person, startHarness, type Harness } from '../support/harness';
import { act, post, type Posted } from '../support/mutations';
import { metricOf } from '../support/metrics';
import { startProxy, type Proxy } from '../support/proxy';
import { pause, subscribe, untilNoneOpen } from './subscriber';
import { CHANGED } from './subscriptions';

/** More than the events that a server executes at once. */
const MANY = 300;

let proxy: Proxy;
let server: Harness;
let address: string;
let watched: Posted;
beforeAll(async () => {
  const plain = await startHarness();
  await plain.store([person('1', 'ada'), person('2', 'bo'), person('3', 'slowpoke')]);
  watched = await post(plain, '2', { content: 'watched by many' });
  proxy = await startProxy(process.env['CASSANDRA_CONTACT_POINTS'] ?? '');
  const settings = { CASSANDRA_CONTACT_POINTS: proxy.address, LIMIT_READS: '20' };
  const rates = { RATE_REQUESTS_AT_ONCE: '50', RATE_SUBSCRIPTIONS_AT_ONCE: String(MANY) };
  server = await startHarness({ ...settings, ...rates }, plain);
  address = await server.listen();
});
afterAll(async () => {
  proxy.release();
  await server.close();
  await proxy.close();
});

/** Subscribes many times over one socket. Resolves when each has had its first event. */
async function subscribeOften(who: string): Promise<() => Promise<void>> {
  const client = createClient({
    url: `${address.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    lazy: false,
    connectionParams: { authorization: await authorization(who) },
  });
  let events = 0;
  for (let n = 0; n < MANY; n++)
    client.subscribe(
      { query: CHANGED, variables: { id: watched.id } },
      { next: () => events++, error: () => undefined, complete: () => undefined },
    );
  while (events < MANY) await pause(20);
  return async () => {
    await client.dispose();
  };
}

/** So costly that nothing else of its caller runs beside it. Waits for the name of slowpoke, which the proxy may hold. */
function costlyQuery(): string {
  const costly = ['a', 'b', 'c', 'd']
    .map((alias) => `${alias}: tweet(tweetId: "${watched.tweetId}") { author { username } }`)
    .join(' ');
  return `{ user(username: "slowpoke") { name } ${costly} }`;
}

/** How many events the server has sent. */
const countSent = () => metricOf(server, 'murmuration_subscription_events_total');

test('a caller whose events wait for its other requests does not hold up the events of others', async () => {
  const leave = await subscribeOften('1');
  const other = await subscribe(address, { query: CHANGED, variables: { id: watched.id }, who: '2' });
  await other.next();
  proxy.hold('slowpoke');
  const slow = server.query(costlyQuery(), {}, '1');
  await proxy.held(1);
  await act(server, '2', 'likeTweet', { id: watched.id });
  expect(await other.next()).toMatchObject({ data: { tweetChanged: { likeCount: 1 } } });
  expect(proxy.heldNow()).toBeGreaterThan(0);
  proxy.release();
  expect((await slow).errors).toEqual([]);
  await leave();
});

test('events that wait when their subscriptions end are not executed', async () => {
  const leave = await subscribeOften('1');
  const other = await subscribe(address, { query: CHANGED, variables: { id: watched.id }, who: '2' });
  await other.next();
  proxy.hold('slowpoke');
  const slow = server.query(costlyQuery(), {}, '1');
  await proxy.held(1);
  await act(server, '3', 'likeTweet', { id: watched.id });
  expect(await other.next()).toMatchObject({ data: { tweetChanged: { likeCount: 2 } } });
  await leave();
  await other.close();
  await untilNoneOpen(server);
  const sent = await countSent();
  proxy.release();
  expect((await slow).errors).toEqual([]);
  // What waited before this has run.
  expect((await server.query(costlyQuery(), {}, '1')).errors).toEqual([]);
  expect(await countSent()).toBe(sent);
});
