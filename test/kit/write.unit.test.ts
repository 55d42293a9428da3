import { id, text, texts } from '../../src/kit/cassandra/column';
import { table } from '../../src/kit/cassandra/table';
import { writeOf, writesOf } from '../../src/kit/cassandra/write';

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
