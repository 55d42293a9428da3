import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { person, startHarness, tweet, type Harness } from './support/harness';
import { post } from './support/mutations';
import { subscribe, subscribeToEvents } from './live/subscriber';
import { idsIn, POSTED, type PostedEvent } from './live/subscriptions';

const named = 'query Ada($name: String = "ada") { user(username: $name) { userId } }';
const two = `${named} query Bo { user(username: "bo") { userId } }`;
const hash = { persistedQuery: { version: 1, sha256Hash: '' } };

let server: Harness;
let address: string;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), tweet('100', '1')]);
  address = await server.listen();
});

/** Sends a request for JSON, by POST if it has a body, else by GET. */
async function ask(request: { body?: object; query?: Record<string, string> }) {
  const { body: payload, query = {} } = request;
  const method = payload ? ('POST' as const) : ('GET' as const);
  const { statusCode, body } = await server.inject({
    method,
    url: '/graphql',
    query,
    ...(payload && { payload }),
  });
  const { data, errors } = JSON.parse(body) as { data?: unknown; errors?: { message: string }[] };
  return { status: statusCode, data, messages: errors?.map(({ message }) => message) };
}

const ada = { status: 200, data: { user: { userId: '1' } }, messages: undefined };

test.each<[string, object]>([
  ['operationName', { operationName: '' }],
  ['variables', { variables: '' }],
  ['extensions', { extensions: '' }],
  ['documentId', { documentId: '' }],
  ['a hash', { extensions: hash }],
  ['all', { operationName: '', variables: '', extensions: '', documentId: '' }],
])('by POST, %s that is empty is as if omitted, also when the document is known', async (_name, more) => {
  for (let n = 0; n < 3; n++) expect(await ask({ body: { query: named, ...more } })).toEqual(ada);
});

test.each<[string, Record<string, string>]>([
  ['operationName', { operationName: '' }],
  ['variables', { variables: '' }],
  ['variables that are null', { variables: 'null' }],
  ['extensions', { extensions: '' }],
  ['extensions that are null', { extensions: 'null' }],
  ['documentId', { documentId: '' }],
  ['a hash', { extensions: JSON.stringify(hash) }],
  ['all', { operationName: '', variables: '', extensions: '', documentId: '' }],
])('by GET, %s that is empty is as if omitted', async (_name, more) => {
  expect(await ask({ query: { query: named, ...more } })).toEqual(ada);
});

test('an empty name does not choose among several operations, and a blank one is none of them', async () => {
  const message = 'operationName must be given, since the query has several operations.';
  expect(await ask({ body: { query: two, operationName: '' } })).toMatchObject({ messages: [message] });
  expect(await ask({ query: { query: two, operationName: '' } })).toMatchObject({ messages: [message] });
  const blank = 'operationName must name an operation of the query, but got: " "';
  expect(await ask({ body: { query: named, operationName: ' ' } })).toMatchObject({ messages: [blank] });
});

test('an empty parameter beside another of its name takes nothing away', async () => {
  const url = `/graphql?query=${encodeURIComponent(named)}&variables=&variables=%7B%22name%22%3A%22bo%22%7D`;
  const { statusCode, body } = await server.inject({ method: 'GET', url });
  expect([statusCode, body]).toEqual([400, expect.stringContaining('may only be specified once')]);
});

const gone = `subscription Gone { tweetChanged(id: "${encodeNodeId('Tweet', '7')}") { id } }`;
const end = '{"data":{"tweetChanged":null}}';

test('over text/event-stream, empty parameters are as if omitted', async () => {
  const headers = { accept: 'text/event-stream' };
  const empty = { operationName: '', variables: '', extensions: '' };
  for (const request of [
    { method: 'POST' as const, payload: { query: gone, ...empty } },
    { method: 'POST' as const, payload: { query: gone, ...empty, extensions: hash } },
    { method: 'GET' as const, query: { query: gone, ...empty } },
    { method: 'GET' as const, query: { query: gone, variables: 'null' } },
  ]) {
    const { body } = await server.inject({ url: '/graphql', headers, ...request });
    expect(body).toContain(end);
  }
});

test('over WebSocket, empty parameters are as if omitted', async () => {
  const client = createClient({ url: `${address.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket });
  const payload = { query: gone, operationName: '', extensions: hash, documentId: '' };
  const events: unknown[] = [];
  for await (const event of client.iterate(payload)) events.push(event);
  expect(events.map((event) => JSON.stringify(event))).toEqual([end]);
  await client.dispose();
});

test.each([
  ['WebSocket', subscribe],
  ['text/event-stream', subscribeToEvents],
] as const)('over %s, an empty cursor begins with what comes from now on', async (_name, begin) => {
  const variables = { username: 'ada', after: '' };
  const subscribed = await begin<PostedEvent>(address, { query: POSTED, variables });
  const { tweetId } = await post(server, '1', { content: 'new' });
  expect(idsIn([await subscribed.next()])).toEqual([tweetId]);
});

test('an empty cursor costs what none does', async () => {
  const boundOf = async (args: string, order: string) => {
    const source = `{ user(username: "ada") { tweets(order: ${order}${args}) { nodes { id } pageInfo { hasNextPage hasPreviousPage } } } }`;
    const { body } = await server.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-explain': 'only' },
      payload: { query: source },
    });
    return (JSON.parse(body) as { extensions: { cost: { bound: number } } }).extensions.cost.bound;
  };
  for (const order of ['NEWEST', 'MOST_LIKED']) {
    const none = await boundOf('', order);
    expect(none).toBeGreaterThan(0);
    expect(await boundOf(', after: ""', order)).toBe(none);
    expect(await boundOf(', first: 25, before: ""', order)).toBe(none);
  }
});
