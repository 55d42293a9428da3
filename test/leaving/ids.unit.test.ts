import { features, tables } from '../../src/app';
import { isHeldIn } from '../../src/jobs/find-id';

/** What ids are of besides the types with global ids: parts of indexes and of the map. */
const OTHER_KINDS = ['Cell', 'Entry', 'Segment'];

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
