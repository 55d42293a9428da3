import { isObjectType, type GraphQLSchema } from 'graphql';
import type { Read } from '../../kit/reads/load';
import { tablesOf } from '../../kit/cost/reads';

/** The tables that were read by a field that does not declare them, as `Tweet.author: users`. */
export function undeclaredReads(schema: GraphQLSchema, reads: readonly Read[]): readonly string[] {
  const undeclared = reads.flatMap(({ table, fields }) =>
    fields
      .filter((coordinate) => {
        const [typeName = '', fieldName = ''] = coordinate.split('.');
        const type = schema.getType(typeName);
        const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
        return field === undefined || !tablesOf(field).includes(table);
      })
      .map((coordinate) => `${coordinate}: ${table}`),
  );
  return [...new Set(undeclared)];
}
