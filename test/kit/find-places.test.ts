import { createBulkWriter } from '../../src/kit/writes/bulk';
import { createLoad, type Read, type ReadLog } from '../../src/kit/reads/load';
import { partOf } from '../../src/kit/postings/part';
import type { Entry, Place } from '../../src/kit/postings/entry';
import { MAX_READS, type Tester } from '../../src/kit/postings/find';
import { InvertedIndex } from '../../src/kit/postings/inverted-index';
import { addSegments } from '../../src/kit/postings/commit';
import { writeSegment } from '../../src/kit/postings/write-segment';
import { startHarness, type Harness } from '../support/harness';
import { randomIntFrom } from '../support/random-int';

/** Printed when a test fails. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const randomInt = randomIntFrom(SEED);

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
afterAll(() => server.close());

/** Stores a list of segments of entries with given ids. Returns an index that has read nothing of it. */
async function store(
  list: string,
  segments: readonly (readonly string[])[],
  termsOf: (id: string) => string[],
  volumeOf: (segment: number) => number = () => 0,
) {
  const { database } = server;
  const bulk = createBulkWriter(database);
  const entriesOf = (ids: readonly string[]) => ids.map((id) => ({ rank: 0, id, terms: termsOf(id) }));
  const added = await Promise.all(
    segments.map((ids, n) => writeSegment(bulk(), partOf(list), entriesOf(ids), volumeOf(n))),
  );
  await addSegments(database, partOf(list), added);
  return new InvertedIndex(database, { list, termsOf: () => Promise.resolve([]) });
}

function logOf(reads: Read[]): ReadLog {
  return { reads, resolving: () => undefined, apart: (work) => work(), lists: new Map() };
}

const idsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => String(first + n)).reverse();

test('the few entries of a rare term are one page, in however many segments they are', async () => {
  const rare = ['1250', '1100', '1000'];
  const segments = idsFrom(1000, 300).map((id) => [id]);
  const index = await store('rare', segments, (id) => (rare.includes(id) ? ['common', 'rare'] : ['common']));
  const tester: Tester = {
    left: 400,
    test: (places) => Promise.resolve(places.map(({ id }) => rare.includes(id))),
  };
  for (const reversed of [false, true])
    for (const terms of [['rare'], ['common', 'rare']]) {
      const reads: Read[] = [];
      const load = createLoad(server.database, logOf(reads));
      const slice = { after: undefined, reversed, limit: 26 };
      const { rows, isCut = false } = await index.find(load, terms, slice, tester);
      expect(rows.map(({ id }) => id)).toEqual(reversed ? rare.toReversed() : rare);
      expect(isCut).toBe(false);
      expect(reads.length).toBeLessThan(8);
    }
});

describe('of a list of which nothing is known', () => {
  const segments = [idsFrom(4000, 600), idsFrom(2000, 600), idsFrom(1000, 600)];
  const UNTESTED: Tester = { left: 0, test: () => Promise.reject(new Error('no entry must be tested')) };
  const statementsOf = (reads: readonly Read[]) => reads.map(({ statement, keys }) => [statement, keys]);

  test.each([false, true])('a page reads only the entries that it shows (reversed: %s)', async (reversed) => {
    // Those of the first chunk, which has 512 entries, have none of the terms.
    const termsOf = (id: string) => (Number(id) % 1000 < 80 ? ['one', 'other'] : ['third']);
    const index = await store(`page ${reversed}`, segments, termsOf);
    await index.update();
    const reads: Read[] = [];
    const load = createLoad(server.database, logOf(reads));
    const after = reversed ? { rank: 0, id: '1' } : { rank: 1, id: '0' };
    const { rows } = await index.find(load, ['one', 'other'], { after, reversed, limit: 26 }, UNTESTED);
    expect(rows.map(({ id }) => id)).toEqual(reversed ? idsFrom(1000, 26).reverse() : idsFrom(4054, 26));
    expect(statementsOf(reads)).toEqual([
      ['segments.page', 1],
      ['postings.page', 2],
      ['segment_entries.get', 1],
    ]);
  });

  test('that many entries have some terms takes one request for postings', async () => {
    const index = await store('count', segments, () => ['one', 'other']);
    await index.update();
    const reads: Read[] = [];
    const load = createLoad(server.database, logOf(reads));
    expect(await index.hasMoreThan(load, ['one', 'other'], 1799)).toBe(true);
    expect(await index.hasMoreThan(load, ['one', 'other'], 1800)).toBe(false);
    expect(await index.hasMoreThan(load, ['one', 'none'], 0)).toBe(false);
    expect(statementsOf(reads)).toEqual([
      ['segments.page', 1],
      ['postings.page', 2],
      ['postings.page', 1],
    ]);
  });
});

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
      return writeSegment(bulk(), partOf('cut'), entries);
    }),
  );
  await addSegments(database, partOf('cut'), added);
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

/** Reads all pages of the entries that have some terms. Returns them, and the most that one page has read of postings. */
async function readAll(index: InvertedIndex, terms: readonly string[], reversed: boolean) {
  const found: string[] = [];
  let most = 0;
  for (let after: Place | undefined, pages = 0; ; pages++) {
    const reads: Read[] = [];
    const load = createLoad(server.database, logOf(reads));
    const tester: Tester = { left: 0, test: (places) => Promise.resolve(places.map(() => true)) };
    const page = await index.find(load, terms, { after, reversed, limit: 26 }, tester);
    most = Math.max(most, reads.filter(({ table }) => table === 'postings').length);
    found.push(...page.rows.map(({ id }) => id));
    if (page.isCut !== true && page.rows.length < 26) return { found, most, pages };
    expect(page.end).not.toEqual(after);
    after = page.end ?? undefined;
  }
}

test('a rare term is found in however many volumes, and a page reads twelve of them at most', async () => {
  const rare = ['1050', '1000'];
  const segments = idsFrom(1000, 60).map((id) => [id]);
  const termsOf = (id: string) => (rare.includes(id) ? ['common', 'rare'] : ['common']);
  for (const reversed of [false, true]) {
    const index = await store(`volumes ${String(reversed)}`, segments, termsOf, (segment) => 60 - segment);
    const { found, most, pages } = await readAll(index, ['rare'], reversed);
    expect(found).toEqual(reversed ? rare.toReversed() : rare);
    expect(most).toBe(MAX_READS);
    expect(pages).toBe(60 / MAX_READS - 1);
    const all = segments.flat();
    expect((await readAll(index, ['common'], reversed)).found).toEqual(reversed ? all.toReversed() : all);
  }
});

test('segments of several volumes that overlap have exactly the entries with all terms', async () => {
  const ids = idsFrom(1000, 240);
  const termsOf = (id: string) => [
    ...(Number(id) % 2 === 0 ? ['even'] : []),
    ...(Number(id) % 7 === 0 ? ['seventh'] : []),
  ];
  const segments = Array.from({ length: 12 }, (_, n) => ids.filter((id) => Number(id) % 12 === n));
  for (const reversed of [false, true]) {
    const index = await store(`mixed ${String(reversed)}`, segments, termsOf, () => randomInt(4));
    for (const terms of [['even'], ['seventh'], ['even', 'seventh']]) {
      const expected = ids.filter((id) => terms.every((term) => termsOf(id).includes(term)));
      const { found } = await readAll(index, terms, reversed);
      expect({ SEED, found }).toEqual({ SEED, found: reversed ? expected.toReversed() : expected });
    }
  }
});
