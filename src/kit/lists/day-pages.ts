import { tooLarge } from '../base/errors';
import type { Cost } from '../cost/cost';
import { limitLoad, type LimitedLoad } from '../cost/limit-load';
import { together, type Sized, type TableBound } from '../cost/reads';
import type { Reserve } from '../cost/reserve';
import type { Load } from '../reads/load';
import { listDay, type DayTable } from './day-list';
import { listBuckets, MAX_OTHERS } from './list-buckets';
import { firstRowsOf, MAX_ROWS_AT_ONCE, shardedBounds, SPLIT_BOUNDS, type List } from './list-parts';
import { shownBytes } from './page-bounds';

/** What a page of a day needs of a request's context. */
interface DayContext {
  readonly load: Load;
  readonly reserve: Reserve;
}

/** How many reads tell the stretches of a list. */
const STRETCH_READS: Cost = { reads: 2, rows: SPLIT_BOUNDS.buckets + 2 };

/** What a page of `limit` rows reads of a day that was not split: a partition of each shard, and perhaps whether it was. */
function baseOfDay(shards: number, limit: number): Cost {
  return {
    reads: shards + STRETCH_READS.reads,
    rows: shards * firstRowsOf(shards, limit + 1) + STRETCH_READS.rows,
  };
}

/** The same of any day: its first stretch may be in many buckets. What is hidden may make a page read further. */
function mostOfDay(shards: number, limit: number): Cost {
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

/**
 * How much a page of a day reads of it, if the day was not split. Of others, `openDay` reserves what the page reads besides.
 */
export function dayPages(table: Sized & { readonly shards: number }): TableBound {
  const { shards } = table;
  const bound: TableBound = {
    ...{ table: table.name, bytes: shownBytes(table) },
    cost: ({ limit }) => baseOfDay(shards, limit),
    oppositePageCost: () => baseOfDay(shards, 0),
  };
  return { ...together(bound, listBuckets), bytes: bound.bytes };
}

/** Opens the list of the UTC day of a moment for one page of a field, which declares `dayPages`. */
export function openDay<R extends object>(
  { load, reserve }: DayContext,
  table: DayTable<R>,
  moment: Date,
  field: string,
): List<R & { readonly isSplit: boolean | null }> {
  const { shards = 1 } = table;
  // A page and its opposite page, each with its own bound.
  const limits = new Map<boolean, LimitedLoad>();
  const limitFor = ({ backwards, limit }: { readonly backwards: boolean; readonly limit: number }) => {
    const limited =
      limits.get(backwards) ??
      limitLoad(load, mostOfDay(shards, limit), () => tooLarge('This page takes too many reads.'), {
        from: baseOfDay(shards, limit),
        add: (more) => reserve({ field, table: table.name }, more),
      });
    limits.set(backwards, limited);
    return limited;
  };
  return {
    ...listDay(load, table, moment),
    parts: (page) => listDay(limitFor(page), table, moment).parts(page),
  };
}
