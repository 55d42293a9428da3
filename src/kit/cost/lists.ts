import { buckets } from '../data/buckets';
import {
  CHECKS_PER_ROW,
  DEFAULT_BOUNDS,
  MAX_PARTITIONS_BEHIND,
  MAX_ROWS_AT_ONCE,
  type ListBounds,
} from '../relay/list';
import type { Cost } from './cost';
import type { TableBound } from './reads';

/** The bounds of a list that is one partition. */
export const ONE_PARTITION: ListBounds = { buckets: 1, partitions: 1, continuations: 0 };

/** What a page of a list reads of the table that holds its rows. */
export function pagesOf(
  { name }: { readonly name: string },
  bounds: ListBounds = DEFAULT_BOUNDS,
): TableBound {
  const { partitions } = bounds;
  return {
    table: name,
    cost: ({ limit }) => walkCost(bounds, limit),
    behind: () => walkCost({ ...bounds, partitions: Math.min(partitions, MAX_PARTITIONS_BEHIND) }, 0),
  };
}

/** How much walking a list with some bounds reads for a page of some size. */
export function walkCost({ partitions, continuations }: ListBounds, limit: number): Cost {
  const size = limit + 1;
  return {
    reads: partitions + continuations,
    rows: partitions * size + continuations * Math.max(size, MAX_ROWS_AT_ONCE),
  };
}

/** What finding the buckets of some lists reads, of each as many as a page reads and one more. */
export function bucketReads(lists = 1): TableBound {
  const cost = () => ({ reads: lists, rows: lists * (DEFAULT_BOUNDS.buckets + 1) });
  return { table: buckets.name, cost, behind: cost };
}

/** What asking of each row of a page whether it is to be seen reads. */
export function checksOf({ name }: { readonly name: string }): TableBound {
  const cost = (limit: number) => ({
    reads: CHECKS_PER_ROW * (limit + 1),
    rows: CHECKS_PER_ROW * (limit + 1),
  });
  return { table: name, cost: ({ limit }) => cost(limit), behind: () => cost(0) };
}
