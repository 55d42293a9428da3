import { buildSchema, graphql, type GraphQLObjectType, type GraphQLResolveInfo } from 'graphql';
import { selectedFields } from '../../src/kit/cost/selects';
import { returnEarlyPages } from '../../src/kit/graphql/early-page';

const schema = buildSchema(`
  interface Named { name: String }
  type Person implements Named { name: String age: Int friends: [Person!]! }
  type Place implements Named { name: String area: Int }
  union Found = Person | Place
  union Other = Place
  type Query { found: Found }
`);

/** The fields that a query selects of persons. */
async function selectedOfPersons(selections: string, fragments = ''): Promise<string[]> {
  let selected: string[] = [];
  const found = (_args: unknown, _context: unknown, info: GraphQLResolveInfo) => {
    const person = info.schema.getType('Person') as GraphQLObjectType;
    selected = selectedFields(info, person).map((nodes) => nodes.map(({ name }) => name.value).join(' '));
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

test('what a directive of a field or of a fragment around it leaves out is not selected', async () => {
  expect(
    await selectedOfPersons(
      '... on Person { name @skip(if: true) age } ...later @include(if: false) ... @include(if: true) { ...later }',
      'fragment later on Person { friends { age } }',
    ),
  ).toEqual(['age', 'friends']);
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
