import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { randomFrom } from '../../src/kit/base/random';
import { comparePlaces, type Place } from '../../src/kit/postings/entry';
import { Tail } from '../../src/kit/postings/tail';

const placesOf = (places: readonly Place[]) => places.map(({ rank, id }) => `${rank} ${id}`);

test('entries are found in the order of the list, in whatever order they come, also those that come again', () => {
  const random = randomFrom(5);
  const tail = new Tail();
  const expected = new Map<string, Place & { terms: string[] }>();
  for (let n = 0; n < 2000; n++) {
    const terms = ['all', ...['a', 'b', 'c'].filter(() => random() < 0.3)];
    const entry = {
      part: 0,
      at: n,
      rank: Math.floor(random() * 3),
      id: String(Math.floor(random() * 700)),
      terms,
    };
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
  tail.drop([999]);
  const left = all.filter((entry) => Number(Reflect.get(entry, 'at')) > 999);
  expect(placesOf(tail.find(['all'], { reversed: false, limit: Infinity }))).toEqual(placesOf(left));
  tail.drop([Infinity]);
  expect(tail.find(['all'], { reversed: false, limit: Infinity })).toEqual([]);
});

test('an entry takes little time, also in the middle of a long list', () => {
  const random = randomFrom(7);
  const tail = new Tail();
  const entries = Array.from({ length: 10_000 }, (_, n) => ({
    part: 0,
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

test('a drop with the moments of the last one looks at no entry', () => {
  const tail = new Tail();
  for (let n = 0; n < 100; n++) tail.add({ part: 0, at: n, rank: 0, id: String(n), terms: [] }, 1);
  const looks = jest.spyOn(Map.prototype, 'values');
  tail.drop([9]);
  expect(looks).toHaveBeenCalled();
  looks.mockClear();
  tail.drop([9]);
  expect(looks).not.toHaveBeenCalled();
  looks.mockRestore();
  expect(tail.size).toBe(90);
});

test('what a tail counts is at least the memory that it takes, and not much more', () => {
  const program = ['--expose-gc', join(__dirname, '../support/run.cjs'), join(__dirname, 'measure-tail.ts')];
  const said = execFileSync(process.execPath, program, { encoding: 'utf8' });
  const { taken, counted } = JSON.parse(said) as { taken: number; counted: number };
  expect(counted).toBeGreaterThan(taken);
  expect(counted).toBeLessThan(2 * taken);
});

test('what is dropped counts no more', () => {
  const tail = new Tail();
  for (let n = 0; n < 100; n++)
    tail.add({ part: 0, at: n, rank: 0, id: String(n), terms: ['all', `own ${n}`, `shared ${n % 3}`] }, 1);
  const all = tail.bytes;
  tail.drop([49]);
  expect(tail.bytes / all).toBeCloseTo(1 / 2, 1);
  tail.drop([Infinity]);
  expect(tail.bytes).toBe(0);
});
