import { createSchema } from '../../src/app';
import { silentNulls } from '../../src/tools/testing/silent-nulls';

const schema = createSchema();
const failure = (...path: (string | number)[]) => ({ path });

const LIKE = 'mutation { one: likeTweet(id: "1") { tweet { id } } }';
const TIMELINES =
  '{ users: nodes(ids: ["1"]) { ... on User { mine: timeline(first: 1) { pageInfo { hasNextPage } } } } }';

test.each([
  ['a mutation without an error', LIKE, { one: null }, [], ['one']],
  ['a mutation with an error', LIKE, { one: null }, [failure('one')], []],
  [
    'a mutation with an error of a part that must not be null',
    LIKE,
    { one: null },
    [failure('one', 'tweet')],
    [],
  ],
  ['a mutation with an error elsewhere', LIKE, { one: null }, [failure('oneMore')], ['one']],
  ['a mutation that has a value', LIKE, { one: { tweet: { id: '1' } } }, [], []],
  [
    'a field in a list',
    TIMELINES,
    { users: [{ mine: null }, null, { mine: null }, {}] },
    [failure('users', 0, 'mine')],
    ['users.2.mine'],
  ],
  ['a field that may be null', '{ node(id: "1") { id } }', { node: null }, [], []],
  ['no data', LIKE, null, [], []],
])('%s', (_what, source, data, errors, silent) => {
  expect(silentNulls(schema, source, { data, errors })).toEqual(silent);
});
