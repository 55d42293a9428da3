import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { countWrites } from '../support/keyspaces';
import { act, ask } from '../support/mutations';

const [ADA, BO, CY, DEE] = ['1', '2', '4', '5'] as const;
let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([
    ...[person(ADA, 'ada'), person(BO, 'bo'), follow(ADA, BO)],
    ...[person(CY, 'cy'), person(DEE, 'dee'), follow(CY, BO), follow(DEE, BO), follow(CY, DEE)],
    ...['10', '11'].map((id) => tweet(id, BO, 0, { content: 'good morning' })),
    tweet('12', CY, 1, { content: 'good morning, too', inReplyToId: '10' }),
    tweet('13', DEE, 1, { content: 'another reply', inReplyToId: '10' }),
  ]);
  for (const who of [CY, DEE]) await act(server, who, 'likeTweet', { id: encodeNodeId('Tweet', '10') });
  await server.writeServices.outbox.idle();
  const input = { text: 'good morning', where: ['SEARCH'], exceptFollowed: true };
  await act(server, ADA, 'muteWords', { input });
});

const tablesReadBy = async (query: string) =>
  new Set((await server.query(query, {}, ADA)).reads.map(({ table }) => table));

test('whom the viewer follows is read where a word spares those, and nowhere else', async () => {
  const found = '{ searchTweets(words: ["morning"]) { nodes { content } } }';
  expect((await tablesReadBy(found)).has('relations')).toBe(true);
  for (const page of [
    '{ viewer { timeline { nodes { content } } } }',
    '{ user(username: "bo") { tweets { nodes { content } } followers { nodes { name } } } }',
    `{ node(id: "${encodeNodeId('Tweet', '10')}") { ... on Tweet { replies { nodes { content } } likers { nodes { name } } } } }`,
  ])
    expect([page, (await tablesReadBy(page)).has('relations')]).toEqual([page, false]);
});

test('whether others block the viewer is known without a read of each', async () => {
  const all = [BO, CY, DEE].map((id) => encodeNodeId('User', id));
  const query = `{ nodes(ids: ${JSON.stringify(all)}) { ... on User { isBlockingViewer } } }`;
  expect(await ask(server, query, ADA)).toEqual({ nodes: all.map(() => ({ isBlockingViewer: false })) });
  expect((await tablesReadBy(query)).has('relations')).toBe(false);
});

test('blocking somebody whom one never followed writes nothing into the names of followees', async () => {
  const { database, config } = server;
  const writes = async () =>
    (await countWrites(database, config.cassandra.keyspace)).get('followees_by_name');
  await server.store([person('3', 'eve')]);
  await server.writeServices.outbox.idle();
  const before = await writes();
  await act(server, '3', 'blockUser', { id: encodeNodeId('User', ADA) });
  await server.writeServices.outbox.idle();
  expect(before).toBeDefined();
  expect(await writes()).toBe(before);
});
