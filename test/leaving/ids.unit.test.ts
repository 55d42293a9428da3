import { features, tables, writeFeatures } from '../../src/app';
import { columnsWith, keepingIds } from '../../src/jobs/find-id';
import { isHeldIn, replaceId } from '../../src/kit/base/ids';
import { partsInOrder } from '../../src/write/account/delete-account';
import { sweptBy } from '../../src/write/account/sweep';

/** What ids are of besides the types with global ids: parts of indexes and of the map, folders, and places in lists. */
const OTHER_KINDS = ['Cell', 'Entry', 'Folder', 'Place', 'Segment'];

test('each column with an id says of what it is, so that whatever holds the id of a person can be found', () => {
  const silent = tables.flatMap(({ name, columns }) =>
    Object.entries(columns).flatMap(([property, { cql, ids }]) =>
      (cql === 'bigint' || /Ids?$/.test(property)) && property !== 'taskId' && !ids?.length
        ? [`${name}.${property}: declare it by idOf('User'), or what it is of, or by holding(…, 'User')`]
        : [],
    ),
  );
  expect(silent).toEqual([]);
});

test('what ids are of are types with global ids', () => {
  const types = new Set([
    ...features.flatMap(({ nodeTypes = {} }) => Object.keys(nodeTypes)),
    ...OTHER_KINDS,
  ]);
  const named = new Set(
    tables.flatMap(({ columns }) => Object.values(columns).flatMap(({ ids = [] }) => ids)),
  );
  expect([...named].filter((type) => !types.has(type))).toEqual([]);
});

test.each([
  ['42', true],
  ['41 42', true],
  ['{"author_id":"42"}', true],
  ['{"id":42}', true],
  [['7', '42'], true],
  ['@42, hello', true],
  [{ author: 42 }, true],
  ['421', false],
  ['142', false],
  ['0.42', false],
  ['42.5', false],
  [['4', '2'], false],
  [null, false],
  [undefined, false],
  [new Date(42), false],
  ['', false],
])('%j holds the id 42: %s', (value, holds) => {
  expect(isHeldIn(value, '42')).toBe(holds);
});

/** The tables that have ids while something is under way, and have none once it has ended. */
const UNDER_WAY = ['account_deletions', 'leaving_users', 'outbox', 'list_buckets'];

test('whatever may hold the id of a person is removed by a part of the deletion, swept, or kept for a reason', () => {
  const removed = new Set([
    ...partsInOrder(writeFeatures).flatMap((part) => part.tables.map(({ name }) => name)),
    ...sweptBy(writeFeatures).map(({ table }) => table.name),
    ...Object.keys(keepingIds),
    ...UNDER_WAY,
  ]);
  const forgotten = tables.filter(
    (table) => columnsWith(table, 'User').length > 0 && !removed.has(table.name),
  );
  expect(forgotten.map(({ name }) => `${name}: say in WriteFeature.leaving how it is removed`)).toEqual([]);
});

test('an id is replaced in a record where it is a whole number, and nowhere else', () => {
  const record = '{"id":42,"id_str":"42","of":142,"text":"42 and 4242, 42.5"}';
  expect(replaceId(record, '42', '0')).toBe('{"id":0,"id_str":"0","of":142,"text":"0 and 4242, 42.5"}');
});
