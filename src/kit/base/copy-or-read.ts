import { Kind, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';

/**
 * Resolves a field to the copy of an object that a row holds if the query selects nothing but copied fields; otherwise
 * reads the object with `read`. Properties that were not copied are undefined in `copy`. Every copy includes the `id`.
 */
export function copyOrRead<T extends object>(
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
