import { createBulkWriter } from '../../src/kit/writes/bulk';
import { createLoad } from '../../src/kit/reads/load';
import { putAll } from '../../src/kit/writes/row-writer';
import { takeLease } from '../../src/kit/writes/lease';
import { writeSegments } from '../../src/kit/postings/build-segments';
import { addSegments, commitMaintained, divideList } from '../../src/kit/postings/commit';
import type { Entry, Place } from '../../src/kit/postings/entry';
import { InvertedIndex } from '../../src/kit/postings/inverted-index';
import { INDEX_LIMITS } from '../../src/kit/postings/limits';
import { partFor, partOf } from '../../src/kit/postings/part';
import { SegmentList } from '../../src/kit/postings/segment-list';
import { addEntryWrite } from '../../src/kit/postings/unsealed';
import type { View } from '../../src/kit/postings/view';
import { startHarness, type Harness } from '../support/harness';

const SECOND = 1000;
const limits = {
  ...INDEX_LIMITS,
  partEntriesPerSecond: 10,
  maxParts: 8,
  dividedAfterMs: 0,
  settledAfterMs: 0,
};
const sealing = { afterMs: 0, ageMs: 0 };
const NO_SEGMENTS = SegmentList.of([]);
const NOT_YET = { afterMs: 3600 * SECOND };
const termsOf = (_: unknown, places: readonly Place[]) => Promise.resolve(places.map(() => ['all']));

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** An index of its own of a list, as another server has it. */
function indexOf(list: string, own = limits): InvertedIndex {
  return new InvertedIndex(server.database, { list, termsOf }, own);
}

function entriesOf(count: number): Entry[] {
  return Array.from({ length: count }, (_, n) => ({ rank: 0, id: String(1000 + n), terms: ['all'] }));
}

/** Adds entries as they were added some seconds ago. */
async function add(index: InvertedIndex, entries: readonly Entry[], secondsAgo: number): Promise<void> {
  const at = Date.now() - secondsAgo * SECOND;
  await putAll(
    createBulkWriter(server.database)(),
    entries.map((entry) => addEntryWrite(index, entry, at)),
  );
}

async function found(
  index: InvertedIndex,
  slice: { after?: Place; limit: number },
  term = 'all',
): Promise<string[]> {
  const untested = { left: 0, test: () => Promise.resolve([]) };
  const all = { reversed: false, ...slice };
  return (await index.find(createLoad(server.database), [term], all, untested)).rows.map(({ id }) => id);
}

test('a list that is busy for long is divided once, into as many parts as it needs', async () => {
  const patient = indexOf('busy', { ...limits, dividedAfterMs: 60 * SECOND });
  await add(patient, entriesOf(600), 30);
  await patient.maintain(NOT_YET);
  expect((await patient.update()).parts).toHaveLength(1);
  // 600 entries in 20 seconds are 30 a second.
  const index = indexOf('busy');
  await index.maintain(NOT_YET);
  expect((await patient.update()).parts).toHaveLength(4);
  await index.maintain(NOT_YET);
  expect((await index.update()).parts).toHaveLength(4);
});

test('a list has no fewer parts again, and no more than the most', async () => {
  await indexOf('never fewer').update();
  await divideList(server.database, 'never fewer', 4);
  await divideList(server.database, 'never fewer', 2);
  const index = indexOf('never fewer');
  expect((await index.update()).parts).toHaveLength(4);
  await add(index, entriesOf(4000), 30);
  await indexOf('never fewer').maintain(NOT_YET);
  expect((await index.update()).parts).toHaveLength(8);
});

test('another server may seal one part meanwhile, and pages join where a segment has many chunks', async () => {
  const index = indexOf('two at once');
  await index.update();
  await divideList(server.database, 'two at once', 2);
  await index.update();
  const entries = entriesOf(3000);
  await add(index, entries, 0);
  const lease = await takeLease(server.database, partOf('two at once', 1, 2).lease);
  const inPart = (part: number) => entries.filter(({ id }) => partFor(index, id).number === part).length;
  expect(await index.maintain(sealing)).toBe(inPart(0));
  await lease?.release();
  expect(await indexOf('two at once').maintain(sealing)).toBe(inPart(1));
  const other = indexOf('two at once');
  await other.update();
  expect(other.size()).toMatchObject({ segments: 2, unsealed: 0 });
  const { segments } = await other.update();
  expect([...segments].map(({ bounds }) => bounds)).toEqual([null, null]);
  const all = entries.map(({ id }) => id).toReversed();
  for (let n = 0; n < all.length; n += 700) {
    const after = n === 0 ? {} : { after: { rank: 0, id: all[n - 1] ?? '' } };
    expect(await found(other, { ...after, limit: 700 })).toEqual(all.slice(n, n + 700));
  }
});

test('a list of several parts finds what became visible late within 30 seconds, and at once when some was late', async () => {
  const index = indexOf('late');
  await index.update();
  await divideList(server.database, 'late', 2);
  await index.update();
  const [first, second] = entriesOf(2);
  if (!first || !second) throw new Error('There must be two.');
  await add(index, [first], 8);
  const now = Date.now.bind(Date);
  const pass = (seconds: number) =>
    jest.spyOn(Date, 'now').mockImplementation(() => now() + seconds * SECOND);
  // A server that looks every two seconds.
  for (let seconds = 0; seconds < 28; seconds += 2) {
    pass(seconds);
    expect(await found(index, { limit: 9 })).toEqual([]);
  }
  for (let seconds = 28; seconds <= 32; seconds += 2) {
    pass(seconds);
    await index.update();
  }
  expect(await found(index, { limit: 9 })).toEqual([first.id]);
  jest.restoreAllMocks();
  await add(index, [second], -20);
  pass(32);
  expect(await found(index, { limit: 9 })).toEqual([second.id, first.id]);
});

test('segments that lie one after another are not merged, whatever their ids', async () => {
  const own = { ...limits, segmentEntries: 4 };
  const entries = entriesOf(240);
  const added = [];
  for (let n = 0; n < entries.length; n += 4)
    added.push(
      ...(await writeSegments(
        server.database,
        partOf('disjoint'),
        NO_SEGMENTS,
        entries.slice(n, n + 4).toReversed(),
        {
          limits: own,
        },
      )),
    );
  const index = indexOf('disjoint', own);
  await index.update();
  // Some are read at once, others as a change.
  await addSegments(server.database, partOf('disjoint'), added.slice(0, 30));
  await index.update();
  await addSegments(server.database, partOf('disjoint'), added.slice(30));
  const idsOf = ({ segments }: View) => [...segments].map(({ segment }) => segment);
  const before = idsOf(await index.update());
  await index.maintain(NOT_YET);
  expect(idsOf(await index.update())).toEqual(before);
  expect(before).toHaveLength(60);
});

test('what others have changed in a part is a conflict only for the same segments, and if they have sealed it', async () => {
  const { database } = server;
  const list = 'apart';
  const index = indexOf(list);
  await index.update();
  const [one] = await writeSegments(database, partOf(list), NO_SEGMENTS, entriesOf(1));
  const [other] = await writeSegments(database, partOf(list), NO_SEGMENTS, entriesOf(1));
  const [part] = (await index.update()).parts;
  if (!part || !one || !other) throw new Error('There must be a part and two segments.');
  const mark = ({ segment }: { segment: string }) =>
    commitMaintained(database, part, { added: [], superseded: [{ segment, superseded: Buffer.of(0) }] });
  await mark(one);
  await mark(other);
  await expect(mark(one)).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } });
  const [now] = (await index.update()).parts;
  if (!now) throw new Error('There must be a part.');
  await commitMaintained(database, now, { added: [], sealedThrough: new Date() });
  const late = commitMaintained(database, now, { added: [] });
  await expect(late).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } });
});

test('after a division, a part waits until those are sealed that may have an earlier entry of the same place', async () => {
  const index = indexOf('again');
  const list = 'again';
  await index.update();
  const place = { rank: 0, id: '1001' };
  await add(index, [{ ...place, terms: ['before'] }], 0);
  await divideList(server.database, list, 2);
  await index.update();
  await add(index, [{ ...place, terms: ['after'] }], 0);
  const first = await takeLease(server.database, partOf(list, 0, 2).lease);
  expect(await index.maintain(sealing)).toBeNull();
  await first?.release();
  const second = await takeLease(server.database, partOf(list, 1, 2).lease);
  expect(await index.maintain(sealing)).toBe(1);
  await second?.release();
  expect(await index.maintain(sealing)).toBe(1);
  const other = indexOf(list);
  await other.update();
  expect(other.size()).toMatchObject({ parts: 2, segments: 2, unsealed: 0 });
  expect([await found(other, { limit: 9 }, 'before'), await found(other, { limit: 9 }, 'after')]).toEqual([
    [],
    ['1001'],
  ]);
});

test('what was added again and sealed while a server was suspended is found by what it has now', async () => {
  const index = indexOf('suspended');
  const place = { rank: 0, id: '7' };
  await add(index, [{ ...place, terms: ['before'] }], 0);
  const suspended = indexOf('suspended');
  expect(await found(suspended, { limit: 9 }, 'before')).toEqual(['7']);
  await add(index, [{ ...place, terms: ['after'] }], 0);
  expect(await index.maintain(sealing)).toBe(1);
  expect(await found(suspended, { limit: 9 }, 'after')).toEqual(['7']);
  expect(await found(suspended, { limit: 9 }, 'before')).toEqual([]);
});
