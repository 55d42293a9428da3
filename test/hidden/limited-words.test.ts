import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { act } from '../support/mutations';

const [ADA, BO] = ['1', '2'] as const;
let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([
    ...[person(ADA, 'ada'), person(BO, 'bo'), follow(ADA, BO)],
    ...['10', '11'].map((id) => tweet(id, BO, 0, { content: 'good morning' })),
  ]);
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
    expect([...(await tablesReadBy(page))].filter((table) => table === 'relations')).toEqual([]);
});

test('blocking somebody whom one never followed writes nothing into the names of followees', async () => {
  const writes = async () => {
    const rows = await server.database.run(
      "SELECT count FROM system_views.local_write_latency WHERE keyspace_name = ? AND table_name = 'followees_by_name' ALLOW FILTERING",
      [server.config.cassandra.keyspace],
    );
    return rows.map((row) => String(row['count']));
  };
  await server.store([person('3', 'cy')]);
  await server.writeServices.outbox.idle();
  const before = await writes();
  await act(server, '3', 'blockUser', { id: encodeNodeId('User', ADA) });
  await server.writeServices.outbox.idle();
  expect(before.length).toBe(1);
  expect(await writes()).toEqual(before);
});
