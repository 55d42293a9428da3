import { isObjectType, Kind, type GraphQLResolveInfo, type SelectionNode } from 'graphql';

/** The answers by the nodes of a field: graphql-jit gives the same ones each time that it runs an operation. */
const known = new WeakMap<GraphQLResolveInfo['fieldNodes'], Map<string, boolean>>();

/**
 * Whether a query selects, of the objects of a type that a field returns, nothing but their key and what resolvers find by it.
 * A field without a resolver is a property of the object, which must be read for it.
 */
export function selectsOnlyKey(info: GraphQLResolveInfo, type: string, key: string): boolean {
  let ofField = known.get(info.fieldNodes);
  if (ofField === undefined) known.set(info.fieldNodes, (ofField = new Map<string, boolean>()));
  let answer = ofField.get(type);
  if (answer === undefined) {
    const seen = new Set<string>();
    answer = info.fieldNodes.every(({ selectionSet }) =>
      (selectionSet?.selections ?? []).every((selection) =>
        needsOnlyKey(selection, info, { type, key, seen }),
      ),
    );
    ofField.set(type, answer);
  }
  return answer;
}

/**
 * Fragments on other types count, too: they are rarely there, and one on an interface applies to the object. Each named fragment
 * is looked at once: `seen` has their names. Otherwise fragments that use each other twice would take exponential time.
 */
function needsOnlyKey(
  selection: SelectionNode,
  info: GraphQLResolveInfo,
  asked: { readonly type: string; readonly key: string; readonly seen: Set<string> },
): boolean {
  const { type, key, seen } = asked;
  if (selection.kind === Kind.FIELD) {
    const { value: name } = selection.name;
    const object = info.schema.getType(type);
    if (name === '__typename' || name === key) return true;
    return isObjectType(object) && object.getFields()[name]?.resolve !== undefined;
  }
  if (selection.kind === Kind.FRAGMENT_SPREAD) {
    if (seen.has(selection.name.value)) return true;
    seen.add(selection.name.value);
  }
  const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : info.fragments[selection.name.value];
  return (fragment?.selectionSet.selections ?? []).every((inner) => needsOnlyKey(inner, info, asked));
}
