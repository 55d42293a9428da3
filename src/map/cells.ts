import { encodeInt, getHashesWithinBboxInt } from 'geohashing';
import type { Box } from './box';

/** A grid of geohashes: how many bits one has, and what time a partition of one of its cells covers. */
export interface Grid {
  readonly bits: number;
  readonly time: 'day' | 'month';
}

/**
 * The grids that a tweet stands in, fine to coarse: cells of 1.2 × 0.6 km at the equator, each next one eight times as wide
 * and as high, up to 64 for the whole world.
 */
export const GRIDS: readonly Grid[] = [
  { bits: 30, time: 'month' },
  { bits: 24, time: 'month' },
  { bits: 18, time: 'month' },
  { bits: 12, time: 'day' },
  { bits: 6, time: 'day' },
];

/** The most cells of one grid that a box is read from. */
export const MAX_CELLS = 64;

/** The cell of a grid that holds a point: the geohash as a number, with a leading 1 that tells the grids apart. */
export function cellOf({ bits }: Grid, latitude: number, longitude: number): string {
  return String(2 ** bits + encodeInt(latitude, longitude, bits));
}

/** The finest grid whose cells cover a box by no more than the bound, and these cells. */
export function coverOf(boxes: readonly Box[]): { readonly grid: Grid; readonly cells: readonly string[] } {
  const grid = GRIDS.find((one) => cellsIn(one, boxes) <= MAX_CELLS) ?? GRIDS.at(-1);
  if (grid === undefined) throw new Error('there must be a grid');
  const cells = boxes.flatMap(({ south, west, north, east }) =>
    getHashesWithinBboxInt(south, west, north, east, grid.bits).map((hash) => String(2 ** grid.bits + hash)),
  );
  return { grid, cells: [...new Set(cells)] };
}

/** How many cells of a grid cover boxes: told without making them. */
function cellsIn({ bits }: Grid, boxes: readonly Box[]): number {
  const side = 2 ** (bits / 2);
  const steps = (low: number, high: number, span: number) => {
    const place = (value: number) => Math.min(side - 1, Math.floor(((value + span / 2) / span) * side));
    return place(high) - place(low) + 1;
  };
  return boxes.reduce(
    (sum, { south, west, north, east }) => sum + steps(south, north, 180) * steps(west, east, 360),
    0,
  );
}
