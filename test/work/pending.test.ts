import pino from 'pino';
import { createOutbox } from '../../src/kit/work/outbox';
import { startWorker, type Worker } from '../../src/kit/work/worker';
import type { Database } from '../../src/kit/cassandra/database';
import { startHarness, type Harness } from '../support/harness';

let server: Harness;
let worker: Worker;
beforeAll(async () => {
  server = await startHarness({}, undefined, { held: true });
  worker = await startWorker(server.database);
});
afterAll(async () => {
  await worker.stop();
  await server.close();
});

const start = (database: Database = server.database) =>
  createOutbox(database, worker, pino({ level: 'silent' }));

test('a task that was stored before is pending, also if the clock has not moved since the last look', async () => {
  const outbox = start();
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  expect(await outbox.pending()).toEqual([]);
  const { task, write } = await outbox.prepareTask('task', {});
  await outbox.enqueue({ task, write });
  const { payload, checkpoint, ...head } = task;
  expect(await outbox.pending()).toEqual([head]);
  now.mockRestore();
  expect(await outbox.pending(60_000)).toEqual([head]);
  expect(await outbox.pendingOf(['another', 'task'])).toEqual([{ ...head, payload, checkpoint }]);
  expect(await outbox.pendingOf(['another'])).toEqual([]);
  expect(await outbox.hasPending((one) => one.payload === payload)).toBe(true);
  expect(await outbox.hasPending(() => false)).toBe(false);
});

test('what tasks are about is read only of those that are asked for', async () => {
  const texts: string[] = [];
  const outbox = start({
    ...server.database,
    async read(cql, ...params) {
      texts.push(cql);
      return server.database.read(cql, ...params);
    },
  });
  expect((await outbox.pending()).length).toBe(1);
  expect(await outbox.pendingOf(['another'])).toEqual([]);
  expect(texts.filter((cql) => cql.includes('FROM outbox ')).length).toBeGreaterThan(0);
  expect(texts.filter((cql) => cql.includes('payload'))).toEqual([]);
});

test('a look that failed is not shown again', async () => {
  let isCut = true;
  const outbox = start({
    ...server.database,
    async read(...params) {
      if (isCut) throw new Error('cut off');
      return server.database.read(...params);
    },
  });
  await expect(outbox.pending(60_000)).rejects.toThrow('cut off');
  isCut = false;
  expect((await outbox.pending(60_000)).length).toBe(1);
});

test('however many windows there are, a look sends some hundred requests at once', async () => {
  const window = Math.floor(Date.now() / 30_000) + 1000;
  const addServers = 'UPDATE outbox_windows SET servers = servers + ? WHERE shard = 0 AND window = ?';
  for (let n = 0; n < 100; n++) await server.database.write(addServers, [[1, 2, 3, 4, 5], window + n]);
  let [atOnce, mostAtOnce] = [0, 0];
  const outbox = start({
    ...server.database,
    async read(...params) {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      return server.database.read(...params).finally(() => atOnce--);
    },
  });
  expect((await outbox.pending()).length).toBe(1);
  expect(mostAtOnce).toBeLessThan(500);
});
