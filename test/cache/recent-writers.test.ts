import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/kit/cassandra/database';
import { createLoad } from '../../src/kit/reads/load';
import { createRecentWriters, hasWrittenRecently } from '../../src/kit/reads/recent-writers';
import { startHarness, type Harness } from '../harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
afterAll(() => server.close());

/** A database that counts its writes. */
function counting() {
  let writes = 0;
  const database: Database = {
    ...server.database,
    write(cql: string, params: readonly unknown[]) {
      writes++;
      return server.database.write(cql, params);
    },
  };
  return { database, writes: () => writes };
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

test('work that takes long is marked again at its end', async () => {
  const { database, writes } = counting();
  await createRecentWriters(database, 'one').during(
    () => Promise.resolve('cy'),
    () => sleep(1200),
  );
  expect(writes()).toBe(2);
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
  const { database, writes } = counting();
  const failed = new Error('failed');
  const work = async () => {
    await sleep(1200);
    throw failed;
  };
  const during = createRecentWriters(database, 'one').during(() => Promise.resolve('eve'), work);
  await expect(during).rejects.toBe(failed);
  expect(writes()).toBe(2);
});
