import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import WebSocket from 'ws';
import { acceptSockets } from '../../src/kit/http/live';
import { createSockets } from '../../src/kit/http/sockets';
import type { Ending } from '../../src/kit/subscriptions/live';
import { createLiveStream } from '../../src/kit/subscriptions/live-stream';

const PROTOCOL = 'graphql-transport-ws';
const PING = '{"type":"ping"}';

let close: () => Promise<void>;
afterEach(() => close());

/** Connects to a server that does this with each WebSocket, and to which a message may have so many bytes. */
async function connect(serve: (socket: WebSocket) => void, bodyBytes = 1_000_000): Promise<WebSocket> {
  const app = Fastify();
  await acceptSockets(app, { limits: { bodyBytes } as never }, () => Promise.resolve());
  app.get('/', { websocket: true }, serve);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, PROTOCOL);
  close = async () => {
    socket.terminate();
    await app.close();
  };
  await once(socket, 'open');
  return socket;
}

/** The events of a subscription that has none. */
async function* noEvents(ending: Ending): AsyncGenerator<object> {
  await new Promise<void>((resolve) => {
    ending.onEnd(resolve);
  });
  yield {};
}

/** Connects to a server whose subscriptions have no events; if `isClosing`, while the server shuts down. */
async function connectToSubscribe(
  isClosing = false,
): Promise<{ socket: WebSocket; open(this: void): number }> {
  let open = 0;
  const sockets = createSockets({
    identify: () => Promise.resolve(),
    expiryOf: () => null,
    sendMs: 10_000,
    start() {
      open++;
      return createLiveStream({
        beginEvents: (ending) => Promise.resolve(noEvents(ending)),
        resultOf: () => Promise.resolve({}),
        errorOf: () => ({}),
        closed: () => open--,
      });
    },
  });
  if (isClosing) await sockets.close();
  const socket = await connect((accepted) => {
    sockets.serve(accepted, { ip: '192.0.2.1', headers: {} });
  });
  if (isClosing) return { socket, open: () => open };
  socket.send('{"type":"connection_init"}');
  await once(socket, 'message');
  return { socket, open: () => open };
}

/** How a connection is closed. */
async function closeOf(socket: WebSocket): Promise<string> {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
  return `${code} ${String(reason)}`;
}

test('one message of a connection is handled in a turn of the event loop, however many arrive together', async () => {
  let count = 0;
  let inTurn = 0;
  let most = 0;
  const socket = await connect((accepted) => {
    const handled = () => {
      count++;
      most = Math.max(most, ++inTurn);
      setImmediate(() => (inTurn = 0));
    };
    accepted.on('message', handled).on('pong', handled);
  });
  for (let n = 0; n < 300; n++) {
    socket.send(PING);
    socket.pong();
  }
  while (count < 600) await new Promise(setImmediate);
  expect(most).toBe(1);
});

const TOO_MANY = '4429 More than 1000 messages came in a short time';

test.each([
  [
    'messages',
    (socket: WebSocket) => {
      socket.send(PING);
    },
  ],
  [
    'pings',
    (socket: WebSocket) => {
      socket.ping();
    },
  ],
  [
    'pongs',
    (socket: WebSocket) => {
      socket.pong();
    },
  ],
])('a client that sends very many %s is cut off, and few of them are answered', async (_, send) => {
  const { socket } = await connectToSubscribe();
  let answers = 0;
  socket.on('message', () => answers++).on('pong', () => answers++);
  const closed = closeOf(socket);
  for (let n = 0; n < 3000; n++) send(socket);
  expect(await closed).toBe(TOO_MANY);
  expect(answers).toBeLessThan(1010);
});

test('a client may begin and end any number of subscriptions, which have limits of their own', async () => {
  const { socket, open } = await connectToSubscribe();
  let isClosed = false;
  socket.once('close', () => (isClosed = true));
  const until = async (count: number) => {
    while (open() !== count && !isClosed) await new Promise(setImmediate);
    expect(open()).toBe(count);
  };
  for (let n = 0; n < 1500; n++)
    socket.send(`{"id":"${n}","type":"subscribe","payload":{"query":"subscription { a }"}}`);
  await until(1500);
  for (let n = 0; n < 1500; n++) socket.send(`{"id":"${n}","type":"complete"}`);
  await until(0);
  expect(isClosed).toBe(false);
});

test.each([
  ['as many bytes as a subscription needs', 1_000_000, 131_072],
  ['no more than a body if that is smaller', 1000, 1000],
])('a message may have %s', async (_, bodyBytes, most) => {
  let received = 0;
  const socket = await connect((accepted) => {
    accepted.on('message', () => received++);
  }, bodyBytes);
  socket.send('x'.repeat(most));
  socket.send('x'.repeat(most + 1));
  expect(await closeOf(socket)).toMatch(/^1009 /);
  expect(received).toBe(1);
});

test('a connection that is made while the server shuts down is closed', async () => {
  const { socket } = await connectToSubscribe(true);
  expect(await closeOf(socket)).toBe('1012 The server is shutting down');
});

test.each(['é', '漢', '🦉'])('a reason is cut between two characters: %s', async (letter) => {
  const { socket } = await connectToSubscribe();
  // The letters do not end where the reason must.
  const id = `x${letter.repeat(90)}`;
  const subscription = JSON.stringify({ id, type: 'subscribe', payload: { query: 'subscription { a }' } });
  socket.send(subscription);
  socket.send(subscription);
  expect(await closeOf(socket)).toMatch(/^4409 Subscriber for [^\uFFFD]*$/);
});
