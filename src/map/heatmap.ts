import { decodeBase32, encodeBase32 } from 'geohashing';
import { badInput } from '../kit/base/errors';
import type { Load } from '../kit/data/load';
import type { Period } from '../kit/base/period';
import type { Source } from '../kit/relay/list';
import type { PositionValue } from '../kit/relay/cursor';
import { areaList, type AreaRow } from './area-list';
import type { Box } from './box';
import { MAX_CELLS } from './cells';

const MAX_PRECISION = 8;
/** A heatmap's cells in the box, at most, and the tweets that are counted for it. */
export const MAX_SHOWN_CELLS = 4096;
export const MAX_COUNTED_ROWS = 100_000;
const ROWS_AT_ONCE = 500;
/** How many partitions are read at most: cells, each in months or days. */
export const MAX_PARTITIONS = 5000;
/** How many partitions are read at once. Where the bound on rows is passed, a page of each and of the other cells of that time is read. */
const PARTITIONS_AT_ONCE = 32;

/** How much a heatmap reads at most of some cells in a period. */
export function heatmapBound(
  cells: number,
  buckets: number,
): { readonly reads: number; readonly rows: number } {
  const rows = MAX_COUNTED_ROWS + (PARTITIONS_AT_ONCE + MAX_CELLS) * ROWS_AT_ONCE;
  return { reads: Math.min(cells * buckets, MAX_PARTITIONS) + Math.ceil(rows / ROWS_AT_ONCE), rows };
}

/** A geohash, its centre, and how many tweets are in it. */
interface CellCount {
  readonly geohash: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
}

/**
 * How many tweets were posted in each geohash of some boxes in a period, in the order of the geohashes; cells at the edge
 * count what is inside. `BAD_USER_INPUT` where more than `most` tweets, of the cells that the boxes are read from, would be looked at.
 */
export async function heatmapOf(
  load: Load,
  boxes: readonly Box[],
  period: Period,
  precision: number,
  most = MAX_COUNTED_ROWS,
): Promise<CellCount[]> {
  const counts = new Map<string, number>();
  const list = areaList(load, boxes, period);
  const times: number[] = [];
  // From here on everything has been counted, also where the bound ends the reading.
  let complete = -Infinity;
  const count = async ({ read, holds }: Source<AreaRow>) => {
    for (let after: readonly PositionValue[] | undefined; ;) {
      const rows = await read({ after, reversed: false, limit: ROWS_AT_ONCE });
      for (const row of rows) {
        times.push(Number(row.createdAt));
        if (!(holds?.(row) ?? true)) continue;
        const geohash = encodeBase32(row.latitude, row.longitude, precision);
        counts.set(geohash, (counts.get(geohash) ?? 0) + 1);
      }
      const last = rows.at(-1);
      if (rows.length < ROWS_AT_ONCE || last === undefined) return;
      if (times.length > most) {
        complete = Math.max(complete, Number(last.createdAt) + 1);
        return;
      }
      after = list.position(last);
    }
  };
  const buckets = await list.newestBuckets(MAX_PARTITIONS + 1);
  const partitions = buckets.flatMap((bucket) => list.sources(bucket).map((source) => ({ bucket, source })));
  if (partitions.length > MAX_PARTITIONS)
    throw badInput(
      `At most ${MAX_PARTITIONS} parts of the map's cells are read, but there are more: a smaller area fits, or a period from ${list.startOf((partitions[MAX_PARTITIONS]?.bucket ?? 0) + 1).toISOString()} on.`,
    );
  for (let n = 0; n < partitions.length; n += PARTITIONS_AT_ONCE) {
    const some = partitions.slice(n, n + PARTITIONS_AT_ONCE);
    await Promise.all(some.map(({ source }) => count(source)));
    // The other cells of the month or day must be read, too, before it is known from when on they fit.
    const next = partitions[n + PARTITIONS_AT_ONCE];
    if (times.length <= most || (next !== undefined && next.bucket === some.at(-1)?.bucket)) continue;
    const surplus = times.sort((a, b) => b - a)[most] ?? 0;
    const fitting = new Date(Math.max(complete, surplus + 1));
    throw badInput(
      `At most ${most} tweets are looked at, but there are more: a smaller area fits, or a period from ${fitting.toISOString()} on.`,
    );
  }
  const cells = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return cells.map(([geohash, number]) => {
    const { lat, lng } = decodeBase32(geohash);
    return { geohash, latitude: lat, longitude: lng, count: number };
  });
}

/** The precision that is asked for, or the finest that gives a box at most 1,024 cells; `BAD_USER_INPUT` where it gives too many. */
export function precisionFor(boxes: readonly Box[], asked: number | null): number {
  if (asked === null) return finest(boxes, MAX_SHOWN_CELLS / 4);
  if (!(asked >= 1 && asked <= MAX_PRECISION))
    throw badInput(`precision must be 1 to ${MAX_PRECISION}, but got: ${asked}`);
  const fitting = finest(boxes, MAX_SHOWN_CELLS);
  if (asked > fitting)
    throw badInput(
      `A heatmap has at most ${MAX_SHOWN_CELLS} cells: for this box precision must be at most ${fitting}, but got: ${asked}`,
    );
  return asked;
}

function finest(boxes: readonly Box[], most: number): number {
  for (let precision = MAX_PRECISION; precision > 1; precision--) {
    // Of a geohash's bits those at even places, the first of them, halve the longitude.
    const columns = 2 ** Math.ceil((precision * 5) / 2);
    const rows = 2 ** Math.floor((precision * 5) / 2);
    const cells = boxes.reduce(
      (sum, { south, west, north, east }) =>
        sum +
        (Math.ceil(((east - west) / 360) * columns) + 1) * (Math.ceil(((north - south) / 180) * rows) + 1),
      0,
    );
    if (cells <= most) return precision;
  }
  return 1;
}
