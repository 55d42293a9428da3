import { periodOf } from '../base/period';
import { buckets } from './buckets';
import { listBuckets } from './list-buckets';
import {
  checksOf,
  DEFAULT_BOUNDS,
  MAX_CHECKS_PER_ROW,
  MAX_OPPOSITE_PAGE_PARTITIONS,
  MAX_ROWS_AT_ONCE,
  SPLIT_BOUNDS,
  type ListBounds,
} from './list-parts';
import { type Cost, sumOf } from '../cost/cost';
import { rowBytesOf, upTo, type Sized, type TableBound, type CostArguments } from '../cost/reads';

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
export function pagesOf(
  table: Sized,
  bounds: ListBounds | ((args: CostArguments['args']) => ListBounds) = DEFAULT_BOUNDS,
): TableBound {
  const boundsFor = ({ args }: CostArguments) => (typeof bounds === 'function' ? bounds(args) : bounds);
  return {
    table: table.name,
    bytes: shownBytes(table),
    cost: (asked) => walkCost(boundsFor(asked), asked.limit),
    oppositePageCost: (asked) => oppositePageCost(boundsFor(asked)),
  };
}

function oppositePageCost(bounds: ListBounds): Cost {
  const partitions = Math.min(bounds.partitions, MAX_OPPOSITE_PAGE_PARTITIONS);
  return walkCost({ ...bounds, partitions }, 0);
}

/** How much a page of a list that may be split reads of it: its partitions, and the one that tells whether it is split. */
export function splitPagesOf(table: Sized): TableBound {
  const cost = (walk: Cost, limit: number) => sumOf([walk, { reads: 1, rows: limit + 1 }]);
  return {
    table: table.name,
    bytes: shownBytes(table),
    cost: ({ limit }) => cost(walkCost(SPLIT_BOUNDS, limit), limit),
    oppositePageCost: () => cost(oppositePageCost(SPLIT_BOUNDS), 0),
  };
}

/** The bounds of a list of a period, from `from` to `to`, by the number of its buckets. */
export function boundsOfPeriod(bucketOf: (moment: Date) => number) {
  return (args: CostArguments['args']): ListBounds => {
    const { from, to } = args as unknown as { from: Date; to: Date };
    const period = periodOf(from, to);
    const buckets = Math.max(1, bucketOf(period.to) - bucketOf(period.from) + 1);
    return {
      ...DEFAULT_BOUNDS,
      buckets: Math.min(buckets, DEFAULT_BOUNDS.buckets),
      partitions: Math.min(buckets, DEFAULT_BOUNDS.partitions),
    };
  };
}

/**
 * Returns the bytes of the rows that a page shows, and of the row that tells that the list goes on. A page reads more rows only if a list
 * is split there, or if rows are hidden: these reads are counted, too, and end at the same limit.
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
  return { ...upTo(buckets, cost), oppositePageCost: cost };
}

/** How much it costs to find the stretches of a list: one read, and for a page backwards one more, which looks for the stretch before. */
export function stretchReads(): TableBound {
  const cost = (reads: number) => ({ reads, rows: SPLIT_BOUNDS.buckets + reads });
  return {
    // An empty cursor is none.
    ...upTo(listBuckets, ({ args: { last, before } }) => cost(last == null && (before ?? '') === '' ? 1 : 2)),
    oppositePageCost: () => cost(2),
  };
}

/** How much it costs to check rows of a page further, after what they point to was read. The first row is always checked. */
export function furtherChecks(table: Sized): TableBound {
  const cost = (limit: number) => ({ reads: checksOf(limit) + 1, rows: checksOf(limit) + 1 });
  return { ...upTo(table, ({ limit }) => cost(limit)), oppositePageCost: () => cost(0) };
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
