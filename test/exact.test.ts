import { Crowd } from './exact/crowd';
import { examine } from './exact/examine';
import { examineRankings } from './exact/examine-rankings';
import { Gatherer } from './exact/known';
import { smallNetwork } from './exact/small';
import { examineTrends, recentTweets } from './exact/recent';
import { resealing } from './exact/reseal';
import { takeSome } from './exact/take';
import { startHarness, type Harness } from './support/harness';

let server: Harness;
const gatherer = new Gatherer();
const crowd = new Crowd();
const recent = recentTweets(600);
beforeAll(async () => {
  server = await startHarness();
  const records = [...smallNetwork(1000), ...recent];
  expect([...(await server.store(records))]).toEqual([]);
  for (const record of records) {
    gatherer.add(record);
    crowd.add(record);
  }
  crowd.applyFollows();
});
afterAll(() => server.close());

const ask = (source: string, variables: Readonly<Record<string, unknown>>) =>
  server.query(source, variables, null);

test('every field answers as looking at every tweet does', async () => {
  const items: number[] = [];
  const known = gatherer.known();
  const tweetIds = known.map(({ tweetId }) => tweetId);
  const kills: boolean[] = [];
  const askAndReseal = resealing(ask, {
    database: server.database,
    environment: { CASSANDRA_KEYSPACE: server.config.cassandra.keyspace, JWT_SECRET: 'x'.repeat(32) },
    tweetIds,
    seed: 1,
    onKill: (isCut) => kills.push(isCut),
  });
  for await (const examined of examine(askAndReseal, known, { seed: 1, count: 20 })) {
    expect([examined.field, examined.differences.found.slice(0, 5)]).toEqual([examined.field, []]);
    items.push(examined.items);
  }
  expect(items).toHaveLength(8);
  for (const count of items) expect(count).toBeGreaterThan(19);
  expect(kills.length).toBeGreaterThan(0);
});

test('what trends is what counting the uses of hashtags gives', async () => {
  for await (const { items, differences } of examineTrends(ask, recent, { seed: 1, count: 20 })) {
    expect(differences.found.slice(0, 5)).toEqual([]);
    expect(items).toBeGreaterThan(400);
  }
});

test('rankings of any time are those that counting gives', async () => {
  const taken = await takeSome(server.writeServices, crowd, { times: 4, changes: 25, seed: 1 });
  expect(taken[0]?.accounts).toHaveLength(100);
  expect(taken[3]?.followers).not.toEqual(taken[0]?.followers);
  for await (const { field, items, differences } of examineRankings(ask, taken, { seed: 1, count: 20 })) {
    expect([field, differences.found.slice(0, 5)]).toEqual([field, []]);
    expect(items).toBeGreaterThan(19);
  }
});
