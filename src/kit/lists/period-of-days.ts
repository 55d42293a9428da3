import { tooLarge } from '../base/errors';
import { compareIds } from '../base/ids';
import type { Period } from '../base/period';
import { leastIdAt } from '../base/snowflake';
import { sumOf, times } from '../cost/cost';
import { together, type CostArguments, type Sized, type TableBound } from '../cost/reads';
import { dayOf, EVERYBODY } from './buckets';
import { sourceOfList } from './connection';
import { adjacentValue, type PositionValue } from './cursor';
import { listDay, type DayTable } from './day-list';
import { limitPages, maxOfDay, STRETCH_READS, type DayContext } from './day-pages';
import { listBuckets } from './list-buckets';
import { DEFAULT_BOUNDS, partsByBucket, type List, type Source } from './list-parts';
import { boundsOfPeriod, pagesOf } from './page-bounds';
import { bucketsWithin } from './period-list';
import type { Load } from '../reads/load';

const DAY_MS = 86_400_000;

/**
 * The bound of a page of a period whose days were not split, perhaps with a read of whether one was. For other periods, `openPeriod`
 * reserves what the page reads besides.
 */
export function periodPages(table: Sized): TableBound {
  const { bytes, ...ofDays } = pagesOf(table, boundsOfPeriod(dayOf));
  const bound: TableBound = {
    ...{ table: table.name, bytes },
    cost: (asked) => sumOf([ofDays.cost(asked), STRETCH_READS]),
    oppositePageCost: (asked) => sumOf([ofDays.oppositePageCost?.(asked) ?? STRETCH_READS, STRETCH_READS]),
  };
  return { ...together(bound, listBuckets), bytes };
}

/** A period, and the lists of its days. */
interface Listed<R> {
  readonly table: DayTable<R> & Sized;
  readonly period: Period;
  timeOf(this: void, row: R): Date;
}

/**
 * Opens the list of things with a moment in a period, newest first, for one page of a field, which declares `periodPages`. Its rows are in
 * the order of their ids, which tell their moments; the table `buckets` has the days with rows.
 */
export function openPeriod<R extends object>(
  context: DayContext,
  { table, period, timeOf }: Listed<R>,
  field: string,
): List<R & { readonly isSplit: boolean | null }> {
  const { from, to } = period;
  const ends = [dayOf(from), dayOf(to)] as const;
  const key = { list: table.name, owner: EVERYBODY };
  const bound = periodPages(table);
  const limitFor = limitPages(context, { field, table: table.name }, ({ limit }) => {
    const asked: CostArguments = { args: { from, to }, limit, selects: () => true };
    return {
      from: bound.cost(asked),
      most: times(maxOfDay(table.shards ?? 1, limit), DEFAULT_BOUNDS.buckets),
      refuse: () => tooLarge('This period takes too many reads: ask for a shorter one.'),
    };
  });
  const isBeyond = (end: readonly PositionValue[] | null, reversed: boolean) => {
    const id = String(end?.[0] ?? leastIdAt(from));
    return reversed ? compareIds(id, leastIdAt(to)) >= 0 : compareIds(id, leastIdAt(from)) < 0;
  };
  const sourceIn = (load: Load, day: number): Source<R & { readonly isSplit: boolean | null }> => {
    const ofDay = sourceOfList(listDay(load, table, new Date(day * DAY_MS)));
    return {
      read: async (slice) => {
        const start = slice.reversed ? adjacentValue(leastIdAt(from), -1) : leastIdAt(to);
        const { rows, end, isCut = false } = await ofDay.read({ ...slice, after: slice.after ?? [start] });
        const inside = rows.filter((row) => timeOf(row) >= from && timeOf(row) < to);
        // A position beyond the period has no more rows of it.
        const isOver = inside.length < rows.length || isBeyond(end, slice.reversed);
        return { rows: inside, end: isOver ? null : end, isCut: isCut && !isOver };
      },
    };
  };
  const ofFirst = listDay(context.load, table, from);
  return {
    name: [table.name, EVERYBODY, Number(from), Number(to)].join(' '),
    parts: (page) => {
      const load = limitFor(page);
      const days = (day: number | null, backwards: boolean) =>
        bucketsWithin(context.load, key, ends, day, backwards);
      return partsByBucket(days, (day) => [sourceIn(load, day)])(page);
    },
    position: (row) => ofFirst.position(row),
  };
}
