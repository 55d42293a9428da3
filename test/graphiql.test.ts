import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { parse, validate } from 'graphql';
import { readConfig } from '../src/config';
import { createDemoHeaders } from '../src/demo/headers';
import { demoNetwork } from '../src/demo/network';
import { emptyTab, tabs } from '../src/demo/tabs';
import { createSchema } from '../src/app';
import type { TokenSettings } from '../src/features/viewer/token';
import { JWT_SECRET, person, startHarness, type Harness } from './support/harness';

const schema = createSchema();
let server: Harness;
let empty: Harness;
const addresses = new Map<Harness, string>();
beforeAll(async () => {
  server = await startHarness();
  await server.store([...demoNetwork({ people: 1, tweets: 0 })]);
  empty = await startHarness();
  await empty.store([person('1', 'ada')]);
  for (const one of [server, empty]) addresses.set(one, await one.listen());
});

/** Asks over a connection of this machine: the ends of one count, which an injected request has not. */
async function headersOf(from: Harness, headers: Readonly<Record<string, string>> = {}) {
  const asked = request(`${addresses.get(from) ?? ''}/graphiql/headers.json`, { headers }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return JSON.parse(await text(answer)) as { authorization?: string };
}

test.each([...tabs, { query: emptyTab }])(
  'the example in tab %# asks for what the schema has',
  ({ query }) => {
    expect(validate(schema, parse(query))).toEqual([]);
  },
);

test.each(tabs)('the query of tab %# stands under at most two lines of comment', ({ query }) => {
  expect(query).toMatch(/^(?:#.*\n){0,2}(?:query|mutation|subscription) /);
});

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
  ['a proxy on this machine', { forwarded: 'for=192.0.2.1' }],
  ['a proxy that says so in its own way', { 'x-forwarded-for': '192.0.2.1' }],
  ['a proxy that says that it comes from here', { 'x-forwarded-for': '127.0.0.1' }],
  ['a proxy that tells the host only', { 'x-forwarded-host': 'localhost' }],
  ['a proxy that tells the address', { 'x-real-ip': '192.0.2.1' }],
  ['a proxy that tells itself', { via: '1.1 here' }],
])('no token is given to %s', async (_, headers) => {
  expect(await headersOf(server, headers)).toEqual({});
});

test('no token is given to a proxy that adds no header, and so speaks HTTP/1.0', async () => {
  const socket = connect(Number(new URL(addresses.get(server) ?? '').port), '127.0.0.1');
  socket.end('GET /graphiql/headers.json HTTP/1.0\r\nHost: 127.0.0.1:4000\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toContain('200 OK');
  expect(answer).not.toContain('Bearer');
});

test.each([
  ['from another machine', { remoteAddress: '192.0.2.1', localAddress: '127.0.0.1' }],
  ['to an address that others reach', { remoteAddress: '127.0.0.1', localAddress: '192.0.2.1' }],
  ['that is gone', { remoteAddress: undefined, localAddress: undefined }],
])('no token is given over a connection %s, whatever its headers say', async (_, socket) => {
  const visitor = {
    hostname: 'localhost',
    headers: { host: 'localhost' },
    raw: { httpVersion: '1.1' },
    socket,
  };
  const headersOfVisitor = createDemoHeaders(server.database, '127.0.0.1', local);
  expect(await headersOfVisitor(visitor)).toEqual({});
});

const local: TokenSettings = {
  ...readConfig({}).jwt,
  key: { secret: JWT_SECRET, previousSecret: null },
  signsItself: true,
};
test.each<[string, string, TokenSettings | null]>([
  ['listens to other machines', '0.0.0.0', local],
  ['listens to a name', 'murmuration.example', local],
  ['is on a cluster', '127.0.0.1', { ...local, signsItself: false }],
  ['has no key', '127.0.0.1', null],
])('no token is given by a server that %s', async (_, host, tokens) => {
  const visitor = {
    hostname: 'localhost',
    headers: {},
    raw: { httpVersion: '1.1' },
    socket: { remoteAddress: '::ffff:127.0.0.1', localAddress: '::1' },
  };
  const given = (at: string, by: TokenSettings | null) => createDemoHeaders(server.database, at, by)(visitor);
  expect(await given('127.0.0.1', local)).toHaveProperty('authorization');
  expect(await given(host, tokens)).toEqual({});
});
