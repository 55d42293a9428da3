import { setTimeout as sleep } from 'node:timers/promises';
import { once } from 'node:events';
import { unavailable } from '../../src/kit/base/errors';
import type { Database } from '../../src/kit/cassandra/database';
import { growingTask, type Handlers } from '../../src/kit/work/handler';
import { EXPORT_ACCOUNT, requestExport } from '../../src/write/account/collect-export';
import { SMALL, useWorkServers, type WorkServer } from './servers';

const { database, pending, settled, ...workServers } = useWorkServers();

/** Starts a server to which the storing of tasks fails as long as `failing` says, whether or not it happened. */
async function start(failing: { how: 'no' | 'stored' | 'lost' }, handlers: Handlers): Promise<WorkServer> {
  const cutOff: Database = {
    ...database(),
    async write(cql, params) {
      const how = cql.startsWith('INSERT INTO outbox ') ? failing.how : 'no';
      if (how !== 'lost') await database().write(cql, params);
      if (how !== 'no') throw unavailable(new Error('no answer'));
    },
  };
  const [one] = await workServers.start(() => handlers, { database: cutOff });
  if (!one) throw new Error('there must be a server');
  return one;
}

test.each<[string, (one: WorkServer) => Promise<unknown>]>([
  ['leaveToTask', (one) => one.outbox.leaveToTask(EXPORT_ACCOUNT, {})],
  ['requestExport', (one) => requestExport({ database: database(), outbox: one.outbox }, '1')],
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
