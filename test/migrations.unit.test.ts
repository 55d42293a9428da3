import { join } from 'node:path';
import { readMigrations } from '../src/kit/cassandra/migration-files';

const folders = ['../cql', '../examples/hotels/cql', '../examples/weather/cql'].map((folder) =>
  join(__dirname, folder),
);

test.each(folders)('every file of %s only adds, or only takes away and says so in its name', (folder) => {
  const files = readMigrations(folder);
  expect(files.length).toBeGreaterThan(0);
  for (const { name, isExpansion, statements } of files) {
    const isContraction = /^\d{3}-contract-/.test(name);
    expect([name, isExpansion]).toEqual([name, !isContraction]);
    if (isContraction)
      for (const statement of statements)
        expect([name, statement]).toEqual([name, expect.stringMatching(/\bDROP\b/i)]);
  }
});

test.each(folders)(
  'the numbers of the files of %s have no gap, so that two changes made at one time meet in review',
  (folder) => {
    const numbers = readMigrations(folder).map(({ name }) => Number(name.slice(0, 3)));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  },
);
