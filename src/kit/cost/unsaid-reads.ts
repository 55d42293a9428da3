import { isObjectType, type GraphQLSchema } from 'graphql';
import type { Read } from '../data/load';
import { tablesOf } from './reads';

/** What was read by a field that does not say so: `Tweet.author: users`. */
export function unsaidReads(schema: GraphQLSchema, reads: readonly Read[]): readonly string[] {
  const unsaid = reads.flatMap(({ table, fields }) =>
    fields
      .filter((coordinate) => {
        const [typeName = '', fieldName = ''] = coordinate.split('.');
        const type = schema.getType(typeName);
        const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
        return field === undefined || !tablesOf(field).includes(table);
      })
      .map((coordinate) => `${coordinate}: ${table}`),
  );
  return [...new Set(unsaid)];
}
