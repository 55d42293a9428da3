import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/kit/cassandra/database';
import { createLoad } from '../../src/kit/reads/load';
import { writeWithDeferred } from '../../src/kit/cassandra/deferred-writes';
import { writeOf } from '../../src/kit/cassandra/write';
import { createRecentWriters, hasWrittenRecently, recentWriters } from '../../src/kit/reads/recent-writers';
import { startHarness, type Harness } from '../support/harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
afterAll(() => server.close());

/** A database that counts its writes and batches. */
function counting() {
  let [writes, batches] = [0, 0];
  const database: Database = {
    ...server.database,
    write(cql: string, params: readonly unknown[]) {
      writes++;
      return server.database.write(cql, params);
    },
    batch(all) {
      batches++;
      return server.database.batch(all);
    },
  };
  return { database, writes: () => writes, batches: () => batches };
}

/** Reads something, as mutations do, and then writes a task, which takes along what waits. */
async function storeTask(database: Database): Promise<void> {
  await isMarked('nobody');
  await writeWithDeferred(database, writeOf(recentWriters, { caller: 'a task', server: 'one' }));
}

const isMarked = (caller: string) => hasWrittenRecently(createLoad(server.database), caller);

test('a caller is marked when its work is done, and after some seconds no more', async () => {
  const writers = createRecentWriters(server.database, 'one');
  expect(await isMarked('ada')).toBe(false);
  expect(
    await writers.during(
      () => Promise.resolve('ada'),
      () => Promise.resolve('done'),
    ),
  ).toBe('done');
  expect(await isMarked('ada')).toBe(true);
  while (await isMarked('ada')) await sleep(200);
});

test('one whom the work has created is marked, and nobody is marked for one without a name', async () => {
  const writers = createRecentWriters(server.database, 'one');
  let created: string | null = null;
  await writers.during(
    () => Promise.resolve(created),
    () => Promise.resolve((created = 'bo')),
  );
  expect(await isMarked('bo')).toBe(true);
  const { database, writes } = counting();
  await createRecentWriters(database, 'one').during(
    () => Promise.resolve(null),
    () => Promise.resolve(),
  );
  expect(writes()).toBe(0);
});

test('the row of a caller goes out with the write of a task', async () => {
  const { database, writes, batches } = counting();
  const writers = createRecentWriters(database, 'one');
  await writers.during(
    () => Promise.resolve('bea'),
    async () => {
      await storeTask(database);
      expect(await isMarked('bea')).toBe(true);
    },
  );
  expect([writes(), batches()]).toEqual([0, 1]);
  // The next work of the caller, soon after, needs no row.
  await writers.during(
    () => Promise.resolve('bea'),
    () => storeTask(database),
  );
  expect([writes(), batches()]).toEqual([1, 1]);
});

test('a row that no task takes along is written when the work ends', async () => {
  const { database, writes } = counting();
  await createRecentWriters(database, 'one').during(
    () => Promise.resolve('cid'),
    async () => {
      await sleep(100);
      expect(writes()).toBe(0);
    },
  );
  expect(writes()).toBe(1);
  expect(await isMarked('cid')).toBe(true);
});

test('work that takes long after its task was stored is marked again at its end', async () => {
  const { database, writes, batches } = counting();
  await createRecentWriters(database, 'one').during(
    () => Promise.resolve('cy'),
    async () => {
      await storeTask(database);
      await sleep(1200);
    },
  );
  expect([writes(), batches()]).toEqual([1, 1]);
});

test('a write that fails is the failure of the work, which others may repeat', async () => {
  const refused = new Error('refused');
  const database: Database = { ...server.database, write: () => Promise.reject(refused) };
  const writers = createRecentWriters(database, 'one');
  await expect(
    writers.during(
      () => Promise.resolve('dee'),
      () => Promise.resolve(),
    ),
  ).rejects.toBe(refused);
});

test('a caller whose work takes long and then fails is marked again: it may have written something', async () => {
  const { database, writes, batches } = counting();
  const failed = new Error('failed');
  const work = async () => {
    await storeTask(database);
    await sleep(1200);
    throw failed;
  };
  const during = createRecentWriters(database, 'one').during(() => Promise.resolve('eve'), work);
  await expect(during).rejects.toBe(failed);
  expect([writes(), batches()]).toEqual([1, 1]);
});
