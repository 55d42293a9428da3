import { MAX_ID, MIN_ID } from '../../kit/base/ids';
import type { Load } from '../../kit/reads/load';
import { bucketList } from '../../kit/lists/bucket-list';
import { cachedBuckets } from '../../kit/lists/buckets';
import { sourceOfList } from '../../kit/lists/connection';
import type { PositionValue } from '../../kit/lists/cursor';
import { MAX_OTHERS } from '../../kit/lists/list-buckets';
import { partsByBucket, type List, type ListBounds, type Source } from '../../kit/lists/list-parts';
import type { Page } from '../../kit/lists/page';
import type { Period } from '../../kit/base/period';
import { areaBucketAt, findCover, ownerIn, startOfBucket } from './cells';
import { type Box, isWithin, listSides } from './box';
import { shownArea, tweetsByArea, type AreaRow } from './map.table';

/** How much a page reads: 8 buckets (months or days) of 64 cells, more buckets of fewer cells. */
export const AREA_BOUNDS: ListBounds = { buckets: 32, partitions: 512, continuations: 48 };
/** How much a read of one cell in one bucket reads: a stretch, and one more partition. */
const CELL_BOUNDS: ListBounds = { buckets: 2, partitions: MAX_OTHERS + 2, continuations: 0 };
/** How many times as many reads are made of lists that were split: one finds that out, two find the stretches. */
export const SPLIT_READS = 3 + CELL_BOUNDS.partitions;

/** A list of the tweets of an area. */
interface AreaList extends List<AreaRow> {
  /** The lists of a bucket's cells. Some of their rows may be outside of the area, but none outside of the period. */
  sourcesOf(this: void, bucket: number): readonly Source<AreaRow>[];
  /** Whether a row is in the area. */
  isIn(this: void, row: AreaRow): boolean;
  /** The newest buckets of the period: at least `limit` of them, or all if there are fewer. */
  newestBuckets(this: void, limit: number): Promise<readonly number[]>;
  /** When a bucket begins. */
  startOfBucket(this: void, bucket: number): Date;
}

/** The tweets that were posted in the given boxes in a period, newest first. `loadFor` gives the `load` of a page for the lists of cells. */
export function areaList(
  load: Load,
  boxes: readonly Box[],
  { from, to }: Period,
  loadFor: (page: Page) => Load = () => load,
): AreaList {
  const { grid, cells } = findCover(boxes);
  const [oldest, last] = [areaBucketAt(grid, from), areaBucketAt(grid, new Date(Number(to) - 1))];
  const cellsOf = new Map<number, Set<string>>();
  const readBuckets = async (start: number, reversed: boolean, limit: number) => {
    const key = { list: tweetsByArea.name, after: [start], reversed, limit };
    const known = await Promise.all(cells.map((owner) => load(cachedBuckets, { owner, ...key })));
    const found = known.flat().filter(({ bucket }) => bucket >= oldest && bucket <= last);
    for (const { owner, bucket } of found) cellsOf.set(bucket, (cellsOf.get(bucket) ?? new Set()).add(owner));
    return [...new Set(found.map(({ bucket }) => bucket))].sort((a, b) => b - a);
  };
  // Buckets that lie within the period are read in the same way for all periods, so that their cached rows serve all.
  const begin = (bucket: number) =>
    from > startOfBucket(grid, bucket) ? [new Date(Number(from) - 1), MAX_ID] : undefined;
  const end = (bucket: number) => (to < startOfBucket(grid, bucket + 1) ? [to, MIN_ID] : undefined);
  const isBeyond = ([createdAt]: readonly PositionValue[], reversed: boolean) =>
    createdAt !== undefined && (reversed ? createdAt >= to : createdAt < from);
  const sourceIn = (loadOfPage: Load, cell: string, bucket: number): Source<AreaRow> => {
    const list = bucketList(loadOfPage, shownArea, { cell: ownerIn(cell, bucket) }, position);
    const source = sourceOfList({ ...list, bounds: CELL_BOUNDS });
    return {
      async read(slice) {
        const { reversed } = slice;
        const after = slice.after ?? (reversed ? begin(bucket) : end(bucket));
        const { rows, end: readTo, isCut = false } = await source.read({ ...slice, after });
        // A position beyond the period has no more rows of it.
        const isOver = readTo !== null && isBeyond(readTo, reversed);
        return {
          rows: rows.filter(({ createdAt }) => createdAt >= from && createdAt < to),
          end: isOver ? null : readTo,
          isCut: isCut && !isOver,
        };
      },
    };
  };
  const sourcesIn = (loadOfPage: Load, bucket: number) =>
    [...(cellsOf.get(bucket) ?? [])].map((cell) => sourceIn(loadOfPage, cell, bucket));
  const isIn = ({ latitude, longitude }: AreaRow) => isWithin(boxes, latitude, longitude);
  const within = ({ read }: Source<AreaRow>): Source<AreaRow> => ({
    async read(slice) {
      const found = await read(slice);
      return { ...found, rows: found.rows.filter(isIn) };
    },
  });
  return {
    startOfBucket: (bucket) => startOfBucket(grid, bucket),
    name: [tweetsByArea.name, ...boxes.flatMap(listSides), +from, +to].join(' '),
    bounds: AREA_BOUNDS,
    parts(page) {
      const limit = AREA_BOUNDS.buckets + 1;
      const bucketsFrom = (start: number | null, backwards: boolean) =>
        backwards
          ? readBuckets(Math.max(oldest, start ?? oldest) - 1, true, limit)
          : readBuckets(Math.min(last, start ?? last) + 1, false, limit);
      const ofPage = loadFor(page);
      return partsByBucket(bucketsFrom, (bucket) => sourcesIn(ofPage, bucket).map(within))(page);
    },
    // A short period has few buckets, so no more are read, however many the cells have.
    newestBuckets: (limit) => readBuckets(last + 1, false, Math.min(limit, Math.max(1, last - oldest + 1))),
    sourcesOf: (bucket) => sourcesIn(load, bucket),
    isIn,
    position,
  };
}

function position({ createdAt, tweetId }: AreaRow) {
  return [createdAt, tweetId];
}
