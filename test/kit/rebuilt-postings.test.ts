import { setTimeout as sleep } from 'node:timers/promises';
import { createBulkWriter } from '../../src/kit/writes/bulk';
import { createLoad } from '../../src/kit/reads/load';
import { putAll } from '../../src/kit/writes/row-writer';
import { InvertedIndex } from '../../src/kit/postings/inverted-index';
import { addEntryWrite } from '../../src/kit/postings/unsealed';
import { startHarness } from '../support/harness';

/** So many entries are sealed whatever their age. */
const MANY = 10_000;
/** The age in milliseconds from which on entries may be sealed. */
const SEALED_AGE_MS = 40_000;

test('entries that become old enough while an index is rebuilt are sealed, and those of before are replaced', async () => {
  const { database } = await startHarness();
  const list = 'rebuilt';
  const index = new InvertedIndex(database, {
    list,
    termsOf: (_, places) => Promise.resolve(places.map(() => ['right'])),
  });
  const writer = createBulkWriter(database)();
  const began = Date.now();
  // The first is sealed when the rebuild begins, the others during it.
  await putAll(writer, [
    addEntryWrite({ list, parts: 1 }, { rank: 0, id: '1', terms: ['wrong'] }, began - 2 * SEALED_AGE_MS),
  ]);
  const at = began - SEALED_AGE_MS + 10_000;
  const added = Array.from({ length: MANY }, (_, n) => ({ rank: 0, id: String(1000 + n), terms: ['new'] }));
  await putAll(
    writer,
    added.map((entry) => addEntryWrite({ list, parts: 1 }, entry, at)),
  );
  async function* places() {
    yield { rank: 0, id: '1' };
    await sleep(at + SEALED_AGE_MS + 1000 - Date.now());
    yield { rank: 0, id: '2' };
  }
  await index.rebuild(
    places(),
    () => Promise.resolve(),
    () => undefined,
  );
  const { segments } = await index.update();
  expect([...segments].map(({ entries }) => entries)).toEqual([MANY, 2]);
  const found = async (term: string) => {
    const untested = { left: 0, test: () => Promise.resolve([]) };
    const slice = { reversed: false, limit: 3 };
    const { rows } = await index.find(createLoad(database), [term], slice, untested);
    return rows.map(({ id }) => id);
  };
  expect(await found('new')).toEqual(['10999', '10998', '10997']);
  expect(await found('right')).toEqual(['2', '1']);
  expect(await found('wrong')).toEqual([]);
});
