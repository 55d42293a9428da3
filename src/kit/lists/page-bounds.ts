import { buckets } from './buckets';
import { listBuckets } from './list-buckets';
import {
  MAX_CHECKS_PER_ROW,
  DEFAULT_BOUNDS,
  MAX_OPPOSITE_PAGE_PARTITIONS,
  MAX_ROWS_AT_ONCE,
  type ListBounds,
} from './list-parts';
import type { Cost } from '../cost/cost';
import { rowBytesOf, type Sized, type TableBound } from '../cost/reads';

/** The bounds of a list that is one partition. */
export const ONE_PARTITION: ListBounds = { buckets: 1, partitions: 1, continuations: 0 };

/**
 * How much a page of a list reads of the table with the list's rows.
 *
 * @example
 * ```ts
 * const bound = pagesOf(rooms, ONE_PARTITION);
 * ```
 */
export function pagesOf(table: Sized, bounds: ListBounds = DEFAULT_BOUNDS): TableBound {
  const { partitions } = bounds;
  return {
    table: table.name,
    bytes: shownBytes(table),
    cost: ({ limit }) => walkCost(bounds, limit),
    oppositePageCost: () =>
      walkCost({ ...bounds, partitions: Math.min(partitions, MAX_OPPOSITE_PAGE_PARTITIONS) }, 0),
  };
}

/**
 * How many bytes the rows have that a page shows, and the one that tells that the list goes on. A page reads more rows only where a
 * list is split there, or where rows are hidden: what is read is counted, too, and ends at the same limit.
 */
export function shownBytes(table: Sized): NonNullable<TableBound['bytes']> {
  return (asked) => (asked.limit + 1) * rowBytesOf(table, asked);
}

/** How much it costs to walk a list with these bounds for a page of `limit` items. */
function walkCost({ partitions, continuations }: ListBounds, limit: number): Cost {
  const size = limit + 1;
  return {
    reads: partitions + continuations,
    rows: partitions * size + continuations * Math.max(size, MAX_ROWS_AT_ONCE),
  };
}

/** How much it costs to find the buckets of a list that is split by time: as many as a page may read, and one more. */
export function bucketReads(): TableBound {
  const cost = () => ({ reads: 1, rows: DEFAULT_BOUNDS.buckets + 1 });
  return { table: buckets.name, cost, oppositePageCost: cost };
}

/** How much it costs to find the stretches of a list: two reads, because a page backwards also looks for the one before. */
export function stretchReads(): TableBound {
  const cost = () => ({ reads: 2, rows: DEFAULT_BOUNDS.buckets + 2 });
  return { table: listBuckets.name, cost, oppositePageCost: cost };
}

/** How much it costs to check for each row of a page whether it is visible. */
export function visibilityReads(table: Sized): TableBound {
  const cost = (limit: number) => ({
    reads: MAX_CHECKS_PER_ROW * (limit + 1),
    rows: MAX_CHECKS_PER_ROW * (limit + 1),
  });
  return {
    table: table.name,
    bytes: shownBytes(table),
    cost: ({ limit }) => cost(limit),
    oppositePageCost: () => cost(0),
  };
}
