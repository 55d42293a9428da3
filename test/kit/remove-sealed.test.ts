import { writeOf } from '../../src/kit/cassandra/write';
import { unsealedEntries } from '../../src/kit/postings/postings.table';
import { removeSealed } from '../../src/kit/postings/remove-old';
import { readMany } from '../../src/kit/reads/load';
import { startHarness, type Harness } from '../support/harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
afterAll(() => server.close());

test('sealed entries are removed by the sealing that enters a new slot, and by no other one', async () => {
  const SLOT_MS = 600_000;
  const { database } = server;
  const name = 'sealed';
  const slot = Math.floor(Date.now() / SLOT_MS);
  const add = async (of: number) => {
    const at = new Date(of * SLOT_MS);
    const entry = { slot: of, list: name, at, rank: 0, id: '1', terms: 'a' };
    const { query, params } = writeOf(unsealedEntries, entry);
    await database.write(query, params);
  };
  await add(slot - 2);
  await add(slot - 1);
  const left = async () => {
    const keys = [slot - 2, slot - 1].map((of) => ({ slot: of, list: name, limit: 10 }));
    return (await readMany(database, unsealedEntries.page, keys)).map(({ length }) => length);
  };
  const sealed = async (from: number, through: number) =>
    removeSealed(database, { name, sealedThrough: through * SLOT_MS }, from * SLOT_MS);
  await sealed(slot, slot + 0.9);
  expect(await left()).toEqual([1, 1]);
  await sealed(slot + 0.9, slot + 1);
  expect(await left()).toEqual([0, 1]);
});
