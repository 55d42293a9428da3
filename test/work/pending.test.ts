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
  const prepared = await outbox.prepareTask('task', {});
  await outbox.enqueue(prepared);
  expect(await outbox.pending()).toEqual([prepared.task]);
  now.mockRestore();
  expect(await outbox.pending(60_000)).toEqual([prepared.task]);
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
