import pino from 'pino';
import type { Database } from '../../src/kit/cassandra/database';
import { unavailable } from '../../src/kit/base/errors';
import { shortTask } from '../../src/kit/work/handler';
import { createOutbox } from '../../src/kit/work/outbox';
import type { TaskQueue } from '../../src/kit/work/task-queue';
import { startWorker, type Worker } from '../../src/kit/work/worker';
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
  const outbox = createOutbox(database, worker, pino({ level: 'silent' }), silentQueue(published));
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
