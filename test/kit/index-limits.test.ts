import { setTimeout as sleep } from 'node:timers/promises';
import { createBulkWriter } from '../../src/kit/writes/bulk';
import { createLoad } from '../../src/kit/reads/load';
import { putAll } from '../../src/kit/writes/row-writer';
import type { Database } from '../../src/kit/cassandra/database';
import { partOf } from '../../src/kit/postings/part';
import { measureEntry, type Entry, type Place } from '../../src/kit/postings/entry';
import { InvertedIndex } from '../../src/kit/postings/inverted-index';
import { INDEX_LIMITS } from '../../src/kit/postings/limits';
import { addEntryWrite } from '../../src/kit/postings/unsealed';
import { tweetIndexesIn } from '../../src/features/search/tweet-index';
import { person, startHarness, type Harness } from '../support/harness';
import { codesOf, post } from '../support/mutations';

const HOUR = 3_600_000;
const COUNT = 200;
/** As many terms as a flood has, of which most are in no other entry. */
const entryOf = (n: number): Entry => ({
  rank: 0,
  id: String(1000 + n),
  terms: ['all', ...Array.from({ length: 40 }, (_, k) => `${n} ${k}`)],
});
const largest = measureEntry(entryOf(COUNT));
const limits = {
  ...INDEX_LIMITS,
  ...{ segmentEntries: 1000, segmentBytes: 20 * largest, dueEntries: 1000, tailBytes: 100_000 },
};

let server: Harness;
beforeAll(async () => {
  jest.replaceProperty(INDEX_LIMITS, 'tailBytes', 2000);
  server = await startHarness();
  await server.store([person('1', 'ada')]);
});

const RELEASE = 'UPDATE leases SET holder = null WHERE name = ? IF EXISTS';

/** An index of its own of a list, as another server has it. */
function indexOf(list: string, database: Database = server.database, sealedEveryMs = 0) {
  const termsOf = (_: unknown, places: readonly Place[]) =>
    Promise.resolve(places.map(({ id }) => entryOf(Number(id) - 1000).terms));
  return new InvertedIndex(database, { list, termsOf }, { ...limits, sealedEveryMs });
}

async function found(index: InvertedIndex, term: string): Promise<string[]> {
  const untested = { left: 0, test: () => Promise.resolve([]) };
  const slice = { reversed: false, limit: 2 * COUNT };
  return (await index.find(createLoad(server.database), [term], slice, untested)).rows.map(({ id }) => id);
}

/** Adds entries, each a millisecond after the one before, as they were added a minute ago. */
async function add(list: string, entries: readonly Entry[]): Promise<void> {
  const from = Date.now() - 60_000;
  const writes = entries.map((entry, n) => addEntryWrite({ list, parts: 1 }, entry, from + n));
  await putAll(createBulkWriter(server.database)(), writes);
}

const entries = Array.from({ length: COUNT }, (_, n) => entryOf(n));
const all = entries.map(({ id }) => id).toReversed();

async function expectBounded(index: InvertedIndex): Promise<void> {
  const { segments } = await index.update();
  for (const segment of segments) expect(segment.bytes).toBeLessThanOrEqual(limits.segmentBytes + largest);
  expect(await found(index, 'all')).toEqual(all);
}

test('a full tail has the oldest entries, no more may be added, and what is sealed and merged in parts makes room', async () => {
  const index = indexOf('flood');
  await add('flood', entries);
  await index.update();
  const { unsealed, bytes } = index.size();
  expect(bytes).toBeLessThan(limits.tailBytes + 3 * largest);
  expect(unsealed).toBeGreaterThan(10);
  expect(await found(index, 'all')).toEqual(all.slice(-unsealed));
  const refused = new Promise<void>((resolve) => {
    index.requireRoom('1');
    resolve();
  });
  await expect(refused).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE', retryAfter: 10 } });
  expect(await index.maintain({ afterMs: HOUR, ageMs: 0 })).toBe(COUNT);
  await index.update();
  index.requireRoom('1');
  await expectBounded(index);
  for (let n = 0; n < 3; n++) await index.maintain({ afterMs: HOUR, ageMs: 0 });
  await expectBounded(index);
  async function* places() {
    await Promise.resolve();
    yield* entries;
  }
  const done = () => Promise.resolve();
  expect(await index.rebuild(places(), done, () => undefined)).toBe(COUNT);
  await expectBounded(index);
});

test('once the tail is half full, a person may add ten entries, and so may others', async () => {
  const index = indexOf('shared');
  const added = (person: string) => {
    for (let n = 0; n < 20; n++)
      try {
        index.requireRoom(person);
      } catch {
        return n;
      }
    return 20;
  };
  expect(added('1')).toBe(20);
  await add('shared', entries.slice(0, 15));
  await index.update();
  expect(index.fullness()).toBeGreaterThan(1 / 2);
  expect(index.fullness()).toBeLessThan(1);
  expect([added('1'), added('1'), added('2')]).toEqual([10, 0, 10]);
});

test('a server that fails between two parts of a sealing leaves the rest to the next one', async () => {
  let commits = 0;
  const failing: Database = {
    ...server.database,
    compareAndWrite: (writes) =>
      writes.some(({ query }) => query.includes('sealed_through')) && ++commits === 4
        ? Promise.reject(new Error('the server has failed'))
        : server.database.compareAndWrite(writes),
  };
  await add('failing', entries);
  const sealing = { afterMs: HOUR, ageMs: 0 };
  await expect(indexOf('failing', failing).maintain(sealing)).rejects.toThrow('the server has failed');
  const index = indexOf('failing');
  await index.update();
  expect(index.size().segments).toBeGreaterThan(0);
  expect(await index.maintain(sealing)).toBeLessThan(COUNT);
  await expectBounded(index);
});

test.each(['seals', 'merges'])(
  'what a server that stood still while it %s would commit is refused, because another one has done so since',
  async (act) => {
    const list = `stood still ${act}`;
    const sealing = { afterMs: 0, ageMs: 0 };
    let terms = ['old'];
    const termsOf = (_: unknown, places: readonly Place[]) => Promise.resolve(places.map(() => terms));
    const addAgain = async (more: readonly string[]) => {
      terms = [...more];
      await putAll(createBulkWriter(server.database)(), [
        addEntryWrite({ list, parts: 1 }, { rank: 0, id: '1', terms }),
      ]);
    };
    const other = new InvertedIndex(server.database, { list, termsOf });
    // A merge waits for eight segments.
    for (let n = 0; n < (act === 'seals' ? 1 : 7); n++) {
      await addAgain(['old']);
      await other.maintain(sealing);
    }
    await addAgain(['between']);
    let stands = true;
    const standing: Database = {
      ...server.database,
      async compareAndWrite(writes) {
        const isMerge = writes.some(({ params }) => params.includes('replaced'));
        if (
          stands &&
          writes.some(({ query }) => query.includes('sealed_through')) &&
          isMerge === (act === 'merges')
        ) {
          stands = false;
          await server.database.compareAndWrite([{ query: RELEASE, params: [partOf(other.list).lease] }]);
          await other.maintain(sealing);
          await addAgain(['new']);
          await other.maintain(sealing);
        }
        return server.database.compareAndWrite(writes);
      },
    };
    const late = new InvertedIndex(standing, { list, termsOf });
    await expect(late.maintain(sealing)).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } });
    expect(stands).toBe(false);
    const fresh = new InvertedIndex(server.database, { list, termsOf });
    expect([await found(fresh, 'old'), await found(fresh, 'between'), await found(fresh, 'new')]).toEqual([
      [],
      [],
      ['1'],
    ]);
  },
);

test('while the tail is full, posts are refused and may be tried again, and so are likes', async () => {
  const { newest, liked } = tweetIndexesIn(server.database);
  const words = Array.from({ length: 20 }, (_, n) => `word${n}`).join(' ');
  const { id } = await post(server, '1', { content: words });
  await newest.update();
  expect(await codesOf(server, '1', 'createTweet', { input: { content: 'more' } })).toEqual(['UNAVAILABLE']);
  expect(await codesOf(server, '1', 'likeTweet', { id })).toEqual([]);
  await liked.update();
  expect(await codesOf(server, '1', 'likeTweet', { id })).toEqual(['UNAVAILABLE']);
  expect(await codesOf(server, '1', 'unlikeTweet', { id })).toEqual([]);
  await newest.maintain({ afterMs: HOUR, ageMs: 0 });
  await newest.update();
  expect(await codesOf(server, '1', 'createTweet', { input: { content: 'more' } })).toEqual([]);
});

test('a part is not sealed again just now, however many entries have come', async () => {
  const list = 'not too often';
  const index = indexOf(list);
  await add(list, entries);
  const sealing = { afterMs: HOUR, ageMs: 0 };
  expect(await index.maintain(sealing)).toBe(COUNT);
  const now = Date.now();
  const later = entries.map((_, n) => addEntryWrite({ list, parts: 1 }, entryOf(COUNT + n), now));
  await putAll(createBulkWriter(server.database)(), later);
  while (Date.now() <= now) await sleep(1);
  expect(await indexOf(list, server.database, HOUR).maintain(sealing)).toBeNull();
  expect(await index.maintain(sealing)).toBe(COUNT);
});
