import { Kind, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';

/**
 * Answers a field by what a row has copied of another one, as long as nothing else is asked of it; else reads that. What
 * is not in the copy is undefined there; a node's `id` comes with any copy.
 */
export function copyOr<T extends object>(
  info: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  copy: { readonly [K in keyof T]?: T[K] | undefined },
  read: () => Promise<T | null>,
): Partial<T> | Promise<T | null> {
  const copied = Object.entries(copy).flatMap(([field, value]) => (value === undefined ? [] : field));
  const known = new Set(['__typename', 'id', ...copied]);
  const isCovered = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FIELD) return known.has(selection.name.value);
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD ? info.fragments[selection.name.value] : selection;
      return inner !== undefined && isCovered(inner.selectionSet);
    });
  const isEnough = info.fieldNodes.every(
    ({ selectionSet }) => selectionSet === undefined || isCovered(selectionSet),
  );
  return isEnough ? copy : read();
}
