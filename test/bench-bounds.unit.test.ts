import { isObjectType, parse, validate } from 'graphql';
import { unmeasured } from '../bench/compare-bounds';
import { probes, probesOfPlaces } from '../bench/bounds/probes';
import { createSchema } from '../src/app';

const schema = createSchema();
const all = [...probes, ...probesOfPlaces];

test.each(all.map(({ field, order = '', source }) => [field, order, source]))(
  'the benchmark asks for %s %s by a query that is valid and selects it',
  (field, _order, source) => {
    expect(validate(schema, parse(source))).toEqual([]);
    const [typeName = '', name = ''] = field.split('.');
    const type = schema.getType(typeName);
    expect(isObjectType(type) && name in type.getFields()).toBe(true);
    expect(source).toMatch(new RegExp(`\\b${name}\\b`));
  },
);

test('every field of a query that reads is measured', () => {
  const roots = ['Mutation.', 'Subscription.'];
  expect(unmeasured().filter((field) => !roots.some((root) => field.startsWith(root)))).toEqual([]);
});
