import {
  Kind,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

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

/** The fields at the top of an operation, with fragments filled in. Directives are not regarded. */
export function rootFieldsIn(document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] {
  const fragments = mapFragments(document);
  const fields: FieldNode[] = [];
  const collect = ({ selections }: SelectionSetNode) => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        fields.push(selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet);
      } else {
        const set = fragments.get(selection.name.value);
        // Each fragment is looked at once, because its fields are the same wherever it is spread.
        fragments.delete(selection.name.value);
        if (set) collect(set);
      }
    }
  };
  collect(operation.selectionSet);
  return fields;
}

/** The selections of a document's fragments, by the fragments' names. */
function mapFragments({ definitions }: DocumentNode): Map<string, SelectionSetNode> {
  return new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION
        ? [[definition.name.value, definition.selectionSet] as const]
        : [],
    ),
  );
}
