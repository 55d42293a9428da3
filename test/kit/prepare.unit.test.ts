import { buildSchema, execute, parse, type OperationDefinitionNode } from 'graphql';
import { prepareOperation } from '../../src/kit/graphql/prepare';

const schema = buildSchema('type Query { pet: Pet } type Pet { name: String age: Int friend: Pet }');
const root = { pet: { name: 'Ada', age: 3, friend: { name: 'Bo', age: 4 } } };

test.each([
  'query ($no: Boolean = false) { pet { ...P @include(if: $no) age ...P } } fragment P on Pet { name }',
  '{ pet { friend @skip(if: true) { age ...P } friend { ...P } } } fragment P on Pet { name }',
  '{ pet @skip(if: true) { friend { ...P } ... { friend { age } } } pet { age } } fragment P on Pet { name }',
  'query ($no: Boolean = false) { pet { friend @include(if: $no) { name } age } }',
])('a field is answered where one of the places that ask for it is not left out: %s', async (source) => {
  const document = parse(source);
  const operation = document.definitions[0] as OperationDefinitionNode;
  const { run } = prepareOperation(schema, document, operation);
  const expected = await execute({ schema, document, rootValue: root });
  expect(expected.errors).toBeUndefined();
  expect(await run(root, {}, {})).toEqual(expected);
});
