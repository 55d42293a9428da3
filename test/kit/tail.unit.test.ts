import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { comparePlaces, type Place } from '../../src/kit/postings/entry';
import { Tail } from '../../src/kit/postings/tail';

/** Numbers from 0 to 1 that are the same each time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const placesOf = (places: readonly Place[]) => places.map(({ rank, id }) => `${rank} ${id}`);

test('entries are found in the order of the list, in whatever order they come, also those that come again', () => {
  const random = randomFrom(5);
  const tail = new Tail();
  const expected = new Map<string, Place & { terms: string[] }>();
  for (let n = 0; n < 2000; n++) {
    const terms = ['all', ...['a', 'b', 'c'].filter(() => random() < 0.3)];
    const entry = { at: n, rank: Math.floor(random() * 3), id: String(Math.floor(random() * 700)), terms };
    tail.add(entry, n);
    expected.set(`${entry.rank} ${entry.id}`, entry);
  }
  expect(tail.size).toBe(expected.size);
  const all = [...expected.values()].sort(comparePlaces);
  for (const terms of [['all'], ['a'], ['b', 'c'], ['all', 'a', 'b', 'c']]) {
    const wanted = all.filter((entry) => terms.every((term) => entry.terms.includes(term)));
    const found = tail.find(terms, { reversed: false, limit: Infinity });
    expect(placesOf(found)).toEqual(placesOf(wanted));
    expect(placesOf(tail.find(terms, { reversed: true, limit: Infinity }))).toEqual(
      placesOf(wanted).reverse(),
    );
  }
  tail.drop(999);
  const left = all.filter((entry) => Number(Reflect.get(entry, 'at')) > 999);
  expect(placesOf(tail.find(['all'], { reversed: false, limit: Infinity }))).toEqual(placesOf(left));
  tail.drop(Infinity);
  expect(tail.find(['all'], { reversed: false, limit: Infinity })).toEqual([]);
});

test('an entry takes little time, also in the middle of a long list', () => {
  const random = randomFrom(7);
  const tail = new Tail();
  const entries = Array.from({ length: 10_000 }, (_, n) => ({
    at: n,
    rank: 0,
    id: String(Math.floor(random() * 1e12)),
    terms: ['common'],
  }));
  const began = process.cpuUsage();
  for (const entry of entries) tail.add(entry, 1);
  // Comparing each one with half of the others takes four seconds.
  expect(process.cpuUsage(began).user / 1e6).toBeLessThan(1);
  expect(tail.size).toBe(10_000);
});

test.each([
  ['terms that no other entry has', 512, 1e9, 200],
  ['few terms that many entries have', 15, 1000, 5000],
])('what a tail counts is at least the memory that it takes: %s', async (_what, each, different, count) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heapUsed = async () => {
    for (let n = 0; n < 3; n++) {
      await nextTurn();
      collect();
    }
    return process.memoryUsage().heapUsed;
  };
  const random = randomFrom(9);
  // As the driver makes them, which shares no text.
  const text = (value: string) => Buffer.from(value).toString();
  const term = () => text(`字${Math.floor(random() * different)}`);
  const tail = new Tail();
  const before = await heapUsed();
  for (let n = 0; n < count; n++)
    tail.add({ at: n, rank: 0, id: text(String(1e18 + n)), terms: Array.from({ length: each }, term) }, 1);
  const taken = (await heapUsed()) - before;
  expect(tail.bytes).toBeGreaterThan(taken);
  expect(tail.bytes).toBeLessThan(3 * taken);
  tail.drop(count / 2);
  expect(tail.bytes).toBeLessThan(0.8 * 3 * taken);
  tail.drop(Infinity);
  expect(tail.bytes).toBe(0);
});
