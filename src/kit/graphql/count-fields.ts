import { Kind, type DocumentNode, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';

/** Counts the fields of an operation with its fragments filled in, each as often as it is written. There must be no cycles. */
export function countFields(document: DocumentNode, operation: OperationDefinitionNode): number {
  const fragments = mapFragments(document);
  // Each fragment is walked once, because a short text can spread a fragment a million times.
  const counts = new Map<SelectionSetNode, number>();
  const count = (set: SelectionSetNode | undefined): number => {
    if (!set) return 0;
    const known = counts.get(set);
    if (known !== undefined) return known;
    let fields = 0;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) fields += 1 + count(selection.selectionSet);
      else if (selection.kind === Kind.INLINE_FRAGMENT) fields += count(selection.selectionSet);
      else fields += count(fragments.get(selection.name.value));
    }
    counts.set(set, fields);
    return fields;
  };
  return count(operation.selectionSet);
}

/** The selections of a document's fragments, by the fragments' names. */
export function mapFragments({ definitions }: DocumentNode): Map<string, SelectionSetNode> {
  return new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION
        ? [[definition.name.value, definition.selectionSet] as const]
        : [],
    ),
  );
}
