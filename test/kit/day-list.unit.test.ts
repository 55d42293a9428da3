import { id, text, timestamp } from '../../src/kit/cassandra/column';
import { listOwnerOf, shardOwnerFor, shardOwners } from '../../src/kit/cassandra/list-shards';
import { listTable } from '../../src/kit/cassandra/table';
import { removalOf, writeOf } from '../../src/kit/cassandra/write';
import { dayIn, dayList, nameDay } from '../../src/kit/lists/day-list';

const columns = { noteId: id, writtenAt: timestamp, note: text(100) };
const load = { rows: { note: 1 }, bytes: 50 };
const declare = (shards?: number) =>
  dayList('notes_by_day', columns, {
    writeLoad: load,
    moment: 'writtenAt',
    order: 'noteId',
    ...(shards !== undefined && { shards }),
  });
const writtenAt = new Date('2026-10-31T23:59:59.999Z');

test('a row is in the shard of its id, and the list of its day', () => {
  const notes = declare(16);
  const row = { noteId: '39', writtenAt, note: '' };
  expect(notes.dayFor(row)).toEqual({ day: '2026103107' });
  const write = writeOf(notes, { ...row, ...notes.dayFor(row) });
  expect(write.unassigned).toMatchObject({ owner: '20261031', shardOwner: '2026103107' });
  const removal = removalOf(notes, { ...row, ...notes.dayFor(row) });
  expect(removal.unassigned).toMatchObject({ owner: '20261031', shardOwner: '2026103107', isRemoval: true });
  expect(notes.writeLoads).toEqual([{ ...load, spread: { over: 'time', seconds: 86_400, shards: 16 } }]);
});

test('a day that is not divided is named by its digits', () => {
  const notes = declare();
  expect(notes.dayFor({ noteId: '39', writtenAt })).toEqual({ day: '20261031' });
});

test.each(['2026-10-31', '0999-01-02', '1970-01-01', '9999-12-31'])(
  'the day %s is told by each of its shards',
  (day) => {
    for (const shards of [1, 16, 100]) {
      const name = nameDay(new Date(day));
      const owners = shardOwners({ shards }, name);
      expect(new Set(owners).size).toBe(shards);
      for (const owner of owners) {
        expect(listOwnerOf({ shards }, owner)).toBe(name);
        expect(dayIn({ shards }, owner)).toBe(day);
      }
      expect(owners).toContain(shardOwnerFor({ shards }, name, '12345'));
    }
  },
);

test('a list has 1 to 100 shards', () => {
  for (const shards of [0, 101])
    expect(() => listTable('notes', columns, { owner: 'note', clustering: ['noteId'], shards })).toThrow(
      `shards of notes must be 1 to 100, but is ${shards}.`,
    );
});

test('only a moment tells the day of a row', () => {
  // @ts-expect-error A note is no moment.
  const wrong = () => dayList('wrong', columns, { load, moment: 'note', order: 'noteId' });
  expect(wrong).toBeDefined();
});
