import { isObjectType } from 'graphql';
import { createFieldReads } from '../../src/kit/cost/field-cost';
import { askedOf } from '../../src/kit/cost/query-cost';
import { boundsOf, declarationOf } from '../../src/kit/cost/reads';
import { createSchema } from '../../src/schema';

/** Each field that reads, with what its bound consists of. */
const fields = Object.values(createSchema().getTypeMap())
  .filter(isObjectType)
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
  .filter(({ field }) => boundsOf(field).length > 0)
  .map(({ type, field }) => {
    const defaults = Object.fromEntries(field.args.map(({ name, defaultValue }) => [name, defaultValue]));
    const args = { ...defaults, ...declarationOf(field).example?.args };
    const { tables } = createFieldReads()
      .ofObject(1)
      .cost(field, askedOf(field, args, null));
    return { name: `${type.name}.${field.name}`, tables };
  });

test('the bound of a field names no table twice', () => {
  expect(fields.length).toBeGreaterThan(40);
  for (const { name, tables } of fields) {
    const names = tables.flatMap(({ table, otherTables = [] }) => [table, ...otherTables]);
    expect([name, names]).toEqual([name, [...new Set(names)]]);
  }
});
