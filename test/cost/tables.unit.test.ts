import { isObjectType } from 'graphql';
import type { Column } from '../../src/kit/cassandra/column';
import { boundCostsOf, tableCosts } from '../../src/kit/cost/field-cost';
import { askedOf } from '../../src/kit/cost/asked';
import { boundsOf, declarationOf } from '../../src/kit/cost/reads';
import { createSchema, tables as declaredTables } from '../../src/app';

/** Each field that reads, with what its bound consists of. */
const fields = Object.values(createSchema().getTypeMap())
  .filter(isObjectType)
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
  .filter(({ field }) => boundsOf(field).length > 0)
  .map(({ type, field }) => {
    const defaults = Object.fromEntries(field.args.map(({ name, defaultValue }) => [name, defaultValue]));
    const args = { ...defaults, ...declarationOf(field).example?.args };
    const tables = tableCosts(boundCostsOf(field, askedOf(field, args, null)), 1, new Map(), new Map());
    return { name: `${type.name}.${field.name}`, tables };
  });

test('the bound of a field names no table twice', () => {
  expect(fields.length).toBeGreaterThan(40);
  for (const { name, tables } of fields) {
    const names = tables.flatMap(({ table, otherTables = [] }) => [table, ...otherTables]);
    expect([name, names]).toEqual([name, [...new Set(names)]]);
  }
});

/** Columns of texts, bytes and lists whose values are short: names, kinds, ids, folded words. */
const SHORT = new Set([
  ...['accountFolded', 'twitterAccount', 'username', 'usernameFolded', 'issuer', 'subject', 'pair'],
  ...['hashtag', 'kind', 'language', 'list', 'since', 'state', 'term', 'unit', 'version', 'maintained'],
  ...['server'],
  // A hundred ids, or eighty.
  ...['accounts', 'followers', 'tweetIds'],
]);

test('each column that a field may read declares how large its values are, unless they are short', () => {
  const read = new Set(
    fields.flatMap(({ tables }) => tables.flatMap(({ table, otherTables = [] }) => [table, ...otherTables])),
  );
  const columns = declaredTables
    .filter(({ name }) => read.has(name))
    .flatMap(({ name, columns: all }) =>
      Object.entries<Column<unknown>>(all).map(([property, column]) => ({ name, property, column })),
    );
  const undeclared = columns.filter(
    ({ property, column: { cql, maxBytes } }) =>
      /text|blob/.test(cql) && maxBytes === undefined && !SHORT.has(property),
  );
  expect(undeclared.map(({ name, property }) => `${name}.${property}`)).toEqual([]);
  expect(columns.filter(({ column: { maxBytes } }) => maxBytes !== undefined).length).toBeGreaterThan(40);
});
