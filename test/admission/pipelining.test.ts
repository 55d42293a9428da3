import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHarness, type Harness } from '../support/harness';
import { RECORDS, refusalsOf } from './ask';

let server: Harness;
let address: URL;
beforeAll(async () => {
  server = await startHarness({ RATE_REQUESTS_AT_ONCE: '10' });
  await server.store(RECORDS);
  address = new URL(await server.listen());
});
afterAll(() => server.close());

const body = '{"query":"{ viewer { id } }"}';
const requestFor = (accept: string) =>
  [
    'POST /graphql HTTP/1.1',
    'Host: x',
    'content-type: application/json',
    `accept: ${accept}`,
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
const subscription = [
  `GET /graphql?query=${encodeURIComponent('subscription { tweetPosted(words: ["morning"]) { cursor } }')} HTTP/1.1`,
  'Host: x',
  'accept: text/event-stream',
  '',
  '',
].join('\r\n');

async function statusOf(): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(new URL('/graphql', address), { method: 'POST', headers, body });
  return status;
}

test.each([
  ['requests', 'application/json'],
  ['further streams', 'text/event-stream'],
])(
  '%s that wait behind a stream count until their connection is closed, and no longer',
  async (_, accept) => {
    const socket = connect(Number(address.port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(subscription + requestFor(accept).repeat(10));
    let status = 200;
    for (let tries = 0; status === 200 && tries < 30; tries++) {
      // One of the ten is refused if another request has its place for an instant, and then it is free for the next.
      if (tries > 0) socket.write(requestFor(accept));
      await sleep(50);
      status = await statusOf();
    }
    expect(status).toBe(429);
    socket.destroy();
    for (let tries = 0; status === 429 && tries < 50; tries++) {
      await sleep(100);
      status = await statusOf();
    }
    expect(status).toBe(200);
  },
);

test('a connection that sends very many requests ahead is closed, and most of them are not looked at', async () => {
  const socket = connect(Number(address.port), '127.0.0.1');
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  const before = await refusalsOf(server, 'requests');
  socket.write(subscription + requestFor('application/json').repeat(1000));
  let refused = 0;
  while (!socket.closed && refused < 500) {
    await sleep(50);
    refused = (await refusalsOf(server, 'requests')) - before;
  }
  expect({ isClosed: socket.closed, isLittle: refused < 50 }).toEqual({ isClosed: true, isLittle: true });
  socket.destroy();
});
