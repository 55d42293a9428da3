import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  NoFragmentCyclesRule,
  parse,
  type SelectionNode,
  validate,
  type ValidationRule,
} from 'graphql';
import { MAX_FIELDS, tooManyFields } from '../cost/query-cost';
import { refused, tooLarge } from '../base/errors';
import { refuseConditionalSubscriptions } from './refuse-conditional-subscriptions';

/**
 * The maximum number of pairs of fields or fragments that contribute to the same object or value of an answer. Validation
 * compares each pair (GraphQL specification, "Field Selection Merging"), which takes some milliseconds for this many. Fifty
 * components with a fragment each on one object are 1,225 pairs.
 */
const MAX_PAIRS = 5000;

/**
 * Throws `QUERY_TOO_LARGE` if validation would compare too many fields with each other, and `BAD_USER_INPUT` if fragments
 * spread each other in a cycle or graphql-js would throw while validating. A text that cannot be parsed passes: Apollo reports its
 * syntax error later.
 */
export function checkBeforeValidation(schema: GraphQLSchema, text: string): void {
  const document = parsed(text);
  if (document === null) return;
  refuseBy(NoFragmentCyclesRule, schema, document);
  // The second rule walks the fragments of each operation, so their fields are counted first.
  countPairs(document);
  refuseBy(refuseConditionalSubscriptions, schema, document);
}

function refuseBy(rule: ValidationRule, schema: GraphQLSchema, document: DocumentNode): void {
  const [error] = validate(schema, document, [rule]);
  if (error) throw refused(error.message);
}

function parsed(text: string): DocumentNode | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

/** Walks each operation with its fragments filled in, then the fragments that no operation uses. There must be no cycles. */
function countPairs(document: DocumentNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const reached = new Set<string>();
  let pairs = 0;
  let visited = 0;
  const addPairs = (members: number) => {
    pairs += (members * (members - 1)) / 2;
    if (pairs > MAX_PAIRS)
      throw tooLarge('A query asks for the same fields in too many places: ask for each in one place.');
  };
  /** Groups the fields of an object by their names in the answer, and so on for the objects below. */
  const countBelow = (selections: readonly SelectionNode[]) => {
    const fields = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    const collect = (nodes: readonly SelectionNode[]) => {
      for (const node of nodes) {
        // Fragments count too: thousands that have no fields, in thousands of objects, would take seconds.
        if (++visited > MAX_FIELDS) throw tooManyFields();
        if (node.kind === Kind.FIELD) {
          const name = (node.alias ?? node.name).value;
          const same = fields.get(name);
          if (same) same.push(node);
          else fields.set(name, [node]);
        } else if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet.selections);
        else if (!spread.has(node.name.value)) {
          spread.add(node.name.value);
          reached.add(node.name.value);
          collect(fragments.get(node.name.value)?.selectionSet.selections ?? []);
        }
      }
    };
    collect(selections);
    addPairs(spread.size);
    for (const same of fields.values()) {
      addPairs(same.length);
      const below = same.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
      if (below.length > 0) countBelow(below);
    }
  };
  for (const definition of document.definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION) countBelow(definition.selectionSet.selections);
  for (const [name, { selectionSet }] of fragments)
    if (!reached.has(name)) countBelow(selectionSet.selections);
}
