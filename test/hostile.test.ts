import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import WebSocket from 'ws';
import { person, startHarness, type Harness } from './support/harness';
import { countOpen, pause, untilNoneOpen } from './live/subscriber';

let server: Harness;
let port: number;
let address: string;
beforeAll(async () => {
  server = await startHarness();
  address = await server.listen();
  port = Number(new URL(address).port);
  await server.store([person('1', 'ada')]);
});

/** The answer to a request that is sent as it is. */
async function answerTo(request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(request);
  return text(socket);
}

test.each(['[', 'a b', 'a^b', '%zz'])('the Host header %j is refused', async (host) => {
  const answer = await answerTo(
    `GET /graphql?query={__typename} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 400 [^]*The Host header must be a host/);
});

test('a request of HTTP/1.0 needs no Host header', async () => {
  const answer = await answerTo('GET /graphql?query={__typename} HTTP/1.0\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1.1 200 [^]*"__typename":"Query"/);
});

test('the alias __proto__ is refused, which no object can have', async () => {
  const { errors } = await server.query('{ __proto__: __typename }');
  expect(errors[0]?.message).toBe('An alias must not be __proto__.');
});

test('a text that graphql-jit would run as code is a name that nobody has', async () => {
  const code = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74dglobalThis.wasRun = true';
  for (const who of [null, '1']) {
    const { data } = await server.query(`{ user(username: "${code}") { id } }`, {}, who);
    expect(data).toEqual({ user: null });
  }
  expect(Reflect.get(globalThis, 'wasRun')).toBeUndefined();
});

test.each([
  ['9999-12-31T00:00:00Z', '9999-12-31T23:59:59-14:00'],
  ['0000-01-01T00:00:00+14:00', '0000-01-02T00:00:00Z'],
])('a frequency from %s to %s is refused, whose times no table can have', async (from, to) => {
  const { errors } = await server.query(
    `{ tweetFrequency(from: "${from}", to: "${to}", unit: DAY, byLanguage: false) { at } }`,
  );
  expect(errors[0]?.message).toMatch(/^(from|to) must be in the years 1 to 5999/);
});

test('subscriptions with the same id end with their connection', async () => {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init' }));
  await once(socket, 'message');
  const subscribe = JSON.stringify({
    id: 'x',
    type: 'subscribe',
    payload: { query: 'subscription { tweetPosted(username: "ada") { cursor } }' },
  });
  socket.send(subscribe);
  socket.send(JSON.stringify({ id: 'x', type: 'complete' }));
  socket.send(subscribe);
  while ((await countOpen(server)) === 0) await pause(50);
  socket.close();
  await untilNoneOpen(server);
  expect(await countOpen(server)).toBe(0);
});

test('a message of very many values closes its WebSocket before it is parsed', async () => {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(`{"type":"connection_init","payload":{"a":[${Array(150_000).fill('{}').join(',')}]}}`);
  const [code] = (await once(socket, 'close')) as [number];
  expect(code).toBe(1009);
});

test('with TRUSTED_ONLY, a WebSocket opens and is refused other documents', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trusted-'));
  await writeFile(join(folder, 'ada.graphql'), 'query Ada { user(username: "ada") { name } }');
  const trusting = await startHarness({ TRUSTED_DOCUMENTS: folder, TRUSTED_ONLY: 'true' }, server);
  const socket = new WebSocket(
    `${(await trusting.listen()).replace('http', 'ws')}/graphql`,
    'graphql-transport-ws',
  );
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init' }));
  await once(socket, 'message');
  const query = 'subscription { tweetPosted(username: "ada") { cursor } }';
  socket.send(JSON.stringify({ id: 'x', type: 'subscribe', payload: { query } }));
  const [message] = (await once(socket, 'message')) as [Buffer];
  expect(String(message)).toMatch(/trusted documents only/);
  socket.close();
  await rm(folder, { recursive: true });
});
