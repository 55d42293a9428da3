import { Readable } from 'node:stream';
import { putAll } from '../../src/kit/data/row-writer';
import { createBulkWriter } from '../../src/kit/data/bulk';
import { InvertedIndex } from '../../src/kit/postings/inverted-index';
import { additionOf } from '../../src/kit/postings/unsealed';
import { createLoad } from '../../src/kit/data/load';
import { startHarness } from '../harness';

/** So many entries are sealed whatever their age. */
const MANY = 10_000;
/** The age in milliseconds from which on entries may be sealed. */
const SEALED_AGE_MS = 40_000;

test('while an index is rebuilt, entries that were added are sealed', async () => {
  const { database } = await startHarness();
  const list = 'rebuilt';
  const index = new InvertedIndex(database, {
    list,
    termsOf: (_, places) => Promise.resolve(places.map(() => ['old'])),
  });
  const at = Date.now() - 2 * SEALED_AGE_MS;
  const added = Array.from({ length: MANY }, (_, n) => ({ rank: 0, id: String(1000 + n), terms: ['new'] }));
  await putAll(
    createBulkWriter(database)(),
    added.map((entry) => additionOf(list, entry, at)),
  );
  await index.rebuild(
    Readable.from([
      { rank: 0, id: '1' },
      { rank: 0, id: '2' },
    ]),
    () => Promise.resolve(),
    () => undefined,
  );
  const { segments, sealedThrough } = await index.update();
  expect(segments.map(({ entries }) => entries)).toEqual([MANY, 2]);
  expect(sealedThrough).toBeGreaterThan(at);
  const slice = { reversed: false, limit: 3 };
  const untested = { left: 0, test: () => Promise.resolve([]) };
  for (const [term, ids] of [
    ['new', ['10999', '10998', '10997']],
    ['old', ['2', '1']],
  ] as const) {
    const { rows } = await index.find(createLoad(database), [term], slice, untested);
    expect(rows.map(({ id }) => id)).toEqual(ids);
  }
});
