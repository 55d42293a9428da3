import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { shedLoad } from '../../src/kit/http/shed-load';

const ANSWER_BYTES = 5_000_000;
const CLIENTS = 20;

test('answers of text that clients do not read fill the memory for answers, until the clients are gone', async () => {
  const app = Fastify();
  const reasons: string[] = [];
  await app.register((scope, _options, done) => {
    const { external, arrayBuffers } = process.memoryUsage();
    const bufferBytes = Math.max(external, arrayBuffers) + (CLIENTS * ANSWER_BYTES) / 2;
    const limits = { eventLoopMs: 0, heapBytes: 0, waitingRequests: 0, bufferBytes };
    shedLoad(
      scope,
      limits,
      () => 0,
      (reason) => reasons.push(reason),
    );
    scope.get('/', () => Promise.resolve('x'.repeat(ANSWER_BYTES)));
    scope.get('/small', () => Promise.resolve('x'));
    done();
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const until = async (isRefused: boolean) => {
    while (((await app.inject('/small')).statusCode !== 200) !== isRefused) await sleep(100);
  };
  await until(false);
  const clients = Array.from({ length: CLIENTS }, (): Socket => {
    const client = connect(port, '127.0.0.1').pause();
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return client;
  });
  await until(true);
  expect(reasons).toContain('buffers');
  for (const client of clients) client.destroy();
  await until(false);
  await app.close();
});
