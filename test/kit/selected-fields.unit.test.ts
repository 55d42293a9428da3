import { buildSchema, graphql, type GraphQLResolveInfo } from 'graphql';
import { returnEarlyPages } from '../../src/kit/graphql/early-page';
import { selectedFields } from '../../src/kit/graphql/selected-fields';

const schema = buildSchema(`
  interface Named { name: String }
  type Person implements Named { name: String age: Int friends: [Person!]! }
  type Place implements Named { name: String area: Int }
  union Found = Person | Place
  union Other = Place
  type Query { found: Found }
`);

/** The fields that a query selects of persons; "?" marks those that may be left out. */
async function selectedOfPersons(selections: string, fragments = ''): Promise<string[]> {
  let selected: string[] = [];
  const found = (_args: unknown, _context: unknown, info: GraphQLResolveInfo) => {
    selected = selectedFields(info, 'Person').map(
      ({ node, mayBeLeftOut }) => node.name.value + (mayBeLeftOut ? '?' : ''),
    );
    return null;
  };
  const source = `{ found { ${selections} } } ${fragments}`;
  expect(await graphql({ schema, source, rootValue: { found } })).toEqual({ data: { found: null } });
  return selected;
}

test('fragments on the type, its interfaces and unions count, those on other types do not', async () => {
  expect(
    await selectedOfPersons(`
      __typename
      ... { ... on Person { age } }
      ... on Named { name }
      ... on Found { ... on Person { friends { age } } ... on Place { area } }
      ... on Place { area }
    `),
  ).toEqual(['__typename', 'age', 'name', 'friends']);
  expect(
    await selectedOfPersons('...other', 'fragment other on Place { ... on Other { ...on Place { area } } }'),
  ).toEqual([]);
});

test('a directive of a field or of a fragment around it may leave it out', async () => {
  expect(
    await selectedOfPersons(
      '... on Person { name @skip(if: false) age } ...later @include(if: false)',
      'fragment later on Person { friends { age } }',
    ),
  ).toEqual(['name?', 'age', 'friends?']);
});

test('the merged nodes of a field count together, and each named fragment once', async () => {
  const fragment = 'fragment person on Person { age }';
  expect(await selectedOfPersons('...person } found { ...person ... on Named { name }', fragment)).toEqual([
    'age',
    'name',
  ]);
});

test('pages are read early only for fields of object types that have resolvers', () => {
  expect(() => {
    returnEarlyPages(schema, 'Named', ['name']);
  }).toThrow('Named must be an object type, but is not.');
  expect(() => {
    returnEarlyPages(schema, 'Person', ['friends']);
  }).toThrow('Person.friends must be a field with a resolver, but is not.');
});
