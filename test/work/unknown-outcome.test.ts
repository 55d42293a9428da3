import { setTimeout as sleep } from 'node:timers/promises';
import { once } from 'node:events';
import { unavailable } from '../../src/kit/base/errors';
import type { Database } from '../../src/kit/cassandra/database';
import { growingTask, type Handlers } from '../../src/kit/work/handler';
import { EXPORT_ACCOUNT, requestExport } from '../../src/write/account/collect-export';
import { startHarness, type Harness } from '../support/harness';
import { SMALL, startWorkServer, type WorkServer } from './servers';

let server: Harness;
const servers: WorkServer[] = [];
beforeAll(async () => {
  server = await startHarness({}, undefined, { held: true });
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((one) => one.stop()));
});
afterAll(() => server.close());

/** Starts a server to which the storing of tasks fails as long as `failing` says, whether or not it happened. */
async function start(failing: { how: 'no' | 'stored' | 'lost' }, handlers: Handlers): Promise<WorkServer> {
  const database: Database = {
    ...server.database,
    async write(cql, params) {
      const how = cql.startsWith('INSERT INTO outbox ') ? failing.how : 'no';
      if (how !== 'lost') await server.database.write(cql, params);
      if (how !== 'no') throw unavailable(new Error('no answer'));
    },
  };
  const one = await startWorkServer(database, server.config.cassandra.keyspace, null, () => handlers);
  servers.push(one);
  // It has been heard.
  await sleep(1000);
  return one;
}

const pending = () => server.writeServices.outbox.pending();
async function settled(): Promise<void> {
  while ((await pending()).length > 0) await sleep(50);
}

test.each<[string, (one: WorkServer) => Promise<unknown>]>([
  ['leaveToTask', (one) => one.outbox.leaveToTask(EXPORT_ACCOUNT, {})],
  ['requestExport', (one) => requestExport({ database: server.database, outbox: one.outbox }, '1')],
  ['enqueueAndRun', (one) => one.outbox.enqueueAndRun(EXPORT_ACCOUNT, {}, () => Promise.resolve())],
])('a task of %s that is stored although its storing fails is run', async (_name, act) => {
  const failing: { how: 'no' | 'stored' } = { how: 'stored' };
  let runs = 0;
  const one = await start(failing, {
    [EXPORT_ACCOUNT]: growingTask(SMALL, () => {
      runs++;
      return Promise.resolve();
    }),
  });
  await expect(act(one)).rejects.toThrow();
  await settled();
  expect(runs).toBe(1);
});

test('a task that waits here and may not be stored does not make an equal one needless', async () => {
  const failing: { how: 'no' | 'lost' } = { how: 'no' };
  const gate = new AbortController();
  const opened = once(gate.signal, 'abort');
  let runs = 0;
  const one = await start(failing, {
    copy: growingTask({ ...SMALL, sameAs: () => 'all' }, async () => {
      runs++;
      await opened;
    }),
  });
  await one.outbox.leaveToTask('copy', {});
  while (runs === 0) await sleep(10);
  failing.how = 'lost';
  await expect(one.outbox.leaveToTask('copy', {})).rejects.toThrow();
  failing.how = 'no';
  await one.outbox.leaveToTask('copy', {});
  expect((await pending()).length).toBe(2);
  gate.abort();
  await settled();
});
