import { MAX_ID, MIN_ID } from '../../kit/base/ids';
import type { Load } from '../../kit/reads/load';
import { cachedBuckets } from '../../kit/lists/buckets';
import { partsByBucket, sourceOf, type List, type ListBounds, type Slice } from '../../kit/lists/list-parts';
import type { Period } from '../../kit/base/period';
import { areaBucketAt, startOfBucket, findCover } from './cells';
import { type Box, isWithin, listSides } from './box';
import { cachedAreaPage, tweetsByArea, type AreaRow } from './map.table';

/** How much a page reads: 8 buckets (months or days) of 64 cells, more buckets of fewer cells. */
export const AREA_BOUNDS: ListBounds = { buckets: 32, partitions: 512, continuations: 48 };

/** Reads rows of one partition: one cell in one bucket. Some of them may be outside of the area. */
export type PartitionReader = (slice: Slice) => Promise<readonly AreaRow[]>;

/** A list of the tweets of an area. */
interface AreaList extends List<AreaRow> {
  /** The readers of a bucket's partitions. */
  readersOf(this: void, bucket: number): readonly PartitionReader[];
  /** Whether a row is in the area. */
  isIn(this: void, row: AreaRow): boolean;
  /** The newest buckets of the period: at least `limit` of them, or all if there are fewer. */
  newestBuckets(this: void, limit: number): Promise<readonly number[]>;
  /** When a bucket begins. */
  startOfBucket(this: void, bucket: number): Date;
}

/** The tweets that were posted in the given boxes in a period, newest first. */
export function areaList(load: Load, boxes: readonly Box[], { from, to }: Period): AreaList {
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
  // Buckets that lie within the period are read in the same way for all periods, so that what is cached of them serves all.
  const begin = (bucket: number) =>
    from > startOfBucket(grid, bucket) ? [new Date(Number(from) - 1), MAX_ID] : undefined;
  const end = (bucket: number) => (to < startOfBucket(grid, bucket + 1) ? [to, MIN_ID] : undefined);
  const read = async (cell: string, bucket: number, slice: Slice) => {
    const after = slice.after ?? (slice.reversed ? begin(bucket) : end(bucket));
    const rows = await load(cachedAreaPage, { cell, bucket, ...slice, after });
    return rows.filter(({ createdAt }) => createdAt >= from && createdAt < to);
  };
  const readersOf = (bucket: number) =>
    [...(cellsOf.get(bucket) ?? [])].map((cell) => (slice: Slice) => read(cell, bucket, slice));
  const position = ({ createdAt, tweetId }: AreaRow) => [createdAt, tweetId];
  const isIn = ({ latitude, longitude }: AreaRow) => isWithin(boxes, latitude, longitude);
  const sourcesOf = (bucket: number) => readersOf(bucket).map((read) => sourceOf(read, position, isIn));
  return {
    startOfBucket: (bucket) => startOfBucket(grid, bucket),
    name: [tweetsByArea.name, ...boxes.flatMap(listSides), +from, +to].join(' '),
    bounds: AREA_BOUNDS,
    parts: partsByBucket((from, backwards) => {
      const limit = AREA_BOUNDS.buckets + 1;
      return backwards
        ? readBuckets(Math.max(oldest, from ?? oldest) - 1, true, limit)
        : readBuckets(Math.min(last, from ?? last) + 1, false, limit);
    }, sourcesOf),
    // A short period has few buckets, so no more are read, however many the cells have.
    newestBuckets: (limit) => readBuckets(last + 1, false, Math.min(limit, Math.max(1, last - oldest + 1))),
    readersOf,
    isIn,
    position,
  };
}
