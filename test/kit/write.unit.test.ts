import { id, text, texts } from '../../src/kit/cassandra/column';
import { table } from '../../src/kit/cassandra/table';
import { ttlOf, writeOf, writesOf } from '../../src/kit/cassandra/write';

const notes = table(
  'notes',
  { noteId: id, body: text(100_000), tags: texts(1000) },
  { partition: ['noteId'] },
);

test('an empty list is left unset, because the driver would write it as a tombstone', () => {
  const row = { noteId: '1', body: 'one', tags: [] };
  expect(writeOf(notes, row).params).toEqual(['1', 'one', undefined]);
  expect(writeOf(notes, { ...row, tags: ['a'] }).params).toEqual(['1', 'one', ['a']]);
  const write = writesOf(notes, row);
  expect(write({ noteId: '1' }, { at: 1 }).params[2]).toBeUndefined();
});

test('a row that would expire after the last moment that Cassandra can tell does not expire', () => {
  const YEAR_SECONDS = 365 * 86_400;
  const now = jest.spyOn(Date, 'now');
  const at = (moment: string, seconds: number) => {
    now.mockReturnValue(Date.parse(moment));
    return ttlOf(seconds);
  };
  const ttls = [
    at('2026-01-01', 1),
    at('2026-01-01', 11 * YEAR_SECONDS),
    at('2026-01-01', 13 * YEAR_SECONDS),
    at('2006-01-01', 20 * YEAR_SECONDS),
    at('2006-01-01', 20 * YEAR_SECONDS + 1),
    at('2037-12-31', 86_400),
    at('2040-01-01', 1),
  ];
  now.mockRestore();
  expect(ttls).toEqual([1, 11 * YEAR_SECONDS, 0, 20 * YEAR_SECONDS, 0, 86_400, 0]);
});
