import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { startHarness, type Harness } from '../support/harness';
import { countReceived } from '../live/subscriber';
import { ask, QUERY, RECORDS, refusalsOf } from './ask';

let server: Harness;
beforeAll(async () => {
  server = await startHarness({ RATE_POINTS_PER_MINUTE: '7' });
  await server.store(RECORDS);
});
afterAll(() => server.close());

describe('a caller who asks for too much', () => {
  const limited = { status: 429, errors: [{ extensions: { code: 'RATE_LIMITED' } }] };

  test('is told what is left with each answer, then refused, and told when to come back', async () => {
    for (const left of [5, 3, 1])
      expect(await ask(server, '192.0.2.10')).toMatchObject({
        status: 200,
        errors: [],
        headers: {
          ratelimit: expect.stringMatching(`^"points";r=${left};t=\\d+$`) as unknown,
          'ratelimit-policy': '"points";q=7;w=60',
        },
      });
    const before = await refusalsOf(server, 'points');
    const { headers, ...refused } = await ask(server, '192.0.2.10');
    expect(refused).toMatchObject(limited);
    const seconds = refused.errors[0]?.extensions.retryAfter;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(20);
    expect(headers).toMatchObject({
      'retry-after': String(seconds),
      ratelimit: expect.stringContaining('"points";r=0;t=') as unknown,
    });
    expect(await refusalsOf(server, 'points')).toBe(before + 1);
  });

  test('is told apart by its token, whatever its address, and by its address without one', async () => {
    // A person's query also finds out who asks, and what is hidden from that person.
    expect(await ask(server, '192.0.2.20', { who: '1' })).toMatchObject({ status: 200 });
    expect(await ask(server, '192.0.2.29', { who: '1' })).toMatchObject(limited);
    expect(await ask(server, '192.0.2.29', { who: '2' })).toMatchObject({ status: 200 });
    expect(await ask(server, '192.0.2.29')).toMatchObject({ status: 200 });
  });

  test('has one limit for all addresses of an IPv6 network', async () => {
    for (let n = 0; n < 3; n++) expect(await ask(server, `2001:db8::${n}`)).toMatchObject({ status: 200 });
    expect(await ask(server, '2001:db8::ffff')).toMatchObject(limited);
    expect(await ask(server, '2001:db8:0:1::1')).toMatchObject({ status: 200 });
  });

  test('may be a service, which has no limit', async () => {
    for (let n = 0; n < 10; n++) {
      const { status, headers } = await ask(server, '192.0.2.30', { who: 'service' });
      expect([status, headers['ratelimit']]).toEqual([200, undefined]);
    }
  });

  test.each([
    ['that is not well formed', { query: '{' }, 400],
    ['that asks for what is not there', { query: '{ nothing }' }, 400],
    ['with a token that is not good', { who: 'Bearer a.b.c' }, 401],
  ])('pays for a request %s, too', async (_, request, status) => {
    const from = `192.0.2.${100 + _.length}`;
    for (let n = 0; n < 7; n++) expect(await ask(server, from, request)).toMatchObject({ status });
    expect(await ask(server, from, request)).toMatchObject(limited);
  });

  test('has no more requests at once than it may, whatever others have, and room again when one is answered', async () => {
    const narrow = await startHarness({ RATE_REQUESTS_AT_ONCE: '2' }, server);
    const asked = await Promise.all(Array.from({ length: 5 }, () => ask(narrow, '192.0.2.70')));
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429]);
    expect(asked.find(({ status }) => status === 429)).toMatchObject({
      headers: { 'retry-after': '1' },
      errors: [
        {
          message:
            'A caller may have 2 requests at once, and this one would be one more. Try again in 1 s, or when one of them has been answered.',
          extensions: { code: 'RATE_LIMITED', retryAfter: 1 },
        },
      ],
    });
    const others = ['192.0.2.71', '192.0.2.72', '192.0.2.73'];
    for (const { status } of await Promise.all(others.map((from) => ask(narrow, from))))
      expect(status).toBe(200);
    const services = Array.from({ length: 5 }, () => ask(narrow, '192.0.2.70', { who: 'service' }));
    for (const { status } of await Promise.all(services)) expect(status).toBe(200);
    expect((await ask(narrow, '192.0.2.70')).status).toBe(200);
    expect(await refusalsOf(narrow, 'requests')).toBe(3);
    await narrow.close();
  });

  test('has its dearest requests worked on one after another, in the order in which they came', async () => {
    const narrow = await startHarness({ LIMIT_READS: '5', RATE_REQUESTS_AT_ONCE: '50' }, server);
    const SMALL = '{ __typename }';
    const order: string[] = [];
    const asks = async (name: string, from: string, query: string, count: number) => {
      const asked = Array.from({ length: count }, async () => {
        expect(await ask(narrow, from, { query })).toMatchObject({ status: 200, errors: [] });
        order.push(name);
      });
      await Promise.all(asked);
    };
    // What is asked for the first time waits for its turn to be compiled.
    for (const query of [QUERY, SMALL]) await asks('first', '192.0.2.77', query, 1);
    order.length = 0;
    // Two of three reads each are more than one request may have.
    await Promise.all([
      asks('dear', '192.0.2.75', QUERY, 8),
      asks('small', '192.0.2.75', SMALL, 1),
      asks('small of another', '192.0.2.76', SMALL, 1),
    ]);
    expect(order.indexOf('small of another')).toBeLessThan(2);
    expect(order.indexOf('small')).toBeGreaterThan(6);
    await narrow.close();
  });

  test('cannot take all connections of a server', async () => {
    const narrow = await startHarness({}, server);
    const { port } = new URL(await narrow.listen());
    let refused = 0;
    const sockets: Socket[] = [];
    // As many at a time as wait to be accepted.
    for (let batches = 0; batches < 10; batches++) {
      const batch = Array.from({ length: 201 }, () => connect(Number(port), '127.0.0.1').resume());
      for (const socket of batch) socket.on('error', () => undefined).once('close', () => refused++);
      await Promise.all(
        batch.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])),
      );
      sockets.push(...batch);
    }
    for (const until = Date.now() + 10_000; refused < 10 && Date.now() < until;) await sleep(20);
    expect(refused).toBe(10);
    for (const socket of sockets) socket.destroy();
    await narrow.close();
  });

  test('cannot make up an address, unless a proxy is trusted to tell it', async () => {
    const forwarded = (n: number) => ({ headers: { 'x-forwarded-for': `198.51.100.${n}` } });
    for (let n = 0; n < 3; n++)
      expect(await ask(server, '192.0.2.40', forwarded(n))).toMatchObject({ status: 200 });
    expect(await ask(server, '192.0.2.40', forwarded(3))).toMatchObject(limited);
    const behind = await startHarness({ RATE_POINTS_PER_MINUTE: '7', TRUST_PROXY: '192.0.2.40' }, server);
    const by = (from: string, n: number) => ask(behind, from, forwarded(n));
    for (let n = 0; n < 4; n++) expect(await by('192.0.2.40', n)).toMatchObject({ status: 200 });
    for (let n = 0; n < 2; n++) expect(await by('192.0.2.40', 0)).toMatchObject({ status: 200 });
    expect(await by('192.0.2.40', 0)).toMatchObject(limited);
    for (let n = 0; n < 3; n++) expect(await by('192.0.2.41', n)).toMatchObject({ status: 200 });
    expect(await by('192.0.2.41', 3)).toMatchObject(limited);
    await behind.close();
  });

  test('is one behind a trusted proxy, whatever its ports are and in whatever form the proxy writes them', async () => {
    const settings = { RATE_POINTS_PER_MINUTE: '7', TRUST_PROXY: '192.0.2.40' };
    const behind = await startHarness(settings, server);
    const by = (name: string, value: string) => ask(behind, '192.0.2.40', { headers: { [name]: value } });
    for (const [n, forms] of [
      ['203.0.113.7:51234', '203.0.113.7:51235', '"203.0.113.7:1"', '[::ffff:203.0.113.7]:2'],
      ['[2001:db8::7]:51234', '2001:db8::8', '"[2001:db8::9]:1"', '[2001:db8::a]'],
      // What cannot be read is the proxy.
      ['unknown', '_hidden', 'no address', '203.0.113.256'],
    ].entries()) {
      for (const form of forms.slice(0, 3))
        expect([n, await by('x-forwarded-for', form)]).toMatchObject([n, { status: 200 }]);
      expect(await by('x-forwarded-for', forms[3] ?? '')).toMatchObject(limited);
    }
    expect(await by('forwarded', 'for="203.0.113.7:51236"')).toMatchObject(limited);
    expect(await by('forwarded', 'for=_hidden')).toMatchObject(limited);
    expect(await by('forwarded', 'for=203.0.113.8;proto=https')).toMatchObject({ status: 200 });
    await behind.close();
  });

  test('is told apart by what its proxy tells also on a WebSocket, whose headers are not kept', async () => {
    const settings = { RATE_SUBSCRIPTIONS_AT_ONCE: '1', TRUST_PROXY: 'loopback' };
    const behind = await startHarness(settings, server);
    const address = await behind.listen();
    const sockets: WebSocket[] = [];
    const begin = async (from: string) => {
      const headers = { 'x-forwarded-for': from };
      const socket = new WebSocket(`${address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
        headers,
      });
      sockets.push(socket);
      await once(socket, 'open');
      socket.send('{"type":"connection_init"}');
      await once(socket, 'message');
      const query = 'subscription { tweetPosted(username: "ada") { cursor } }';
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
      return socket;
    };
    const untilOpen = async (count: number) => {
      while ((await countReceived(address)) < count) await sleep(20);
    };
    await begin('203.0.113.7:1');
    await untilOpen(1);
    const [answer] = (await once(await begin('203.0.113.7:2'), 'message')) as [Buffer];
    expect(answer.toString()).toContain('RATE_LIMITED');
    await begin('203.0.113.8:1');
    await untilOpen(2);
    for (const socket of sockets) socket.terminate();
    await behind.close();
  });
});
