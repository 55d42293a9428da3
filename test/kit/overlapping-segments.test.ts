import { createBulkWriter } from '../../src/kit/data/bulk';
import { createLoad } from '../../src/kit/data/load';
import type { Entry, Place } from '../../src/kit/postings/entry';
import type { Tester } from '../../src/kit/postings/find';
import { InvertedIndex } from '../../src/kit/postings/inverted-index';
import { commit, writeSegment } from '../../src/kit/postings/write-segment';
import { startHarness, type Harness } from '../harness';

/** Printed when a test fails. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
let state = SEED;
/** A random whole number from `from` to `to` - 1 (a linear congruential generator). */
function randomInt(from: number, to?: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  const [low, high] = to === undefined ? [0, from] : [from, to];
  return low + Math.floor((state / 2 ** 31) * (high - low));
}

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
afterAll(() => server.close());

test('pages of many terms have every entry, also where segments overlap and a page is cut short', async () => {
  const { database } = server;
  const index = new InvertedIndex(database, { list: 'cut', termsOf: () => Promise.resolve([]) });
  const terms = Array.from({ length: 32 }, (_, n) => `term${n}`);
  const bulk = createBulkWriter(database);
  const due = new Set<number>();
  const added = await Promise.all(
    Array.from({ length: 40 }, (_, n) => {
      const ids = new Set(
        Array.from({ length: randomInt(20, 320) }, () => 100_000 - n * 1000 + randomInt(7000)),
      );
      const percent = randomInt(2) * randomInt(101);
      const entries = [...ids]
        .sort((x, y) => y - x)
        .map((id, at): Entry => {
          const hasAll = randomInt(100) < percent;
          if (hasAll) due.add(id);
          return { rank: 0, id: String(id), terms: hasAll ? terms : [terms[at % 32] ?? ''] };
        });
      return writeSegment(bulk(), 'cut', entries);
    }),
  );
  await commit(database, 'cut', { added });
  const expected = [...due].sort((x, y) => y - x);
  for (const reversed of [false, true])
    for (const limit of [5, 26]) {
      const found: number[] = [];
      for (let after: Place | undefined; ;) {
        const tester: Tester = { left: 0, test: () => Promise.reject(new Error('no entry must be tested')) };
        const slice = { after, reversed, limit };
        const { rows, end } = await index.find(createLoad(database), terms, slice, tester);
        found.push(...rows.map(({ id }) => Number(id)));
        if (end === null) break;
        after = end;
      }
      expect({ SEED, limit, reversed, found }).toEqual({
        SEED,
        limit,
        reversed,
        found: reversed ? expected.toReversed() : expected,
      });
    }
});
