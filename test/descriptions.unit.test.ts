import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  type GraphQLField,
  type GraphQLInputField,
} from 'graphql';
import { createSchema, tables } from '../src/app';

const schema = createSchema();

/** What of a schema has a description, by its coordinate, and the description. */
function* described(): Generator<readonly [coordinate: string, description: string]> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type) || type.name === 'JSON') continue;
    yield [type.name, type.description ?? ''];
    if (isEnumType(type))
      for (const { name, description } of type.getValues()) yield [`${type.name}.${name}`, description ?? ''];
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields())) {
      yield [`${type.name}.${field.name}`, field.description ?? ''];
      for (const argument of 'args' in field ? field.args : [])
        yield [`${type.name}.${field.name}(${argument.name}:)`, argument.description ?? ''];
    }
  }
}

/** The sentences that were written: the bounds of arguments are added to them. */
function sentences(description: string): string[] {
  return description
    .split(/(?<=\.) (?=[A-Z`])/)
    .filter((sentence) => !/^(An argument has a|A)t most /.test(sentence));
}

test('a description has at most two sentences', () => {
  const long = [...described()].filter(([, description]) => sentences(description).length > 2);
  expect(long).toEqual([]);
});

test('a description says nothing of tables, partitions and costs, which the directives tell', () => {
  const storage = new RegExp(
    `\\b(${tables
      .map(({ name }) => name)
      .filter((name) => name.includes('_'))
      .join('|')}|partitions?|transactions?|[Cc]osts?)\\b`,
  );
  expect([...described()].filter(([, description]) => storage.test(description))).toEqual([]);
});

test('every field has a description', () => {
  const fields = [...described()].filter(([coordinate]) => /^\w+\.[a-z]\w*$/.test(coordinate));
  expect(fields.filter(([, description]) => description === '')).toEqual([]);
});
