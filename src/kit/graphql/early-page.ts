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

/** The fields found by `listIn`, by the nodes of the field that returns the object: graphql-jit gives the same ones each time that it runs an operation. */
const found = new WeakMap<GraphQLResolveInfo['fieldNodes'], FieldNode | null>();

/** Makes fields of a type return the page that `readEarly` has read for them, if there is one. */
export function returnEarlyPages(schema: GraphQLSchema, type: string, fields: readonly string[]): void {
  for (const name of fields) {
    const field = objectType(schema, type).getFields()[name];
    const resolve = field?.resolve;
    if (!resolve) throw new Error(`${type}.${name} must be a field with a resolver.`);
    const resolveOnce: GraphQLFieldResolver<EarlyObject, unknown> = (root, args, context, info) =>
      root[EARLY]?.key === info.path.key ? root[EARLY].page : resolve(root, args, context, info);
    field.resolve = resolveOnce;
  }
}

/**
 * Reads the page of a list that the query selects of an object. Resolves to the object with this page and whether the page has
 * items; to undefined if the query selects no such list. The list's field does not read again, and the page may fail as the
 * field would.
 */
export async function readEarly<T extends object>(
  object: T,
  info: GraphQLResolveInfo,
  context: unknown,
  { type, lists }: { readonly type: string; readonly lists: readonly string[] },
): Promise<{ readonly object: T; readonly hasItems: boolean } | undefined> {
  let node = found.get(info.fieldNodes);
  if (node === undefined) {
    node = listIn(info, type, lists) ?? null;
    found.set(info.fieldNodes, node);
  }
  if (node === null) return undefined;
  const parentType = objectType(info.schema, type);
  const field = parentType.getFields()[node.name.value];
  const resolve = field?.resolve;
  if (!resolve) return undefined;
  const key = node.alias?.value ?? node.name.value;
  const args = getArgumentValues(field, node, info.variableValues);
  const own: GraphQLResolveInfo = {
    ...info,
    fieldName: field.name,
    fieldNodes: [node],
    returnType: field.type,
    parentType,
    path: { prev: info.path, key, typename: type },
  };
  // A resolver may also throw at once.
  const page = (async () => resolve(object, args, context, own))();
  const hasItems = await page.then(hasNodes, () => false);
  const early: EarlyPage = { key, page };
  return { object: { ...object, [EARLY]: early }, hasItems };
}

/** The first of these fields that a query always selects of the objects of a type; fields with directives may be left out. */
function listIn(
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  type: string,
  lists: readonly string[],
): FieldNode | undefined {
  const seen = new Set<string>();
  const search = (selections: readonly SelectionNode[] = []): FieldNode | undefined => {
    for (const selection of selections) {
      if (selection.directives?.length) continue;
      if (selection.kind === Kind.FIELD) {
        if (lists.includes(selection.name.value)) return selection;
        continue;
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (seen.has(selection.name.value)) continue;
        seen.add(selection.name.value);
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
      const condition = fragment?.typeCondition?.name.value;
      if (condition !== undefined && condition !== type) continue;
      const inner = search(fragment?.selectionSet.selections);
      if (inner) return inner;
    }
    return undefined;
  };
  // The nodes of one field may be several, which are merged.
  return search(fieldNodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []));
}

function hasNodes(page: unknown): boolean {
  const { nodes } = (page ?? {}) as { readonly nodes?: readonly unknown[] };
  return nodes !== undefined && nodes.length > 0;
}

function objectType(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} must be an object type.`);
  return type;
}
