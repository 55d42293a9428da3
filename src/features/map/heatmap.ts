import type { Cost } from '../../kit/cost/cost';
import { decodeInt, encodeInt, intToBase32 } from 'geohashing';
import { badArgument, badInput } from '../../kit/base/errors';
import type { Load } from '../../kit/reads/load';
import type { Period } from '../../kit/base/period';
import type { PositionValue } from '../../kit/lists/cursor';
import type { Source } from '../../kit/lists/list-parts';
import { areaList, SPLIT_READS } from './area-list';
import type { Box } from './box';
import { MAX_CELLS } from './cells';
import type { AreaRow } from './map.table';

/** The most characters of a geohash. */
const MAX_PRECISION = 8;
const BITS_PER_CHARACTER = 5;
/** The most cells of a heatmap. */
export const MAX_SHOWN_CELLS = 4096;
/** The most tweets that are read for a heatmap. */
export const MAX_COUNTED_ROWS = 100_000;
/** How many rows of a partition are read at a time. */
const PAGE_ROWS = 500;
/** The most lists that are read for a heatmap: months or days of cells. */
export const MAX_LISTS = 5000;
/**
 * How many of the lists are read at once. After the bound on rows is passed, one page of each is still read, and of the other cells of the
 * same month or day.
 */
const LISTS_AT_ONCE = 32;

/** How many times as many rows are read of lists that were split: most of the partitions of a stretch have few of its rows. */
const SPLIT_ROWS = 4;

/** How much a heatmap of this many cells, with this many buckets each, reads at most. */
export function heatmapBound(cells: number, buckets: number): Cost {
  const rows = MAX_COUNTED_ROWS + (LISTS_AT_ONCE + MAX_CELLS) * PAGE_ROWS;
  const reads = Math.min(cells * buckets, MAX_LISTS) + Math.ceil(rows / PAGE_ROWS);
  return { reads: SPLIT_READS * reads, rows: SPLIT_ROWS * rows };
}

/** The same without reserving more: a read of each of these, and a few more of those that have many tweets. */
export function heatmapBase(cells: number, buckets: number): Cost {
  const lists = Math.min(cells * buckets, MAX_LISTS);
  return { reads: lists + 8, rows: (Math.min(lists, LISTS_AT_ONCE) + 8) * PAGE_ROWS };
}

/** A geohash, its centre, and how many tweets are in it. */
interface CellCount {
  readonly geohash: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
}

/**
 * How many tweets were posted in each geohash of the boxes in a period, in the order of the geohashes. Geohashes at the edge
 * of a box count only tweets within it. Throws `BAD_USER_INPUT` if more than `maxRows` tweets or `MAX_LISTS` lists
 * would be read, of the cells that cover the boxes.
 */
export async function readHeatmap(
  load: Load,
  boxes: readonly Box[],
  period: Period,
  precision: number,
  maxRows = MAX_COUNTED_ROWS,
): Promise<CellCount[]> {
  const bits = BITS_PER_CHARACTER * precision;
  const counts = new Map<number, number>();
  const area = areaList(load, boxes, period);
  const times: number[] = [];
  // All tweets from this time on have been counted, even if the bound on rows has ended the reading.
  let complete = -Infinity;
  const count = async (source: Source<AreaRow>) => {
    for (let after: readonly PositionValue[] | undefined; ;) {
      const { rows, end } = await source.read({ after, reversed: false, limit: PAGE_ROWS });
      for (const row of rows) {
        times.push(Number(row.createdAt));
        if (!area.isIn(row)) continue;
        const geohash = encodeInt(row.latitude, row.longitude, bits);
        counts.set(geohash, (counts.get(geohash) ?? 0) + 1);
      }
      if (end === null) return;
      if (times.length > maxRows) {
        complete = Math.max(complete, Number(end[0]) + 1);
        return;
      }
      after = end;
    }
  };
  const buckets = await area.newestBuckets(MAX_LISTS + 1);
  const lists = buckets.flatMap((bucket) => area.sourcesOf(bucket).map((source) => ({ bucket, source })));
  if (lists.length > MAX_LISTS)
    throw badInput(
      `A heatmap can read at most ${MAX_LISTS} lists of a cell and a month or day, but this one has more: ask for a smaller area, or for a period from ${area.startOfBucket((lists[MAX_LISTS]?.bucket ?? 0) + 1).toISOString()} on.`,
    );
  for (let n = 0; n < lists.length; n += LISTS_AT_ONCE) {
    const chunk = lists.slice(n, n + LISTS_AT_ONCE);
    await Promise.all(chunk.map(({ source }) => count(source)));
    // The other cells of the month or day must be read before it is known which period fits.
    const next = lists[n + LISTS_AT_ONCE];
    if (times.length <= maxRows || (next !== undefined && next.bucket === chunk.at(-1)?.bucket)) continue;
    const surplus = times.sort((a, b) => b - a)[maxRows] ?? 0;
    const fitting = new Date(Math.max(complete, surplus + 1));
    throw badInput(
      `A heatmap can read at most ${maxRows} tweets, but this one has more: ask for a smaller area, or for a period from ${fitting.toISOString()} on.`,
    );
  }
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([geohash, count]) => {
      const { lat, lng } = decodeInt(geohash, bits);
      return { geohash: intToBase32(geohash, precision), latitude: lat, longitude: lng, count };
    });
}

/**
 * The precision of a heatmap: `requested`, or the finest with which the boxes have at most 1,024 cells. Throws
 * `BAD_USER_INPUT` if the requested one gives more than 4,096.
 */
export function precisionFor(boxes: readonly Box[], requested: number | null): number {
  if (requested === null) return finest(boxes, MAX_SHOWN_CELLS / 4);
  if (!(requested >= 1 && requested <= MAX_PRECISION))
    throw badArgument('precision', `must be 1 to ${MAX_PRECISION}, but got: ${requested}`);
  const fitting = finest(boxes, MAX_SHOWN_CELLS);
  if (requested > fitting)
    throw badInput(
      `A heatmap has at most ${MAX_SHOWN_CELLS} cells: for this area precision must be at most ${fitting}, but got: ${requested}`,
      'precision',
    );
  return requested;
}

function finest(boxes: readonly Box[], maxCells: number): number {
  for (let precision = MAX_PRECISION; precision > 1; precision--) {
    // A geohash's bits halve the longitude and the latitude in turn, beginning with the longitude.
    const columns = 2 ** Math.ceil((precision * 5) / 2);
    const rows = 2 ** Math.floor((precision * 5) / 2);
    const cells = boxes.reduce(
      (sum, { south, west, north, east }) =>
        sum +
        (Math.ceil(((east - west) / 360) * columns) + 1) * (Math.ceil(((north - south) / 180) * rows) + 1),
      0,
    );
    if (cells <= maxCells) return precision;
  }
  return 1;
}
