import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode, visit } from 'graphql';
import type { CostLimits } from '../cost/check-cost';
import type { Cost } from '../cost/cost';
import type { QueryCost } from '../cost/query-cost';
import { refused } from '../base/errors';

/** What a request costs in points: the reads that it may cause at most, at least 1. */
export function pointsOf({ reads }: Cost): number {
  return Math.max(1, reads);
}

/** The share of the dearest allowed request that a request may cost: by reads, rows, nodes or values, whichever is most. */
export function weightOf({ reads, rows, nodes, values }: QueryCost, limits: CostLimits): number {
  return Math.max(
    reads / limits.reads,
    rows / limits.rows,
    nodes / limits.nodesAtWorst,
    values / limits.values,
  );
}

/** How many fields of a mutation an operation calls; each alias is one. Those that a variable leaves out count too. */
export function mutationsIn(operation: OperationDefinitionNode, document: DocumentNode): number {
  const type: string = operation.operation;
  if (type !== 'mutation') return 0;
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  );
  const fields = new Set<string>();
  const collect = ({ selections }: SelectionSetNode) => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const { alias, name } = selection;
        if (!name.value.startsWith('__')) fields.add((alias ?? name).value);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet);
      } else {
        const set = fragments.get(selection.name.value);
        // Once each, however often it is spread: its fields are the same.
        fragments.delete(selection.name.value);
        if (set) collect(set);
      }
    }
  };
  collect(operation.selectionSet);
  return fields.size;
}

/** The fields that answer the schema. `__typename` is of the data. */
const INTROSPECTION = ['__schema', '__type'];

/** Throws `FORBIDDEN` where a document asks for the schema, in whatever operation. */
export function refuseIntrospection(document: DocumentNode): void {
  visit(document, {
    Field({ name }) {
      if (INTROSPECTION.includes(name.value))
        throw refused(
          'Introspection is turned off on this server (INTROSPECTION), but for services.',
          'FORBIDDEN',
        );
    },
  });
}
