import { parse, validate } from 'graphql';
import { readConfig } from '../src/config';
import { createDemoHeaders } from '../src/demo/headers';
import { demoNetwork } from '../src/demo/network';
import { emptyTab, tabs } from '../src/demo/tabs';
import { createSchema } from '../src/schema';
import type { TokenSettings } from '../src/viewer/token';
import { JWT_SECRET, person, startHarness, type Harness } from './harness';

const schema = createSchema();
let server: Harness;
let empty: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([...demoNetwork({ people: 1, tweets: 0 })]);
  empty = await startHarness();
  await empty.store([person('1', 'ada')]);
});

async function headersOf(from: Harness, headers: Readonly<Record<string, string>> = {}) {
  const { status, body } = await from.get('/graphiql/headers.json', headers);
  expect(status).toBe(200);
  return JSON.parse(body) as { authorization?: string };
}

test.each([...tabs, { query: emptyTab }])(
  'the example in tab %# asks for what the schema has',
  ({ query }) => {
    expect(validate(schema, parse(query))).toEqual([]);
  },
);

test('GraphiQL opens with a token of the ada of the demo network', async () => {
  const { authorization } = await headersOf(server, { 'sec-fetch-site': 'same-origin' });
  const viewer = await server.query('{ viewer { username } }', {}, authorization);
  expect(viewer.data).toEqual({ viewer: { username: 'ada' } });
});

test('without the demo network it opens without a token, whoever is called ada', async () => {
  expect(await headersOf(empty)).toEqual({});
});

test.each(['localhost:4000', '127.0.0.1:4000', '[::1]:4000'])('its page may come from %s', async (host) => {
  expect(await headersOf(server, { host })).toHaveProperty('authorization');
});

test.each([
  ['a name that leads here', { host: 'rebound.example:4000' }],
  ['a name that looks like it', { host: '127.0.0.1.example' }],
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another port', { 'sec-fetch-site': 'same-site' }],
])('no token is given to %s', async (_, headers) => {
  expect(await headersOf(server, headers)).toEqual({});
});

const local: TokenSettings = {
  ...readConfig({}).jwt,
  key: { secret: JWT_SECRET },
  signsItself: true,
};
test.each<[string, string, TokenSettings | null]>([
  ['listens to other machines', '0.0.0.0', local],
  ['listens to a name', 'murmuration.example', local],
  ['is on a cluster', '127.0.0.1', { ...local, signsItself: false }],
  ['has no key', '127.0.0.1', null],
])('no token is given by a server that %s', async (_, host, tokens) => {
  const request = { hostname: 'localhost', headers: {} };
  const given = (at: string, by: TokenSettings | null) => createDemoHeaders(server.database, at, by)(request);
  expect(await given('127.0.0.1', local)).toHaveProperty('authorization');
  expect(await given(host, tokens)).toEqual({});
});
