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
} from 'graphql';
import { MAX_FIELDS, tooManyFields } from '../cost/query-cost';
import { refused, tooLarge } from '../base/errors';

/**
 * The most pairs of fields or fragments that stand in the same place of an answer. Validation compares each pair (GraphQL,
 * "Field Selection Merging"); so many take some milliseconds. Fifty clients' fragments on one object are 1,225.
 */
const MAX_PAIRS = 5000;

/**
 * Throws `QUERY_TOO_LARGE` where validation would compare too many fields with each other, `BAD_USER_INPUT` where fragments
 * spread each other in a circle. A text that is no document passes: the server says later what is wrong.
 */
export function checkMerging(schema: GraphQLSchema, text: string): void {
  const document = parsed(text);
  if (document === null) return;
  const [cycle] = validate(schema, document, [NoFragmentCyclesRule]);
  if (cycle) throw refused(cycle.message);
  countPairs(document);
}

function parsed(text: string): DocumentNode | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

/** Walks each operation with its fragments filled in, then the fragments that no operation has. No fragment may spread itself. */
function countPairs(document: DocumentNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const reached = new Set<string>();
  let pairs = 0;
  let visited = 0;
  const count = (things: number) => {
    pairs += (things * (things - 1)) / 2;
    if (pairs > MAX_PAIRS)
      throw tooLarge('A query asks for the same fields in too many places: ask for each in one place.');
  };
  /** Groups the fields of an object by their names in the answer, as deep as they go. */
  const countBelow = (selections: readonly SelectionNode[]) => {
    const fields = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    const collect = (some: readonly SelectionNode[]) => {
      for (const one of some) {
        if (one.kind === Kind.FIELD) {
          if (++visited > MAX_FIELDS) throw tooManyFields();
          const name = (one.alias ?? one.name).value;
          const same = fields.get(name);
          if (same) same.push(one);
          else fields.set(name, [one]);
        } else if (one.kind === Kind.INLINE_FRAGMENT) collect(one.selectionSet.selections);
        else if (!spread.has(one.name.value)) {
          spread.add(one.name.value);
          reached.add(one.name.value);
          collect(fragments.get(one.name.value)?.selectionSet.selections ?? []);
        }
      }
    };
    collect(selections);
    count(spread.size);
    for (const same of fields.values()) {
      count(same.length);
      const below = same.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
      if (below.length > 0) countBelow(below);
    }
  };
  for (const one of document.definitions)
    if (one.kind === Kind.OPERATION_DEFINITION) countBelow(one.selectionSet.selections);
  for (const [name, { selectionSet }] of fragments)
    if (!reached.has(name)) countBelow(selectionSet.selections);
}
