import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import type { CostLimits } from '../cost/check-cost';
import type { Cost } from '../cost/cost';
import type { QueryCost } from '../cost/query-cost';
import { mapFragments } from './count-fields';

/** How many points a request costs: the reads that it may make at most, and at least 1. */
export function countPoints({ reads }: Cost): number {
  return Math.max(1, reads);
}

/** The weight of a request: its cost as a fraction of the limit, in reads, rows, bytes, nodes or values, whichever is greatest. */
export function computeWeight({ reads, rows, bytes, nodes, values }: QueryCost, limits: CostLimits): number {
  return Math.max(
    reads / limits.reads,
    rows / limits.rows,
    bytes / limits.bytes,
    nodes / limits.nodesAtWorst,
    values / limits.values,
  );
}

/** How many mutation fields an operation calls. Each alias counts, and so do fields that a variable skips. */
export function mutationsIn(operation: OperationDefinitionNode, document: DocumentNode): number {
  const type: string = operation.operation;
  if (type !== 'mutation') return 0;
  const fragments = mapFragments(document);
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
        // Each fragment is visited once, because its fields are the same wherever it is spread.
        fragments.delete(selection.name.value);
        if (set) collect(set);
      }
    }
  };
  collect(operation.selectionSet);
  return fields.size;
}
