import { hiddenSetOf } from '../../src/features/hidden/sight/sight';
import { tweetsByAuthor } from '../../src/features/tweet/tweet.lists';
import { createGate } from '../../src/kit/reads/gate';
import { createSharedReads } from '../../src/kit/subscriptions/shared-reads';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { act } from '../support/mutations';
import { lateTweets, type LiveReads } from '../../src/features/live/live-tweets';
import { createLoad, type Load } from '../../src/kit/reads/load';
import { arrivalWrite, type LateArrival } from '../../src/kit/subscriptions/late-arrivals';
import { LateReader } from '../../src/kit/subscriptions/late-reader';
import { Ending, type Live } from '../../src/kit/subscriptions/live';
import { person, startHarness, tweet, type Harness } from '../support/harness';

const IDS = Array.from({ length: 250 }, (_, n) => String(1000 + n));

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), ...IDS.map((id) => tweet(id, '1'))]);
});

test('what has arrived late is read a hundred tweets at a time', async () => {
  let reads = 0;
  const readRows = <T>(work: (load: Load) => Promise<T>) => {
    reads++;
    return work(createLoad(server.database));
  };
  const arrivals = [...IDS, '7'].map((item): LateArrival => {
    return { owner: '0', list: 'tweets', arrivedAt: new Date(), item, kind: 'row' };
  });
  const found: string[] = [];
  const isOdd = ({ tweetId }: { readonly tweetId: string }) => Number(tweetId) % 2 === 1;
  for await (const { tweetId } of lateTweets({ readRows } as unknown as Live<LiveReads>, arrivals, isOdd))
    found.push(tweetId);
  expect(found).toEqual(IDS.filter((tweetId) => isOdd({ tweetId })));
  expect(reads).toBe(3);
});

test('a subscription is charged for the rows that it reads, also those of what is hidden from its viewer', async () => {
  const others = ['2', '3', '4', '5', '6'];
  await server.store(others.map((id) => person(id, `user${id}`)));
  for (const id of others) await act(server, '1', 'muteUser', { id: encodeNodeId('User', id) });
  const gate = createGate({ maxInFlight: 10, maxPerRequest: 10 });
  const sharedReads = createSharedReads(server.database, gate, 10_000);
  const rowsOf = (work: (load: Load) => Promise<unknown>) =>
    sharedReads(async (shared) => {
      await work(shared.load);
      const { reads, rows } = shared;
      return { reads, rows };
    });
  const page = { authorId: '1', bucket: 0, limit: 40 };
  expect(await rowsOf((load) => load(tweetsByAuthor.page, page))).toEqual({ reads: 1, rows: 40 });
  expect(await rowsOf((load) => hiddenSetOf(load, '1'))).toEqual({ reads: 1, rows: others.length });
});

test('what has arrived late is given as many at a time as were read together, and once', async () => {
  const { database } = server;
  for (const item of IDS) {
    const { query, params } = arrivalWrite('tests', '0', 'row', item);
    await database.write(query, params);
  }
  const live = {
    receivedAt: 0,
    ending: new Ending(),
    readRows: <T>(work: (load: Load) => Promise<T>) => work(createLoad(database)),
  };
  const given: number[] = [];
  const source = {
    owner: '0',
    list: 'tests',
    async *nodesOf(_: unknown, arrivals: readonly LateArrival[]) {
      given.push(arrivals.length);
      yield* await Promise.resolve(arrivals.map(({ item }) => item));
    },
  };
  const reader = new LateReader(live as unknown as Live<LiveReads>, source, Date.now() - 60_000);
  const items: string[] = [];
  for await (const item of reader.read()) items.push(item);
  expect(items.sort()).toEqual([...IDS].sort());
  expect(given.length).toBeLessThan(IDS.length / 10);
  for await (const item of reader.read()) items.push(item);
  expect(items.length).toBe(IDS.length);
});
