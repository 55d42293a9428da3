import {
  getArgumentValues,
  isObjectType,
  type FieldNode,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { selectedFields } from '../cost/selects';

/** The key of a page in the object that it belongs to. */
const EARLY = Symbol('page that was read before its field was resolved');

/** A page that was read before its field was resolved, because its items show that the object exists. */
interface EarlyPage {
  /** The name of the field in the response: its alias, or its own name. */
  readonly key: string;
  readonly page: unknown;
}

/** An object of which only the key is known, perhaps with such a page. */
interface EarlyObject {
  readonly [EARLY]?: EarlyPage;
}

/** The result of a field with a list. */
interface PageOfList {
  readonly nodes: readonly unknown[];
}

/** An object with the page that was read for it. */
interface ReadEarly<T> {
  readonly object: T;
  /** How many items the page has; 0 if it could not be read. */
  readonly items: number;
  /** Why the page could not be read. The field of the list fails with it. */
  readonly error?: unknown;
}

/** A type whose objects are known to exist by the items of a list. */
interface Shown {
  readonly type: string;
  /** The property that has the key of an object. */
  readonly key: string;
  /** The fields of such lists. */
  readonly lists: readonly string[];
}

/** Makes fields of a type return the page that `readEarly` has read for them, if there is one. */
export function returnEarlyPages(schema: GraphQLSchema, type: string, fields: readonly string[]): void {
  for (const name of fields) {
    const field = objectType(schema, type).getFields()[name];
    const resolve = field?.resolve;
    if (!resolve) throw new Error(`${type}.${name} must be a field with a resolver, but is not.`);
    const resolveUnlessRead: GraphQLFieldResolver<EarlyObject, unknown> = (root, args, context, info) =>
      root[EARLY]?.key === info.path.key ? root[EARLY].page : resolve(root, args, context, info);
    field.resolve = resolveUnlessRead;
  }
}

/**
 * Reads the list that a query selects of an object, if the query selects nothing else that reads. Resolves to undefined if it does,
 * because other fields would have to wait for the page, or if it selects what only the object itself can tell.
 */
export async function readEarly<T extends object>(
  object: T,
  info: GraphQLResolveInfo,
  context: unknown,
  shown: Shown,
): Promise<ReadEarly<T> | undefined> {
  const parentType = objectType(info.schema, shown.type);
  const fieldNodes = onlyListIn(info, parentType, shown);
  const selected = fieldNodes?.[0];
  const field = selected && parentType.getFields()[selected.name.value];
  const resolve = field?.resolve;
  if (!selected || !resolve) return undefined;
  const key = selected.alias?.value ?? selected.name.value;
  const args = getArgumentValues(field, selected, info.variableValues);
  const infoOfList: GraphQLResolveInfo = {
    ...info,
    fieldName: field.name,
    fieldNodes,
    returnType: field.type,
    parentType,
    path: { prev: info.path, key, typename: shown.type },
  };
  // A resolver may also throw at once.
  const page = (async () => (await resolve(object, args, context, infoOfList)) as PageOfList)();
  const early: EarlyPage = { key, page };
  const withPage = { ...object, [EARLY]: early };
  return page.then(
    ({ nodes }) => ({ object: withPage, items: nodes.length }),
    (error: unknown) => ({ object: withPage, items: 0, error }),
  );
}

/** The nodes of the only selected field that reads, if that is one of `lists`. A field without a resolver is a property of the object. */
function onlyListIn(
  info: GraphQLResolveInfo,
  type: GraphQLObjectType,
  { key, lists }: Shown,
): readonly FieldNode[] | undefined {
  let found: readonly FieldNode[] | undefined;
  for (const nodes of selectedFields(info, type)) {
    const name = nodes[0]?.name.value ?? '';
    if (name === 'id' || name === '__typename' || name === key) continue;
    if (found !== undefined || !lists.includes(name)) return undefined;
    found = nodes;
  }
  return found;
}

function objectType(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} must be an object type, but is not.`);
  return type;
}
