import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { limitUnanswered } from '../../src/kit/http/unanswered';

const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

/** A server, and a connection to it. */
async function setUp(answer: RequestListener): Promise<{ socket: Socket; close(this: void): Promise<void> }> {
  const server = createServer(answer);
  limitUnanswered(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return {
    socket,
    async close() {
      socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Resolves when a connection has received a text this many times. */
async function received(socket: Socket, text: string, times: number): Promise<void> {
  let all = '';
  while (all.split(text).length <= times) all += String((await once(socket, 'data'))[0]);
}

test('50 requests of a connection may wait for their answers; with one more it is closed, and no other is handed over', async () => {
  let handled = 0;
  let closed = 0;
  const { socket, close } = await setUp((_request, answer) => {
    handled++;
    answer.once('close', () => closed++);
  });
  socket.resume().write(REQUEST.repeat(50));
  while (handled < 50) await new Promise(setImmediate);
  expect(socket.closed).toBe(false);
  // The first is still not answered.
  socket.write(REQUEST.repeat(1500));
  await once(socket, 'close');
  await close();
  expect([handled, closed]).toEqual([50, 50]);
});

test('very many requests in one chunk cost no more than those that may wait', async () => {
  let handled = 0;
  const { socket, close } = await setUp(() => handled++);
  socket.resume().write(REQUEST.repeat(2000));
  await once(socket, 'close');
  await close();
  expect(handled).toBe(50);
});

test('a connection may send any number of requests one after another, or some ahead', async () => {
  const { socket, close } = await setUp((_request, answer) => {
    setImmediate(() => answer.end('done'));
  });
  for (let n = 0; n < 200; n++) {
    socket.write(REQUEST);
    await received(socket, 'done', 1);
  }
  for (let n = 0; n < 5; n++) {
    socket.write(REQUEST.repeat(50));
    await received(socket, 'done', 50);
  }
  expect(socket.closed).toBe(false);
  await close();
});
