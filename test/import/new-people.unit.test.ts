import { createNewPeople } from '../../src/import/store/search-rows';

test('more new people than are remembered are forgotten, because all users are indexed then', async () => {
  const people = createNewPeople();
  const some = (from: number) => Array.from({ length: 150_000 }, (_, n) => String(from + n));
  expect([people.add(some(1)), people.add(some(150_001)), people.add(['300001'])]).toEqual([
    true,
    true,
    false,
  ]);
  expect(people.add(['300002'])).toBe(false);
  // Nobody is left whose name would be read.
  await people.index(null as never);
});
