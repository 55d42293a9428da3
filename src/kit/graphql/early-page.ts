import {
  getArgumentValues,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionNode,
} from 'graphql';

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

/** What `onlyListIn` has found, by type, by the nodes of the field that returns the objects: graphql-jit gives the same ones each time that it runs an operation. */
const found = new WeakMap<GraphQLResolveInfo['fieldNodes'], Map<string, FieldNode | null>>();

/** Makes fields of a type return the page that `readEarly` has read for them, if there is one. */
export function returnEarlyPages(schema: GraphQLSchema, type: string, fields: readonly string[]): void {
  for (const name of fields) {
    const field = objectType(schema, type).getFields()[name];
    const resolve = field?.resolve;
    if (!resolve) throw new Error(`${type}.${name} must be a field with a resolver.`);
    const resolveUnlessRead: GraphQLFieldResolver<EarlyObject, unknown> = (root, args, context, info) =>
      root[EARLY]?.key === info.path.key ? root[EARLY].page : resolve(root, args, context, info);
    field.resolve = resolveUnlessRead;
  }
}

/**
 * Reads the page of a list if the query selects nothing else of an object but what needs no read. Resolves to the object with
 * this page, and to how many items it has: undefined if it could not be read. Then the list's field fails with the error of the
 * page. Resolves to undefined if the query selects more, or no such list.
 */
export async function readEarly<T extends object>(
  object: T,
  info: GraphQLResolveInfo,
  context: unknown,
  { type, lists }: { readonly type: string; readonly lists: readonly string[] },
): Promise<{ readonly object: T; readonly items: number | undefined } | undefined> {
  const parentType = objectType(info.schema, type);
  const ofTypes = found.get(info.fieldNodes) ?? new Map<string, FieldNode | null>();
  found.set(info.fieldNodes, ofTypes);
  let selected = ofTypes.get(type);
  if (selected === undefined) ofTypes.set(type, (selected = onlyListIn(info, parentType, lists) ?? null));
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
  const page = (async () => resolve(object, args, context, infoOfList))();
  const items = await page.then(itemsOf, () => undefined);
  const early: EarlyPage = { key, page };
  return { object: { ...object, [EARLY]: early }, items };
}

/**
 * The one of these lists that a query always selects of the objects of a type, if it selects no other field with a resolver but
 * `id`: other fields would have to wait for the page. A field with a directive may be left out.
 */
function onlyListIn(
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  type: GraphQLObjectType,
  lists: readonly string[],
): FieldNode | undefined {
  const applies = new Set([type, ...type.getInterfaces()].map(({ name }) => name));
  const seen = new Set<string>();
  const selected: SelectionNode[] = [];
  const collect = (selections: readonly SelectionNode[] = []) => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const { value: name } = selection.name;
        if (name !== 'id' && type.getFields()[name]?.resolve) selected.push(selection);
        continue;
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (seen.has(selection.name.value)) continue;
        seen.add(selection.name.value);
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
      const condition = fragment?.typeCondition?.name.value;
      if (condition !== undefined && !applies.has(condition)) continue;
      if (selection.directives?.length) selected.push(selection);
      else collect(fragment?.selectionSet.selections);
    }
  };
  // The nodes of one field may be several, which are merged.
  collect(fieldNodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []));
  const [first, ...others] = selected;
  const isList = first?.kind === Kind.FIELD && lists.includes(first.name.value) && !first.directives?.length;
  return isList && others.length === 0 ? first : undefined;
}

function itemsOf(page: unknown): number {
  return ((page ?? {}) as { readonly nodes?: readonly unknown[] }).nodes?.length ?? 0;
}

function objectType(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} must be an object type.`);
  return type;
}
