import { isObjectType, type GraphQLSchema } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Read } from '../load';

/** Says which tables a field reads, its own first: the model shows them, and tests hold what is read against them. */
export function Reads(...tables: readonly { readonly name: string }[]): MethodDecorator {
  return Extensions({ reads: tables.map(({ name }) => name) });
}

/** The names of the tables that a field says it reads. */
export function readsOf(field: {
  readonly extensions: Readonly<Record<string, unknown>>;
}): readonly string[] {
  return (field.extensions['reads'] as readonly string[] | undefined) ?? [];
}

/** What was read by a field that does not say so: `Tweet.author: users`. */
export function unsaidReads(schema: GraphQLSchema, reads: readonly Read[]): readonly string[] {
  const unsaid = reads.flatMap(({ table, fields }) =>
    fields
      .filter((coordinate) => {
        const [typeName = '', fieldName = ''] = coordinate.split('.');
        const type = schema.getType(typeName);
        const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
        return field === undefined || !readsOf(field).includes(table);
      })
      .map((coordinate) => `${coordinate}: ${table}`),
  );
  return [...new Set(unsaid)];
}
