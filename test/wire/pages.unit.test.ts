import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { limitPages } from '../../src/kit/http/limit-pages';
import { limitUnanswered } from '../../src/kit/http/unanswered';

test('an address may have 100 pages at once, and others when it has read them or left', async () => {
  const app = Fastify({ forceCloseConnections: true });
  limitUnanswered(app.server);
  let refusals = 0;
  limitPages(app, { trustedProxies: ['203.0.113.1'] }, () => refusals++);
  let asked = 0;
  app.get('/slow', (_request, reply) => {
    asked++;
    reply.hijack();
  });
  app.get('/', async () => 'done');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const sockets = [1, 2].map(() => connect((app.server.address() as AddressInfo).port, '127.0.0.1'));
  for (const socket of sockets) socket.write('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(50));
  while (asked < 100) await new Promise(setImmediate);
  const refused = await app.inject('/');
  expect(refused.json()).toMatchObject({
    message: expect.stringContaining('A caller may have 100 pages at once') as string,
  });
  expect(refusals).toBe(1);
  const statusOf = async (remoteAddress: string) =>
    (await app.inject({ url: '/', remoteAddress })).statusCode;
  expect(await statusOf('192.0.2.1')).toBe(200);
  for (const socket of sockets) {
    const closed = once(socket, 'close');
    socket.destroy();
    await closed;
  }
  while ((await statusOf('127.0.0.1')) !== 200) await new Promise(setImmediate);
  await app.close();
});
