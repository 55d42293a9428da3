import { ServerResponse } from 'node:http';
import { createLoad } from '../../src/kit/reads/load';
import { watch } from '../../src/kit/subscriptions/watch';
import { arrivalWrite } from '../../src/kit/subscriptions/late-arrivals';
import { createTicker, Ending, type Live, type Reading } from '../../src/kit/subscriptions/live';
import { LATE_TWEETS } from '../../src/features/live/topics';
import type { TweetRow } from '../../src/features/live/live-tweets';
import { tweetPosition, tweetsByAuthor } from '../../src/features/tweet/tweet.lists';
import { person, startHarness, type Harness } from '../support/harness';
import { startProxy } from '../support/proxy';
import { post } from '../support/mutations';
import { countReceived, pause, subscribeToEvents } from './subscriber';
import { idsIn, POSTED, type PostedEvent } from './subscriptions';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), person('2', 'bo')]);
});

/** The id of a new tweet. */
async function posted(content: string): Promise<string> {
  return (await post(server, '1', { content })).tweetId;
}

/** Records that a tweet has reached its list late. */
async function recordArrival(tweetId: string): Promise<void> {
  const { query, params } = arrivalWrite(LATE_TWEETS.list, LATE_TWEETS.owner, 'row', tweetId);
  await server.database.write(query, params);
}

test('what comes after a subscription was received is given, also if it comes before the list is first read', async () => {
  const readRows = <T>(work: (load: Reading['load']) => Promise<T>) => work(createLoad(server.database));
  const before = await posted('before');
  await recordArrival(before);
  // The clock must have moved on, since ids and arrivals have whole milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 2));
  const ticker = createTicker();
  const live: Live<Reading> = {
    signals: server.writeServices.signals,
    ticker,
    receivedAt: Date.now(),
    ending: new Ending(),
    readEveryMs: 1000,
    begin: (work) => work(),
    read: (work) => readRows((load) => work({ load })),
    readRows,
  };
  const later = await posted('later');
  await recordArrival('7');
  const given = watch<TweetRow, { readonly tweetId: string }, Reading>(
    live,
    {
      open: ({ load }) => ({
        list: tweetsByAuthor.open({ load }, '1').list,
        nodeOf: (tweet) => tweet,
      }),
      topics: [],
      late: {
        ...LATE_TWEETS,
        keyOf: tweetPosition,
        async *nodesOf(_live, arrivals) {
          for (const { item } of arrivals) yield await Promise.resolve({ tweetId: item });
        },
      },
    },
    null,
  );
  const ids: string[] = [];
  for await (const { node } of given) {
    ids.push(node.tweetId);
    if (ids.length === 2) await recordArrival(before);
    if (ids.length === 3) break;
  }
  expect(ids).toEqual(['7', later, before]);
  live.ending.end();
  ticker.stop();
});

test('over text/event-stream, what is posted while the stream is opened is given', async () => {
  const address = await server.listen();
  const { write } = ServerResponse.prototype as { write: (...args: unknown[]) => boolean };
  const held: (() => boolean)[] = [];
  // The first bytes of the stream, which open it, are held back.
  const slow = jest.spyOn(ServerResponse.prototype, 'write').mockImplementation(function (
    this: ServerResponse,
    ...args: unknown[]
  ) {
    const send = () => write.apply(this, args);
    if (args[0] !== ':\n\n' || held.length > 0) return send();
    held.push(send);
    return true;
  });
  const opening = subscribeToEvents<PostedEvent>(address, { query: POSTED, variables: { username: 'ada' } });
  while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const tweetId = await posted('while the stream is opened');
  held[0]?.();
  expect(idsIn([await (await opening).next()])).toEqual([tweetId]);
  slow.mockRestore();
});

test('of the subscriptions that a caller begins at once, eight read, and those of other callers need not wait', async () => {
  const proxy = await startProxy(process.env['CASSANDRA_CONTACT_POINTS'] ?? '');
  const settings = { CASSANDRA_CONTACT_POINTS: proxy.address, RATE_REQUESTS_AT_ONCE: '50' };
  const limited = await startHarness(settings, server);
  const address = await limited.listen();
  const begin = (who: string) =>
    subscribeToEvents<PostedEvent>(address, { query: POSTED, variables: { username: 'ada' }, who });
  proxy.hold(/FROM profiles_by_username/);
  const ofOne = Array.from({ length: 20 }, () => begin('1'));
  while ((await countReceived(address)) < 20) await pause(20);
  await proxy.held(8);
  await pause(300);
  expect(proxy.heldNow()).toBe(8);
  const other = begin('2');
  await proxy.held(9);
  proxy.release();
  const all = await Promise.all([...ofOne, other]);
  const tweetId = await posted('for all of them');
  for (const one of all) expect(idsIn([await one.next()])).toEqual([tweetId]);
  for (const one of all) await one.close();
  await limited.close();
  await proxy.close();
});
