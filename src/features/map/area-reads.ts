import type { Load } from '../../kit/reads/load';
import { limitLoad } from '../../kit/cost/limit-load';
import { tooLarge } from '../../kit/base/errors';
import type { Context } from '../../context';
import { type Cost, FREE, times, sumOf } from '../../kit/cost/cost';
import { type CostArguments, type TableBound, together, upTo } from '../../kit/cost/reads';
import { periodOf } from '../../kit/base/period';
import { buckets } from '../../kit/lists/buckets';
import { limitPages, type DayContext } from '../../kit/lists/day-pages';
import { listBuckets } from '../../kit/lists/list-buckets';
import type { Page } from '../../kit/lists/page';
import {
  DEFAULT_BOUNDS,
  MAX_FULLY_READ_SOURCES,
  MAX_OPPOSITE_PAGE_PARTITIONS,
  MAX_ROWS_AT_ONCE,
} from '../../kit/lists/list-parts';
import { AREA_BOUNDS, SPLIT_READS } from './area-list';
import { areaBucketAt, findCover } from './cells';
import { splitIntoBoxes } from './box';
import { heatmapBase, heatmapBound, MAX_LISTS } from './heatmap';
import type { AreaInput } from './map.type';
import { tweetsByArea } from './map.table';

/** The arguments for which the descriptions of the map's fields give their cost. */
export const CITY_IN_A_MONTH = [
  'a city and a month',
  {
    area: { south: -23.1, west: -43.8, north: -22.7, east: -43.1 },
    from: new Date('2026-10-01'),
    to: new Date('2026-11-01'),
  },
] as const;

/** An area and a period, as arguments give them. */
interface Extent {
  readonly area: AreaInput;
  readonly from: Date;
  readonly to: Date;
}

/** How many cells cover an area, and how many buckets (months or days) of each cell are in a period. */
function measureExtent(args: CostArguments['args']): { readonly cells: number; readonly buckets: number } {
  const { area, from, to } = args as unknown as Extent;
  const { grid, cells } = findCover(splitIntoBoxes(area));
  const period = periodOf(from, to);
  const last = areaBucketAt(grid, new Date(Number(period.to) - 1));
  return { cells: cells.length, buckets: Math.max(0, last - areaBucketAt(grid, period.from) + 1) };
}

/** How much a page of `limit` tweets of an area reads at most, if it reads at most `maxPartitions` partitions. */
function walkCost(args: CostArguments['args'], limit: number, maxPartitions: number): Cost {
  const { cells, buckets } = measureExtent(args);
  const partitions = Math.min(cells * Math.min(buckets, AREA_BOUNDS.buckets), Math.max(cells, maxPartitions));
  const size = limit + 1;
  const { continuations } = AREA_BOUNDS;
  // If there are many cells, few rows of each are read at first: four pages in all, and up to five more rows of each. See `firstRowsOf`.
  const rows =
    cells > MAX_FULLY_READ_SOURCES
      ? Math.ceil(partitions / MAX_FULLY_READ_SOURCES) * 4 * size + 5 * partitions
      : partitions * size;
  return { reads: partitions + continuations, rows: rows + continuations * Math.max(size, MAX_ROWS_AT_ONCE) };
}

/**
 * The bound of a page of the tweets of an area, of cells whose lists were not split. For other cells, `areaPages` reserves what it reads
 * besides.
 */
const PAGE_OF_CELLS = {
  ...upTo(tweetsByArea, ({ args, limit }) => walkCost(args, limit, AREA_BOUNDS.partitions)),
  oppositePageCost: ({ args }: CostArguments) => walkCost(args, 0, MAX_OPPOSITE_PAGE_PARTITIONS),
};

/** The reads of a page of the tweets of an area. */
export const AREA_PAGE: readonly TableBound[] = [
  { ...together(PAGE_OF_CELLS, listBuckets), bytes: PAGE_OF_CELLS.bytes },
  { ...upTo(buckets, bucketsCost), oppositePageCost: bucketsCost },
];

/** Creates the function that gives a page of the tweets of an area its `load`, whose bound grows where lists of cells were split. */
export function areaPages(context: DayContext, args: Extent): (page: Page) => Load {
  const of = { field: 'Query.tweetsInArea', table: tweetsByArea.name };
  return limitPages(context, of, ({ limit, backwards }) => {
    const from = walkCost(
      { ...args },
      limit,
      backwards ? MAX_OPPOSITE_PAGE_PARTITIONS : AREA_BOUNDS.partitions,
    );
    const refuse = () => tooLarge('This area and period take too many reads: ask for less.');
    return { from, most: times(from, SPLIT_READS), refuse };
  });
}

function bucketsCost({ args }: CostArguments): Cost {
  return times({ reads: 1, rows: DEFAULT_BOUNDS.buckets + 1 }, measureExtent(args).cells);
}

/** A period in two buckets, as the newest tweets may be. */
const AROUND_MIDNIGHT = { from: new Date('2026-10-31T23:00Z'), to: new Date('2026-11-01T01:00Z') };

/** The reads of the newest tweets of an area, if there is one: two buckets of each cell. */
export const NEWEST_IN_AREA: readonly TableBound[] = AREA_PAGE.map(
  ({ table, otherTables = [], cost, bytes }) => {
    const newest = ({ args, ...asked }: CostArguments) => ({
      ...asked,
      args: { area: args['area'], ...AROUND_MIDNIGHT },
    });
    const ratio = otherTables.length > 0 ? SPLIT_READS : 1;
    return {
      ...{ table, otherTables },
      cost: (asked) => (asked.args['area'] == null ? FREE : times(cost(newest(asked)), ratio)),
      bytes: (asked) => (asked.args['area'] == null ? 0 : bytes(newest(asked))),
    };
  },
);

/** The bound of a heatmap, of cells whose lists were not split. For other cells, `loadOfHeatmap` reserves what it reads besides. */
const CELLS_OF_HEATMAP = upTo(tweetsByArea, ({ args }) => {
  const { cells, buckets } = measureExtent(args);
  return heatmapBase(cells, buckets);
});

/** The reads of a heatmap. */
export const HEATMAP: readonly TableBound[] = [
  { ...together(CELLS_OF_HEATMAP, listBuckets), bytes: CELLS_OF_HEATMAP.bytes },
  upTo(buckets, ({ args }) => {
    const { cells, buckets } = measureExtent(args);
    return times({ reads: 1, rows: Math.min(buckets, MAX_LISTS + 1) }, cells);
  }),
];

/**
 * A `load` for a heatmap, whose bound grows up to what a heatmap of so many cells and months or days reads at most. It also reads which of
 * these there are.
 */
export function loadOfHeatmap({ load, reserve }: Pick<Context, 'load' | 'reserve'>, args: Extent): Load {
  const { cells, buckets } = measureExtent({ ...args });
  const known = times({ reads: 1, rows: Math.min(buckets, MAX_LISTS + 1) }, cells);
  const refuse = () =>
    tooLarge('A heatmap of this area and period would read more than it may: ask for less.');
  return limitLoad(load, sumOf([heatmapBound(cells, buckets), known]), refuse, {
    from: sumOf([heatmapBase(cells, buckets), known]),
    add: (more) => reserve({ field: 'Query.tweetHeatmap', table: tweetsByArea.name }, more),
  });
}
