import pino from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '../../src/kit/base/errors';
import { shortTask } from '../../src/kit/work/handler';
import { createOutbox } from '../../src/kit/work/outbox';
import type { TaskQueue } from '../../src/kit/work/task-queue';
import { startWorker, type Worker } from '../../src/kit/work/worker';
import type { Database } from '../../src/kit/cassandra/database';
import { startHarness, type Harness } from '../support/harness';
import { SMALL } from './servers';

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

const start = (database: Database = server.database, queue: TaskQueue | null = null, isAlone = false) =>
  createOutbox(database, worker, pino({ level: 'silent' }), queue, isAlone);

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

/** A queue that keeps the kinds of what is published, and delivers nothing. */
function silentQueue(published: string[]): TaskQueue {
  return {
    start: () => undefined,
    isUp: () => true,
    publish({ kind }) {
      published.push(kind);
      return Promise.resolve(true);
    },
    publishOutcome: () => undefined,
    isEmpty: () => Promise.resolve(false),
    redelivered: () => new Map(),
    stop: () => Promise.resolve(),
  };
}

test('a task whose storing failed is run by its own server, because another one would not find it', async () => {
  let isCut = true;
  const database: Database = {
    ...server.database,
    async write(cql, params) {
      if (isCut && cql.startsWith('INSERT INTO outbox ')) throw unavailable(new Error('no answer'));
      return server.database.write(cql, params);
    },
  };
  const [published, run]: [string[], string[]] = [[], []];
  const outbox = start(database, silentQueue(published));
  const handler = (kind: string) =>
    shortTask(SMALL, () => {
      run.push(kind);
      return Promise.resolve();
    });
  outbox.start({ unstored: handler('unstored'), early: handler('early'), stored: handler('stored') });

  await expect(outbox.leaveToTask('unstored', {})).rejects.toThrow('cannot answer');
  const { task } = await outbox.prepareTask('early', {});
  // A mutation that fails before it knows whether its task was stored.
  outbox.runInBackground(task);
  await outbox.idle();
  expect(run.sort()).toEqual(['early', 'unstored']);
  expect(published).toEqual([]);

  isCut = false;
  await outbox.leaveToTask('stored', {});
  while (published.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(published).toEqual(['stored']);
  expect(run.length).toBe(2);
  await outbox.stop();
});

test('an outbox that is alone runs its own tasks, and none of servers that are gone', async () => {
  const run: string[] = [];
  const handler = (kind: string) =>
    shortTask(SMALL, () => {
      run.push(kind);
      return Promise.resolve();
    });
  const gone = await startWorker(server.database);
  const left = createOutbox(server.database, gone, pino({ level: 'silent' }));
  await left.enqueue(await left.prepareTask('left', {}));
  await gone.stop();
  const handlers = { left: handler('left'), own: handler('own') };
  const alone = start(server.database, null, true);
  alone.start(handlers);
  await alone.leaveToTask('own', {});
  await alone.idle();
  // Longer than the pause between two looks for such tasks.
  await sleep(5000);
  expect(run).toEqual(['own']);
  await alone.stop();
  const among = start();
  among.start(handlers);
  while (run.length < 2) await sleep(50);
  expect(run).toEqual(['own', 'left']);
  await among.stop();
});
