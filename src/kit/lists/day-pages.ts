import { tooLarge } from '../base/errors';
import type { Cost } from '../cost/cost';
import { limitLoad, type LimitedLoad } from '../cost/limit-load';
import { together, type Sized, type TableBound } from '../cost/reads';
import type { BoundedReads } from '../cost/query-cost';
import type { Reserve } from '../cost/reserve';
import type { Load } from '../reads/load';
import { listDay, type DayTable } from './day-list';
import { listBuckets, MAX_OTHERS } from './list-buckets';
import { firstRowsOf, MAX_ROWS_AT_ONCE, shardedBounds, SPLIT_BOUNDS, type List } from './list-parts';
import type { Page } from './page';
import { shownBytes } from './page-bounds';

/** The parts of a request's context that a page of a day needs. */
export interface DayContext {
  readonly load: Load;
  readonly reserve: Reserve;
}

/** How many reads tell the stretches of a list. */
export const STRETCH_READS: Cost = { reads: 2, rows: SPLIT_BOUNDS.buckets + 2 };

/**
 * The cost of a page of `limit` rows of a day that was not split: a partition of each shard, and perhaps a read of whether the day was
 * split.
 */
function baseOfDay(shards: number, limit: number): Cost {
  return {
    reads: shards + STRETCH_READS.reads,
    rows: shards * firstRowsOf(shards, limit + 1) + STRETCH_READS.rows,
  };
}

/** The same of any day: its first stretch may be in many buckets. A page may also read further because rows are hidden. */
export function maxOfDay(shards: number, limit: number): Cost {
  const { partitions, continuations } = shardedBounds(shards);
  const slices = Math.max((MAX_OTHERS + 1) * shards, partitions) + shards;
  const size = limit + 1;
  return {
    reads: slices + STRETCH_READS.reads + continuations,
    rows:
      slices * firstRowsOf(shards, size) +
      STRETCH_READS.rows +
      continuations * Math.max(size, MAX_ROWS_AT_ONCE),
  };
}

/** The bound of a page of a day that was not split. For other days, `openDay` reserves what the page reads besides. */
export function dayPages(table: Sized & { readonly shards: number }): TableBound {
  const { shards } = table;
  const bound: TableBound = {
    ...{ table: table.name, bytes: shownBytes(table) },
    cost: ({ limit }) => baseOfDay(shards, limit),
    oppositePageCost: () => baseOfDay(shards, 0),
  };
  return { ...together(bound, listBuckets), bytes: bound.bytes };
}

/** The growth of the bound of a page. */
interface PageLimit {
  readonly from: Cost;
  readonly most: Cost;
  refuse(this: void): Error;
}

/** Creates the function that gives a page its `load`, whose bound grows; a page and its opposite page have each their own. */
export function limitPages(
  { load, reserve }: DayContext,
  of: BoundedReads,
  limitOf: (page: Page) => PageLimit,
): (page: Page) => LimitedLoad {
  const limits = new Map<boolean, LimitedLoad>();
  return (page) => {
    let limited = limits.get(page.backwards);
    if (limited === undefined) {
      const { from, most, refuse } = limitOf(page);
      limited = limitLoad(load, most, refuse, { from, add: (more) => reserve(of, more) });
      limits.set(page.backwards, limited);
    }
    return limited;
  };
}

/** Opens the list of the UTC day of a moment for one page of a field, which declares `dayPages`. */
export function openDay<R extends object>(
  context: DayContext,
  table: DayTable<R>,
  moment: Date,
  field: string,
): List<R & { readonly isSplit: boolean | null }> {
  const { name, shards = 1 } = table;
  const limitFor = limitPages(context, { field, table: name }, ({ limit }) => ({
    from: baseOfDay(shards, limit),
    most: maxOfDay(shards, limit),
    refuse: () => tooLarge('This day takes too many reads.'),
  }));
  const bounds = shardedBounds(shards);
  return {
    ...listDay(context.load, table, moment),
    // All reads are reserved. A stretch has few rows after deletions, or where a cursor is at its end, and then the next one is read, too.
    bounds: { ...bounds, opposite: bounds.partitions },
    parts: (page) => listDay(limitFor(page), table, moment).parts(page),
  };
}
