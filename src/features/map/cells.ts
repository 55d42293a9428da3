import { encodeInt, getHashesWithinBboxInt } from 'geohashing';
import type { Box } from './box';
import { dayOf, monthOf } from '../../kit/lists/buckets';

/** A grid of geohashes: how many bits each has, and whether a bucket of one of its cells is a day or a month. */
interface Grid {
  readonly bits: number;
  readonly time: 'day' | 'month';
}

/**
 * The grids in which a tweet is stored, fine to coarse. Cells of the first are 1.2 × 0.6 km at the equator. The cells of each next grid are
 * eight times as wide and as high; the last has 64 cells for the whole world.
 */
export const GRIDS: readonly Grid[] = [
  { bits: 30, time: 'month' },
  { bits: 24, time: 'month' },
  { bits: 18, time: 'month' },
  { bits: 12, time: 'day' },
  { bits: 6, time: 'day' },
];

/** The most cells of one grid from which an area is read. */
export const MAX_CELLS = 64;

/** The cell of a grid that has a point: the geohash as a number, with a leading 1 bit that tells the grids apart. */
export function cellAt({ bits }: Grid, latitude: number, longitude: number): string {
  return String(2 ** bits + encodeInt(latitude, longitude, bits));
}

/** The finest grid of which at most `MAX_CELLS` cells cover the boxes, else the coarsest; and these cells. */
export function findCover(boxes: readonly Box[]): { readonly grid: Grid; readonly cells: readonly string[] } {
  const grid = GRIDS.find((candidate) => cellsIn(candidate, boxes) <= MAX_CELLS) ?? GRIDS.at(-1);
  if (grid === undefined) throw new Error('there must be a grid');
  return { grid, cells: coverBoxes(grid, boxes) };
}

/** The cells of a grid that cover the boxes. */
export function coverBoxes({ bits }: Grid, boxes: readonly Box[]): readonly string[] {
  const cells = boxes.flatMap(({ south, west, north, east }) =>
    getHashesWithinBboxInt(south, west, north, east, bits).map((hash) => String(2 ** bits + hash)),
  );
  return [...new Set(cells)];
}

/** How many cells of a grid cover the boxes, computed without listing them. */
function cellsIn({ bits }: Grid, boxes: readonly Box[]): number {
  const side = 2 ** (bits / 2);
  const steps = (low: number, high: number, span: number) => {
    const indexOf = (value: number) => Math.min(side - 1, Math.floor(((value + span / 2) / span) * side));
    return indexOf(high) - indexOf(low) + 1;
  };
  return boxes.reduce(
    (sum, { south, west, north, east }) => sum + steps(south, north, 180) * steps(west, east, 360),
    0,
  );
}

/** The bucket (day or month) of a grid's cells for a moment. */
export function areaBucketAt({ time }: Grid, moment: Date): number {
  return time === 'day' ? dayOf(moment) : monthOf(moment);
}

/** When a bucket of a grid's cells begins. */
export function startOfBucket({ time }: Grid, bucket: number): Date {
  return new Date(time === 'day' ? bucket * 86_400_000 : Date.UTC(0, bucket - 1900 * 12));
}

/** A cell may have 2^22 buckets, of which 2^20 are before 1970: days from the year 900 BC to 10,500. */
const BUCKETS = 2 ** 22;
const BEFORE_1970 = 2 ** 20;

/** The owner of the list of a cell's tweets in a bucket: a number of at most 53 bits. */
export function ownerIn(cell: string, bucket: number): string {
  return String(Number(cell) * BUCKETS + BEFORE_1970 + bucket);
}
