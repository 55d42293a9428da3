import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
  BREAK,
  type ASTNode,
} from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields';

/** The fields of an object that an operation asks for: by the name in the answer, each with the places where it is written. */
export type Chosen = ReadonlyMap<string, readonly FieldNode[]>;

/** The selections of an operation. The parts that do not depend on variables are found once. */
interface Selections {
  /** The fields of the operation itself. */
  ofRoot(this: void, root: GraphQLObjectType, variables: Readonly<Record<string, unknown>>): Chosen;
  /** The fields that are asked for of an object of a type which a field returns. */
  of(
    this: void,
    type: GraphQLObjectType,
    nodes: readonly FieldNode[],
    variables: Readonly<Record<string, unknown>>,
  ): Chosen;
  /** Identifies a field: the same for the same places, of which a fragment may be reached by many ways. */
  keyOf(this: void, type: GraphQLObjectType, nodes: readonly FieldNode[]): string;
  /** Whether an argument of a field depends on a variable. */
  hasVariables(this: void, nodes: readonly FieldNode[]): boolean;
  /** Whether anything below a field depends on a variable. */
  hasVariablesBelow(
    this: void,
    nodes: readonly { readonly selectionSet?: SelectionSetNode | undefined }[],
  ): boolean;
}

/** Creates the selections of an operation of a valid document. */
export function createSelections(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): Selections {
  const found = new Map<string, Chosen>();
  const ids = new Map<FieldNode, number>();
  const idOf = (node: FieldNode) => {
    const id = ids.get(node) ?? ids.size;
    ids.set(node, id);
    return id;
  };
  const keyOf: Selections['keyOf'] = (type, nodes) => `${type.name} ${nodes.map(idOf).join(' ')}`;
  const remembered = (key: string, isRemembered: boolean, find: () => Chosen): Chosen => {
    const known = found.get(key);
    if (known) return known;
    const chosen = find();
    if (isRemembered) found.set(key, chosen);
    return chosen;
  };
  const { isConditional, varies } = analyse(fragments);
  const withVariables = new Map<FieldNode, boolean>();
  return {
    keyOf,
    ofRoot: (root, variables) =>
      remembered('', !isConditional(operation.selectionSet), () =>
        collectFields(schema, fragments, variables, root, operation.selectionSet),
      ),
    of: (type, nodes, variables) =>
      remembered(
        keyOf(type, nodes),
        !nodes.some(({ selectionSet }) => selectionSet && isConditional(selectionSet)),
        () => collectSubfields(schema, fragments, variables, type, [...nodes]),
      ),
    hasVariables: (nodes) =>
      nodes.some((node) => once(withVariables, node, () => node.arguments?.some(hasVariable) === true)),
    hasVariablesBelow: (nodes) => nodes.some(({ selectionSet }) => selectionSet && varies(selectionSet)),
  };
}

/** Finds out what depends on variables. Each selection set is looked at once, because many ways may lead to a fragment. */
function analyse(fragments: Readonly<Record<string, FragmentDefinitionNode>>) {
  const conditional = new Map<SelectionSetNode, boolean>();
  const varying = new Map<SelectionSetNode, boolean>();
  /** Whether a variable decides which fields an object has. */
  const isConditional = (set: SelectionSetNode): boolean =>
    once(conditional, set, () =>
      set.selections.some((selection) => {
        if (selection.directives?.some(hasVariable)) return true;
        if (selection.kind === Kind.FIELD) return false;
        const inner = innerSet(selection, fragments);
        return inner !== undefined && isConditional(inner);
      }),
    );
  /** Whether there is a variable anywhere in a selection. */
  const varies = (set: SelectionSetNode): boolean =>
    once(varying, set, () =>
      set.selections.some((selection) => {
        if (selection.directives?.some(hasVariable)) return true;
        if (selection.kind === Kind.FIELD && selection.arguments?.some(hasVariable)) return true;
        const inner = innerSet(selection, fragments);
        return inner !== undefined && varies(inner);
      }),
    );
  return { isConditional, varies };
}

function innerSet(
  selection: SelectionSetNode['selections'][number],
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): SelectionSetNode | undefined {
  return selection.kind === Kind.FRAGMENT_SPREAD
    ? fragments[selection.name.value]?.selectionSet
    : selection.selectionSet;
}

function once<Key>(known: Map<Key, boolean>, key: Key, find: () => boolean): boolean {
  let result = known.get(key);
  if (result === undefined) known.set(key, (result = find()));
  return result;
}

function hasVariable(node: ASTNode): boolean {
  let isFound = false;
  visit(node, {
    Variable() {
      isFound = true;
      return BREAK;
    },
  });
  return isFound;
}
