import {
  getArgumentValues,
  type FieldNode,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { objectType, selectedFields } from './selected-fields';

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

/** What a field of a list returns. */
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
 * Reads the list that a query selects of an object, if it is the only selected field that reads. Resolves to undefined if the query
 * selects other fields that read, because they would have to wait for the page.
 */
export async function readEarly<T extends object>(
  object: T,
  info: GraphQLResolveInfo,
  context: unknown,
  { type, lists }: { readonly type: string; readonly lists: readonly string[] },
): Promise<ReadEarly<T> | undefined> {
  const selected = onlyListIn(info, type, lists);
  const parentType = objectType(info.schema, type);
  const field = selected && parentType.getFields()[selected.name.value];
  const resolve = field?.resolve;
  if (!selected || !resolve) return undefined;
  const key = selected.alias?.value ?? selected.name.value;
  const args = getArgumentValues(field, selected, info.variableValues);
  const infoOfList: GraphQLResolveInfo = {
    ...info,
    fieldName: field.name,
    fieldNodes: [selected],
    returnType: field.type,
    parentType,
    path: { prev: info.path, key, typename: type },
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

/** The only selected field that reads. It must be one of `lists`, and nothing may leave it out of the answer. */
function onlyListIn(info: GraphQLResolveInfo, type: string, lists: readonly string[]): FieldNode | undefined {
  const fields = objectType(info.schema, type).getFields();
  const reading = selectedFields(info, type).filter(
    ({ node: { name } }) => name.value !== 'id' && fields[name.value]?.resolve !== undefined,
  );
  const [first, ...others] = reading;
  const isList = first !== undefined && lists.includes(first.node.name.value) && !first.mayBeLeftOut;
  return isList && others.length === 0 ? first.node : undefined;
}
