import type { GraphQLResolveInfo } from 'graphql';
import { objectType, selectedFields } from './selected-fields';

/**
 * Whether a query selects, of the objects of a type that a field returns, nothing but their key and what resolvers find by it.
 * A field without a resolver is a property of the object, which must be read for it.
 */
export function selectsOnlyKey(info: GraphQLResolveInfo, type: string, key: string): boolean {
  const fields = objectType(info.schema, type).getFields();
  return selectedFields(info, type).every(({ node: { name } }) => {
    const isKey = name.value === '__typename' || name.value === key;
    return isKey || fields[name.value]?.resolve !== undefined;
  });
}
