import { createBulkWriter } from '../../src/kit/writes/bulk';
import { putAll } from '../../src/kit/writes/row-writer';
import { createLoad, type Read, type ReadLog } from '../../src/kit/reads/load';
import { partOf } from '../../src/kit/postings/part';
import { comparePlaces, keyOfPlace, type Entry, type Place } from '../../src/kit/postings/entry';
import { writeSegments } from '../../src/kit/postings/build-segments';
import type { Tester } from '../../src/kit/postings/find';
import { InvertedIndex } from '../../src/kit/postings/inverted-index';
import { decodeOrdinals, encodeOrdinals, intersect, ordinalsWithout } from '../../src/kit/postings/ordinals';
import { INDEX_LIMITS } from '../../src/kit/postings/limits';
import { termShardOf } from '../../src/kit/postings/postings.table';
import { addEntries } from '../../src/kit/postings/unsealed';
import { addSegments, divideList } from '../../src/kit/postings/commit';
import { SegmentList } from '../../src/kit/postings/segment-list';
import { writeSegment } from '../../src/kit/postings/write-segment';
import type { Database } from '../../src/kit/cassandra/database';
import { startHarness, type Harness } from '../support/harness';
import { randomIntFrom } from '../support/random-int';

/** Printed when a test fails. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const randomInt = randomIntFrom(SEED);

/** A log whose reads are collected. */
function logOf(reads: Read[]): ReadLog {
  return { reads, resolving: () => undefined, apart: (work) => work(), lists: new Map<string, string>() };
}

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

test('sets of ordinals are the same after they were stored, and their intersection is exact', () => {
  for (let round = 0; round < 200; round++) {
    const sets = Array.from({ length: randomInt(1, 5) }, () =>
      randomSet(randomInt(1, 65_536), randomInt(0, 101)),
    );
    const decoded = sets.map((set) => decodeOrdinals(encodeOrdinals(set)));
    expect(decoded.map((set) => [...intersect([set])])).toEqual(sets);
    const [first = [], ...others] = sets;
    const common = first.filter((ordinal) => others.every((set) => set.includes(ordinal)));
    expect([...intersect(decoded)]).toEqual(common);
    const [excluded] = decoded.slice(-1);
    const rest = first.filter((ordinal) => !sets.at(-1)?.includes(ordinal));
    expect([...ordinalsWithout(Uint16Array.from(first), excluded ?? new Uint16Array())]).toEqual(rest);
  }
});

function randomSet(size: number, percent: number): number[] {
  const step = Math.max(1, Math.floor(size / 300));
  return Array.from({ length: Math.ceil(size / step) }, (_, n) => n * step).filter(
    () => randomInt(100) < percent,
  );
}

const TERMS = ['often', 'half', 'some', 'few', 'rare'] as const;
const SHARES = [80, 50, 20, 4, 1];

test.each([
  ['one part', []],
  ['more and more parts', [2, 4, 8]],
])(
  'pages of a list of %s have exactly the entries with all terms, whatever was sealed, merged and replaced',
  async (kind, divisions) => {
    const list = `random ${kind}`;
    const { database } = server;
    const truth = new Map<string, Entry>();
    const gone = new Set<string>();
    const volumes = new Set<number>();
    let counts = 0;
    const limits = { ...INDEX_LIMITS, volumeSegments: 2, settledAfterMs: 0 };
    const termsOf = (_load: unknown, places: readonly Place[]) =>
      Promise.resolve(
        places.map((place) => (gone.has(place.id) ? null : (truth.get(keyOfPlace(place))?.terms ?? null))),
      );
    // What one server does, another one finds.
    const [index, other] = [0, 1].map(() => new InvertedIndex(database, { list, termsOf }, limits));
    if (!index || !other) throw new Error('There must be two.');
    const parts = new Set<number>();
    const randomEntry = (): Entry => ({
      rank: randomInt(3),
      id: String(randomInt(6000)),
      terms: TERMS.filter((_, n) => randomInt(100) < (SHARES[n] ?? 0)),
    });
    const add = async (entries: readonly Entry[]) => {
      for (const entry of entries) truth.set(keyOfPlace(entry), entry);
      await addEntries(index, entries, (writes) => putAll(createBulkWriter(database)(), writes));
    };
    const check = async () => {
      const terms = TERMS.filter(() => randomInt(2) === 0);
      if (terms.length === 0) return;
      const expected = [...truth.values()]
        .filter((entry) => terms.every((term) => entry.terms.includes(term)))
        .sort(comparePlaces)
        .map(keyOfPlace);
      const reversed = randomInt(2) === 0;
      const limit = randomInt(1, 60);
      const tester: Tester = {
        left: 400,
        test: (places) =>
          Promise.resolve(
            places.map((place) => terms.every((term) => truth.get(keyOfPlace(place))?.terms.includes(term))),
          ),
      };
      const found: string[] = [];
      for (let after: Place | undefined, pages = 0; ; pages++) {
        const { rows, end, isCut } = await (randomInt(2) === 0 ? index : other).find(
          createLoad(database),
          terms,
          { after, reversed, limit },
          tester,
        );
        found.push(...rows.map(keyOfPlace));
        if (!isCut && rows.length < limit) break;
        expect(pages).toBeLessThan(10_000);
        after = end ?? undefined;
      }
      expect({ SEED, terms, found }).toEqual({
        SEED,
        terms,
        found: reversed ? expected.toReversed() : expected,
      });
      const load = createLoad(database);
      if (await index.hasMoreThan(load, terms, found.length - 1)) counts++;
      // Entries that were just added again count twice.
      const most = found.length + index.size().unsealed;
      expect({ SEED, hasMore: await index.hasMoreThan(load, terms, most) }).toEqual({ SEED, hasMore: false });
    };
    for (let round = 0; round < 12; round++) {
      const places = Array.from({ length: randomInt(1, 200) }, randomEntry);
      const once = [...new Map(places.map((entry) => [keyOfPlace(entry), entry])).values()];
      if (randomInt(3) > 0) await add(once);
      else {
        // As an import: entries that the index does not have become a segment directly.
        const having = await index.having(once);
        const fresh = once.filter((entry) => !having.has(keyOfPlace(entry))).sort(comparePlaces);
        for (const entry of fresh) truth.set(keyOfPlace(entry), entry);
        if (fresh.length > 0)
          await addSegments(
            database,
            partOf(list),
            await writeSegments(database, partOf(list), (await index.update()).segments, fresh, { limits }),
          );
      }
      const division = divisions[(round - 2) / 3];
      if (division !== undefined) await divideList(database, list, division);
      await check();
      if (randomInt(3) === 0) await index.maintain({ afterMs: 0, ageMs: 0 });
      for (let n = 0; n < 4; n++) await check();
      for (const { volume, part } of (await index.update()).segments) {
        volumes.add(volume);
        parts.add(part);
      }
    }
    await index.maintain({ afterMs: 0, ageMs: 0 });
    await check();
    for (const { part } of (await index.update()).segments) parts.add(part);
    expect(counts).toBeGreaterThan(0);
    expect(volumes.size).toBeGreaterThan(1);
    expect(index.parts).toBe(divisions.at(-1) ?? 1);
    expect(parts.size > 1).toBe(divisions.length > 0);
  },
);

test('a search of more segments than a page may look at ends there, and its cursor goes on', async () => {
  const { database } = server;
  const index = new InvertedIndex(database, { list: 'many', termsOf: () => Promise.resolve([]) });
  const ids = Array.from({ length: 300 }, (_, n) => String(1000 + n)).reverse();
  const bulk = createBulkWriter(database);
  const added = await Promise.all(
    ids.map((id, n) =>
      writeSegment(bulk(), partOf('many'), [
        { rank: 0, id, terms: n === 299 ? ['one', 'other'] : [n % 2 === 0 ? 'one' : 'other'] },
      ]),
    ),
  );
  await addSegments(database, partOf('many'), added);
  const find = (terms: readonly string[], after?: Place) =>
    index.find(
      createLoad(database),
      terms,
      { after, reversed: false, limit: 26 },
      { left: 400, test: (places) => Promise.resolve(places.map(({ id }) => id === '1000')) },
    );
  const pages = [];
  for (let after: Place | undefined; ;) {
    const page = await find(['one', 'other'], after);
    pages.push(page);
    if (!page.isCut) break;
    expect(page.end).not.toEqual(after);
    after = page.end ?? undefined;
  }
  expect(pages.flatMap(({ rows }) => rows)).toEqual([{ rank: 0, id: '1000' }]);
  expect(pages.length).toBeGreaterThan(1);
});

test('a cursor within more segments than a page may look at goes on, and each page reads a bounded number of times', async () => {
  const { database } = server;
  const index = new InvertedIndex(database, { list: 'overlapping', termsOf: () => Promise.resolve([]) });
  const terms = ['one', 'other'];
  // All segments overlap: each has an entry at the beginning of the list, one in the middle and one at the end.
  const segments = Array.from({ length: 300 }, (_, n) =>
    [30_000, 20_000, 10_000].map((first): Entry => ({ rank: 0, id: String(first + n), terms })),
  );
  const bulk = createBulkWriter(database);
  const added = await Promise.all(
    segments.map((entries) => writeSegment(bulk(), partOf('overlapping'), entries)),
  );
  await addSegments(database, partOf('overlapping'), added);
  const found: string[] = [];
  let most = 0;
  for (let after: Place | undefined; ;) {
    const reads: Read[] = [];
    const load = createLoad(database, logOf(reads));
    const tester: Tester = { left: 400, test: (places) => Promise.resolve(places.map(() => true)) };
    const page = await index.find(load, terms, { after, reversed: false, limit: 26 }, tester);
    most = Math.max(most, reads.length);
    found.push(...page.rows.map(({ id }) => id));
    if (!page.isCut && page.rows.length < 26) break;
    expect(page.end).not.toEqual(after);
    after = page.end ?? undefined;
  }
  expect(found).toEqual(
    segments.flatMap((entries) => entries.map(({ id }) => id)).sort((a, b) => Number(b) - Number(a)),
  );
  expect(most).toBeLessThanOrEqual(20);
});

test('a search of terms that rarely stand together reads their postings in two requests and keeps them', async () => {
  const { database } = server;
  const index = new InvertedIndex(database, { list: 'rarely', termsOf: () => Promise.resolve([]) });
  const terms = ['one', 'other'];
  // Of the 40 entries of a segment, one has both terms, and two more have each of them.
  const termsOf = (n: number) => (n === 0 ? terms : n < 3 ? ['one'] : n < 5 ? ['other'] : ['neither']);
  const segments = Array.from({ length: 24 }, (_, segment) =>
    Array.from({ length: 40 }, (_, n): Entry => ({
      rank: 0,
      id: String(9000 - segment * 40 - n),
      terms: termsOf(n),
    })),
  );
  const bulk = createBulkWriter(database);
  const added = await Promise.all(segments.map((entries) => writeSegment(bulk(), partOf('rarely'), entries)));
  await addSegments(database, partOf('rarely'), added);
  const search = async () => {
    const reads: Read[] = [];
    const tester: Tester = { left: 40, test: () => Promise.reject(new Error('no entry must be tested')) };
    const slice = { after: undefined, reversed: false, limit: 26 };
    const { rows } = await index.find(createLoad(database, logOf(reads)), terms, slice, tester);
    expect(rows.map(({ id }) => id)).toEqual(segments.map(([first]) => first?.id));
    return reads.filter(({ table }) => table === 'postings').length;
  };
  expect(await search()).toBe(2);
  expect(await search()).toBe(0);
});

test('terms that share a shard are told apart, in both directions', async () => {
  const { database } = server;
  const index = new InvertedIndex(database, { list: 'shared', termsOf: () => Promise.resolve([]) });
  const second = Array.from({ length: 100_000 }, (_, n) => `term${n}`).find(
    (term) => termShardOf(term) === termShardOf('first'),
  );
  if (second === undefined) throw new Error('Two terms must share a shard.');
  // Of the entries of a segment, each third has the first term, each fifth the second.
  const termsOf = (n: number) => [...(n % 3 === 0 ? ['first'] : []), ...(n % 5 === 0 ? [second] : []), 'all'];
  const segments = Array.from({ length: 6 }, (_, segment) =>
    Array.from({ length: 15 }, (_, n): Entry => ({
      rank: 0,
      id: String(900 - segment * 15 - n),
      terms: termsOf(n),
    })),
  );
  const bulk = createBulkWriter(database);
  const added = await Promise.all(segments.map((entries) => writeSegment(bulk(), partOf('shared'), entries)));
  await addSegments(database, partOf('shared'), added);
  const tester: Tester = { left: 0, test: () => Promise.reject(new Error('no entry must be tested')) };
  for (const reversed of [false, true]) {
    const slice = { after: undefined, reversed, limit: 100 };
    const { rows } = await index.find(createLoad(database), ['first', second], slice, tester);
    const expected = segments.flatMap(([both]) => both?.id ?? []);
    expect(rows.map(({ id }) => id)).toEqual(reversed ? expected.toReversed() : expected);
  }
});

test('the rows of terms that share a shard are stored by few mutations', async () => {
  let mutations = 0;
  const database: Database = {
    ...server.database,
    batch(writes, options) {
      mutations += new Set(writes.map(({ partition }) => partition)).size;
      return server.database.batch(writes, options);
    },
  };
  const entries = Array.from({ length: 2000 }, (_, n): Entry => ({
    rank: 0,
    id: String(90_000 - n),
    terms: Array.from({ length: 10 }, (_, k) => `rare${n} ${k}`),
  }));
  await writeSegments(database, partOf('rarest'), SegmentList.of([]), entries);
  expect(mutations).toBeLessThan(1200);
  let rows = 0;
  for await (const row of database.stream('SELECT list FROM postings', []))
    if (Reflect.get(row, 'list') === 'rarest') rows++;
  expect(rows).toBe(20_000);
});
