import { createBulkWriter } from '../../src/kit/data/bulk';
import { createLoad, type Read, type ReadLog } from '../../src/kit/data/load';
import { InvertedIndex } from '../../src/kit/postings/inverted-index';
import { commit, writeSegment } from '../../src/kit/postings/write-segment';
import { startHarness, type Harness } from '../harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
afterAll(() => server.close());

test('the few entries of a rare term are one page, in however many segments they are', async () => {
  const { database } = server;
  const index = new InvertedIndex(database, { list: 'rare', termsOf: () => Promise.resolve([]) });
  const ids = Array.from({ length: 300 }, (_, n) => String(1000 + n)).reverse();
  const rare = ['1250', '1100', '1000'];
  const bulk = createBulkWriter(database);
  const added = await Promise.all(
    ids.map((id) => {
      const terms = rare.includes(id) ? ['common', 'rare'] : ['common'];
      return writeSegment(bulk(), 'rare', [{ rank: 0, id, terms }]);
    }),
  );
  await commit(database, 'rare', { added });
  for (const reversed of [false, true])
    for (const terms of [['rare'], ['common', 'rare']]) {
      const reads: Read[] = [];
      const log: ReadLog = { reads, resolving: () => undefined, apart: (work) => work(), lists: new Map() };
      const { rows, isCut = false } = await index.find(
        createLoad(database, log),
        terms,
        { after: undefined, reversed, limit: 26 },
        { left: 400, test: (places) => Promise.resolve(places.map(({ id }) => rare.includes(id))) },
      );
      expect(rows.map(({ id }) => id)).toEqual(reversed ? rare.toReversed() : rare);
      expect(isCut).toBe(false);
      expect(reads.length).toBeLessThan(8);
    }
});
