import { unavailable } from '../../src/kit/base/errors';
import type { Database } from '../../src/kit/cassandra/database';
import { decideUntilWritten } from '../../src/kit/cassandra/decide';
import { startHarness, type Harness } from '../support/harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

const read = 'SELECT instance FROM task_claims WHERE task_id = ?';
const insert = 'INSERT INTO task_claims (task_id, instance) VALUES (?, ?) IF NOT EXISTS';

/** Claims a task, if nobody has, by a connection on which the first write fails without an effect. */
function claim(taskId: string, readSerial: Database['readSerial']) {
  let writes = 0;
  const database: Database = {
    ...server.database,
    readSerial,
    async compareAndWrite(...params) {
      if (writes++ === 0) throw unavailable(new Error('no answer'));
      return server.database.compareAndWrite(...params);
    },
  };
  return decideUntilWritten(database, { cql: read, params: [taskId] }, (rows) => ({
    writes: rows.length > 0 ? [] : [{ query: insert, params: [taskId, 'this'] }],
    result: rows.length === 0,
  }));
}

const stored = async (taskId: string) => (await server.database.readSerial(read, [taskId])).length;

test('a decision whose outcome is unknown is made again', async () => {
  expect(await claim('soon', (...params) => server.database.readSerial(...params))).toBe(true);
  expect(await stored('soon')).toBe(1);
});

test('it is not made again after eight seconds, also if the read before it took them', async () => {
  const now = jest.spyOn(performance, 'now');
  const late = claim('late', async (...params) => {
    const rows = await server.database.readSerial(...params);
    const soon = performance.now() + 8500;
    now.mockImplementation(() => soon);
    return rows;
  });
  await expect(
    late.finally(() => {
      now.mockRestore();
    }),
  ).rejects.toMatchObject({
    extensions: { code: 'UNAVAILABLE' },
  });
  expect(await stored('late')).toBe(0);
});
