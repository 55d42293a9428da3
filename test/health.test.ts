import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { codesOf } from '../src/tools/testing/testing';
import { person, startHarness, type Harness } from './support/harness';
import { startProxy, type Proxy } from './support/proxy';

const POST = 'mutation { createTweet(input: { content: "new" }) { tweet { content } } }';

let plain: Harness;
let proxy: Proxy;
let server: Harness;
beforeAll(async () => {
  plain = await startHarness();
  await plain.store([person('1', 'ada')]);
  proxy = await startProxy(process.env['CASSANDRA_CONTACT_POINTS'] ?? '');
  server = await startHarness({ CASSANDRA_CONTACT_POINTS: proxy.address }, plain);
});
afterAll(async () => {
  proxy.release();
  await server.close();
  await proxy.close();
});

const health = () => server.get('/health/ready');

async function untilWrites(writes: boolean): Promise<void> {
  while ((await health()).body !== JSON.stringify({ status: 'ready', writes })) await sleep(200);
}

test('a server that cannot renew its lease stays ready, because it answers queries, and says that it cannot write', async () => {
  expect(await health()).toEqual({ status: 200, body: '{"status":"ready","writes":true}' });
  // Renewals carry the name of the server.
  proxy.hold(server.writeServices.worker.instance);
  await untilWrites(false);
  expect((await health()).status).toBe(200);
  expect((await server.query('{ user(username: "ada") { name } }')).errors).toEqual([]);
  const refused = await server.query(POST, {}, '1');
  expect([refused.status, codesOf(refused)]).toEqual([200, ['UNAVAILABLE']]);
  proxy.release();
  // A renewal that was held back gives a lease from the moment when it was sent, which may end again soon.
  let posted = refused;
  while (codesOf(posted).includes('UNAVAILABLE')) {
    await untilWrites(true);
    posted = await server.query(POST, {}, '1');
  }
  expect(posted.errors).toEqual([]);
});

test('a request that comes while the server closes is refused in the form of GraphQL', async () => {
  const stopping = await startHarness({}, plain);
  const socket = connect(Number(new URL(await stopping.listen()).port), '127.0.0.1');
  await once(socket, 'connect');
  // A connection whose request has begun is not idle, so that closing the server leaves it open.
  socket.write('POST /graphql HTTP/1.1\r\nhost: localhost\r\n');
  await sleep(200);
  const closed = stopping.close();
  await sleep(50);
  socket.write('content-type: application/json\r\ncontent-length: 26\r\n\r\n{"query":"{ __typename }"}');
  let answer = '';
  for await (const data of socket) answer += String(data);
  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
  expect(answer).toMatch(/\r\nretry-after: \d+\r\n/);
  expect(answer).toContain('{"errors":[{"message":"This server is stopping');
  expect(answer).toContain('"code":"UNAVAILABLE"');
  await closed;
});
