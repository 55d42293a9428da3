import { createLoad } from '../../src/kit/reads/load';
import { addEntries } from '../../src/kit/postings/unsealed';
import { InvertedIndex } from '../../src/kit/postings/inverted-index';
import { createBulkWriter } from '../../src/kit/writes/bulk';
import { putAll } from '../../src/kit/writes/row-writer';
import { startHarness, type Harness } from '../support/harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

const HOUR_MS = 3_600_000;

function openIndex(list: string) {
  const { database } = server;
  const termsOf = (_load: unknown, places: readonly { readonly id: string }[]) =>
    Promise.resolve(places.map(() => ['word']));
  const index = new InvertedIndex(database, { list, termsOf });
  const add = (id: string) =>
    addEntries(index, [{ rank: 0, id, terms: ['word'] }], (writes) =>
      putAll(createBulkWriter(database)(), writes),
    );
  const find = async () => {
    const tester = {
      left: 100,
      test: (places: readonly unknown[]) => Promise.resolve(places.map(() => true)),
    };
    const { rows } = await index.find(createLoad(database), ['word'], { reversed: false, limit: 10 }, tester);
    return rows.map(({ id }) => id);
  };
  return { index, add, find };
}

test('what is added after a clock was set back is found', async () => {
  const { index, add, find } = openIndex('set back');
  await add('1');
  expect(await find()).toEqual(['1']);
  const now = jest
    .spyOn(Date, 'now')
    .mockImplementation(() => performance.timeOrigin + performance.now() + HOUR_MS);
  try {
    await index.update();
  } finally {
    now.mockRestore();
  }
  await add('2');
  expect(await find()).toEqual(['2', '1']);
});

test('what is added to a part that was sealed by a clock that was ahead is found once it is maintained', async () => {
  const { index, add, find } = openIndex('sealed ahead');
  await add('1');
  expect(await find()).toEqual(['1']);
  const ahead = new Date(Date.now() + HOUR_MS);
  await server.database.write('UPDATE segments SET sealed_through = ? WHERE list = ?', [
    ahead,
    'sealed ahead',
  ]);
  const [before] = await server.database.run("SELECT version FROM segments WHERE list = 'sealed ahead'");
  const again = openIndex('sealed ahead');
  await again.add('2');
  expect(await again.find()).toEqual([]);
  await again.index.maintain({ afterMs: HOUR_MS });
  expect(await again.find()).toEqual(['2', '1']);
  const [after] = await server.database.run(
    "SELECT version, sealed_through FROM segments WHERE list = 'sealed ahead'",
  );
  expect(after?.['version']).not.toBe(before?.['version']);
  expect(Number(after?.['sealed_through'])).toBeLessThan(Date.now());
  await add('3');
  await index.update();
  expect(await find()).toEqual(['3', '2', '1']);
});
