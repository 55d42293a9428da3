import { setTimeout as sleep } from 'node:timers/promises';
import { startHarness, type Harness } from '../support/harness';
import { ask, RECORDS, refusalsOf, untilStatus } from './ask';

let server: Harness;
let waiting = 0;
beforeAll(async () => {
  server = await startHarness({ SHED_WAITING_REQUESTS: '10' }, undefined, { waitingRequests: () => waiting });
  await server.store(RECORDS);
});
afterAll(() => server.close());

const shed = {
  status: 503,
  headers: expect.objectContaining({ 'retry-after': '2' }) as unknown,
  errors: [expect.objectContaining({ extensions: { code: 'UNAVAILABLE', retryAfter: 2 } })],
};

describe('a server that has too much to do', () => {
  test('refuses GraphQL while many reads wait, also to services, and answers those who look after it', async () => {
    waiting = 11;
    try {
      expect(await ask(server, '192.0.2.1')).toMatchObject(shed);
      expect(await ask(server, '192.0.2.1', { who: 'service' })).toMatchObject(shed);
      for (const url of ['/health/live', '/health/ready', '/metrics', '/model'])
        expect([url, (await server.get(url)).status]).toEqual([url, 200]);
      expect(await refusalsOf(server, 'waiting_requests')).toBe(2);
    } finally {
      waiting = 0;
    }
    expect(await ask(server, '192.0.2.1')).toMatchObject({ status: 200, errors: [] });
  });

  test('refuses while its heap is nearly full', async () => {
    const full = await startHarness({ SHED_HEAP_BYTES: '1' }, server);
    expect(await untilStatus(full, 503)).toMatchObject(shed);
    expect((await full.get('/health/live')).status).toBe(200);
    expect(await refusalsOf(full, 'heap')).toBeGreaterThan(0);
    await full.close();
  });

  test('refuses while bodies and answers fill its memory', async () => {
    const full = await startHarness({ SHED_BUFFER_BYTES: '1' }, server);
    expect(await untilStatus(full, 503)).toMatchObject(shed);
    expect(await refusalsOf(full, 'buffers')).toBeGreaterThan(0);
    await full.close();
  });

  test('refuses while its event loop is blocked again and again, and no longer', async () => {
    const blocked = await startHarness({ SHED_EVENT_LOOP_MS: '40' }, server);
    const block = async () => {
      for (const until = performance.now() + 150; performance.now() < until;);
      await sleep(1);
    };
    expect(await untilStatus(blocked, 503, block)).toMatchObject(shed);
    expect(await refusalsOf(blocked, 'event_loop_delay')).toBeGreaterThan(0);
    expect(await untilStatus(blocked, 200)).toMatchObject({ errors: [] });
    await blocked.close();
  });

  test('refuses nothing where the limits are off', async () => {
    const off = await startHarness({ SHED_WAITING_REQUESTS: '0' }, server, { waitingRequests: () => 1e9 });
    expect(await ask(off, '192.0.2.1')).toMatchObject({ status: 200, errors: [] });
    await off.close();
  });
});
