import { once } from 'node:events';
import { connect } from 'node:net';
import WebSocket from 'ws';
import { freePorts } from '../../src/tools/embedded/ports';
import { person, startHarness, type Harness } from '../support/harness';

const BODY = JSON.stringify({ query: '{ user(username: "ada") { name } }' });
const DATA = '{"data":{"user":{"name":"The ada"}}}';
const SOCKET_KEY = 'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

let server: Harness;
let port: number;
let operations: number;
beforeAll(async () => {
  operations = (await freePorts(['127.0.0.1'])).native;
  server = await startHarness({ OPERATIONS_PORT: String(operations) });
  await server.store([person('1', 'ada')]);
  port = Number(new URL(await server.listen()).port);
});

/** Sends the parts of one request, each when something came as an answer to the last, and resolves to all that came. */
async function exchange(to: number, ...parts: string[]): Promise<string> {
  const socket = connect(to, '127.0.0.1');
  let received = '';
  socket.on('data', (bytes) => (received += bytes.toString()));
  for (const part of parts) {
    socket.write(part);
    await once(socket, 'data');
  }
  await once(socket, 'close');
  return received;
}

/** The status and the body of the last answer. */
function lastOf(received: string): [status: number, body: string] {
  const at = received.lastIndexOf('HTTP/1.1 ');
  const [head = '', ...body] = received.slice(at).split('\r\n\r\n');
  return [Number(head.slice(9, 12)), body.join('\r\n\r\n')];
}

const post = (more: string, target = '/graphql') =>
  `POST ${target} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n${more}\r\n${BODY}`;
const get = (target: string, more: string) => `GET ${target} HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`;
const QUERY = `/graphql?query=${encodeURIComponent('{ user(username: "ada") { name } }')}`;
const CLOSE = 'connection: close\r\n';

const offers = [
  [
    'HTTP/2, as HttpClient of Java and curl --http2 do',
    'Upgrade, HTTP2-Settings',
    'upgrade: h2c\r\nhttp2-settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n',
  ],
  ['TLS', 'Upgrade', 'upgrade: TLS/1.0\r\n'],
  ['several protocols', 'upgrade', 'upgrade: h2c, TLS/1.3, IRC/6.9\r\n'],
  ['several protocols in several lines', 'Upgrade', 'upgrade: h2c\r\nupgrade: TLS/1.0\r\n'],
  ['an unknown protocol', 'upgrade', 'upgrade: x\r\n'],
  ['a protocol like WebSocket', 'upgrade', 'upgrade: websocket2\r\n'],
  ['trailers and codings', 'TE', 'te: trailers, deflate;q=0.5\r\n'],
  ['nothing that fits', 'Upgrade', ''],
  ['a protocol without saying so', 'close', 'upgrade: h2c\r\n'],
] as const;

describe.each(offers)('a request that offers %s', (_, connection, offer) => {
  const more = `connection: ${connection}\r\n${offer}`;
  /** The connection stays open for a second request, as these clients use it again. */
  const twice = (to: number, request: (more: string) => string) =>
    connection === 'close' ? exchange(to, request(more)) : exchange(to, request(more), request(CLOSE));

  test('is answered as any other by GraphQL', async () => {
    for (const request of [post, (lines: string) => get(QUERY, lines)]) {
      const received = await twice(port, request);
      expect(received).not.toContain('101 Switching');
      expect(received.split(DATA)).toHaveLength(connection === 'close' ? 2 : 3);
      expect(lastOf(received)[0]).toBe(200);
    }
  });

  test('is answered as any other on every path and port', async () => {
    for (const path of ['/graphiql/page.json', '/model', '/'])
      expect(lastOf(await twice(port, (lines) => get(path, lines)))[0]).toBe(path === '/' ? 302 : 200);
    for (const path of ['/health/live', '/health/ready', '/metrics'])
      expect(lastOf(await twice(operations, (lines) => get(path, lines)))[0]).toBe(200);
    expect(lastOf(await twice(port, (lines) => get('/nothing', lines)))[0]).toBe(404);
  });
});

test('a WebSocket is offered in vain on other paths and ports, and by POST', async () => {
  const offer = `connection: Upgrade\r\nupgrade: websocket\r\n${SOCKET_KEY}`;
  const twice = (to: number, request: (more: string) => string) =>
    exchange(to, request(offer), request(CLOSE));
  expect(lastOf(await twice(port, post))).toMatchObject([200, expect.stringContaining(DATA)]);
  expect(lastOf(await twice(port, (more) => get('/graphiql/page.json', more)))[0]).toBe(200);
  expect(lastOf(await twice(port, (more) => get('/graphql/x', more)))[0]).toBe(404);
  expect(lastOf(await twice(operations, (more) => get('/health/live', more)))[0]).toBe(200);
  expect(lastOf(await twice(operations, (more) => get('/graphql', more)))[0]).toBe(404);
});

test.each(['websocket', 'WebSocket', 'h2c, websocket', 'websocket, h2c', 'h2c,WEBSOCKET'])(
  'a WebSocket is opened on its path, also as one of several protocols: %s',
  async (upgrade) => {
    for (const target of ['/graphql', '/graphql?a=1', 'http://localhost/graphql']) {
      const socket = connect(port, '127.0.0.1');
      socket.write(
        get(
          target,
          `connection: Upgrade\r\nupgrade: ${upgrade}\r\nsec-websocket-protocol: graphql-transport-ws\r\n${SOCKET_KEY}`,
        ),
      );
      const [first] = (await once(socket, 'data')) as [Buffer];
      expect(first.toString()).toMatch(/^HTTP\/1.1 101 /);
      socket.destroy();
    }
  },
);

test('graphql-ws still connects', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.close();
  await once(socket, 'close');
});

test.each(['100-continue', '100-Continue', 'tea', '100-continue, tea', '"x"'])(
  'a request that expects %s is answered',
  async (expected) => {
    const received = await exchange(port, post(`expect: ${expected}\r\n${CLOSE}`));
    expect(lastOf(received)).toMatchObject([200, expect.stringContaining(DATA)]);
    const got = await exchange(operations, get('/health/live', `expect: ${expected}\r\n${CLOSE}`));
    expect(lastOf(got)[0]).toBe(200);
  },
);

test('a client that waits for 100 Continue gets it, and then its answer', async () => {
  const whole = post(`expect: 100-continue\r\n${CLOSE}`);
  const head = whole.slice(0, -BODY.length);
  const received = await exchange(port, head, BODY);
  expect(received).toMatch(/^HTTP\/1.1 100 Continue/);
  expect(lastOf(received)).toMatchObject([200, expect.stringContaining(DATA)]);
});

test.each([
  ['http://localhost/graphql', 200],
  ['HTTP://localhost:80/graphql', 200],
  ['https://other.example/graphql?', 200],
  ['http://[::1]:4000/graphql', 200],
  ['http://localhost/nothing', 404],
  ['http://user:secret@localhost/graphql', 200],
  ['http://a b/graphql', 400],
] as const)('the address of a request may have a scheme and a host: %s', async (target, status) => {
  expect(lastOf(await exchange(port, post(CLOSE, target)))[0]).toBe(status);
});

test('addresses with a host lead to all that addresses without lead to', async () => {
  const status = async (to: number, target: string, more = '') =>
    lastOf(await exchange(to, get(target, more + CLOSE)))[0];
  expect(await exchange(port, get(`http://localhost${QUERY}`, CLOSE))).toContain(DATA);
  expect(await status(port, 'http://localhost')).toBe(302);
  expect(await status(port, 'http://localhost?a=1')).toBe(302);
  expect(await status(port, 'http://localhost/graphiql/page.json')).toBe(200);
  expect(await status(port, 'http://localhost/graphql', 'accept: text/html\r\n')).toBe(302);
  expect(await status(operations, 'http://localhost/health/ready')).toBe(200);
  expect(await status(operations, 'http://localhost/metrics')).toBe(200);
  const put = await exchange(
    port,
    `PUT http://localhost/graphql HTTP/1.1\r\nhost: x\r\n${CLOSE}content-length: 0\r\n\r\n`,
  );
  expect(lastOf(put)[0]).toBe(405);
});
