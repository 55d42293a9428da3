import type { Position, PositionValue } from './cursor';
import type { Page } from './page';

/**
 * A list, as a connection reads it: parts, one after the other, each of which is read from one partition or merged from a
 * few. A list in ascending order has only one part.
 */
export interface List<R> {
  /** Names the list and its owner. A cursor is only valid for the list whose name it was made with. */
  readonly name: string;
  /**
   * Finds the parts that a page reads, in the direction of reading: from that with the page's position on, up to one more
   * than a page reads.
   */
  readonly parts: (page: Page) => Promise<readonly Part<R>[]>;
  /** The clustering key of a row. Rows are in descending order of it, unless `order` is `asc`. */
  position(row: R): readonly PositionValue[];
  readonly order?: 'asc' | 'desc';
  /**
   * Whether a row is visible, if only reading what it points to can tell; null if that takes more checks than the page has left. It is
   * called for the rows of a page only.
   */
  shown?(this: void, row: R, checks: Checks): Visible | Promise<Visible>;
  /** Reads what `shown` needs to know of some rows. It is called with those of each read, before `shown` is. */
  learn?(this: void, rows: readonly R[]): Promise<void>;
  /** How much a page reads at most; `DEFAULT_BOUNDS` by default. */
  readonly bounds?: ListBounds;
  /**
   * Whether to find out if there are rows on the other side of a page's cursor (an opposite page); true by default. Otherwise
   * `hasPreviousPage` (or `hasNextPage`, backwards) is false, as the Relay specification allows if finding out is not cheap. It
   * is called after the page was read.
   */
  checksOppositePage?(this: void): boolean;
}

/**
 * Whether a row is visible; null if the page ends before it, because finding out would take more reads than it may make. `hidden`: not to this
 * caller, or by a hidden user, which the page counts.
 */
export type Visible = boolean | null | 'hidden';

/** How many more reads a page may make to find out of rows that it has found whether they are visible. */
export interface Checks {
  left: number;
}

/** How many such reads a page makes at most. */
export function checksOf(limit: number): number {
  return Math.max(4, Math.ceil((limit + 1) / 3));
}

/** A part of a list that is read at once. */
export interface Part<R> {
  readonly sources: readonly Source<R>[];
  /** The position at which reading begins. With an empty key, that is the beginning of the part. */
  readonly start: Position;
  /** The number of sources among which its rows are divided about equally; all of them by default. */
  readonly shares?: number;
  /** The rows that were already read from there on to find the parts, for each source in its place. */
  readonly begun?: readonly SourceRows<R>[];
}

/**
 * The parts of a list whose buckets are known. `buckets` reads them, newest first, at least from `from` on in the direction
 * of reading; `sourcesOf` gives the partitions of a bucket.
 */
export function partsByBucket<R>(
  buckets: (from: number | null, backwards: boolean) => Promise<readonly number[]>,
  sourcesOf: (bucket: number) => readonly Source<R>[],
): List<R>['parts'] {
  return async ({ from, backwards }) => {
    const known = await buckets(from?.bucket ?? null, backwards);
    return (backwards ? known.toReversed() : known)
      .filter((bucket) => from === null || (backwards ? bucket >= from.bucket : bucket <= from.bucket))
      .map((bucket) => new BucketPart(bucket === from?.bucket ? from : { bucket, key: [] }, sourcesOf));
  };
}

/** A bucket, whose sources are created when it is read. */
class BucketPart<R> implements Part<R> {
  constructor(
    readonly start: Position,
    private readonly sourcesOf: (bucket: number) => readonly Source<R>[],
  ) {}

  get sources(): readonly Source<R>[] {
    return this.sourcesOf(this.start.bucket);
  }
}

/** One partition, or a few that are read as one. */
export interface Source<R> {
  readonly read: (slice: Slice) => Promise<SourceRows<R>>;
}

/** The rows that a read of a source found. */
export interface SourceRows<R> {
  /** The visible rows, in the order of the list or, if the slice is `reversed`, against it. */
  readonly rows: readonly R[];
  /** The position up to which the source was read, also if the rows there are hidden; null if it has no more rows. */
  readonly end: readonly PositionValue[] | null;
  /** Whether a bound of the source ended the read. Then the page ends at `end`, too. */
  readonly isCut?: boolean;
}

/** The rows that were read of a slice. If they are fewer than its limit, they are the last ones. */
export function rowsOfSlice<R>(
  rows: readonly R[],
  { limit }: Pick<Slice, 'limit'>,
  position: (row: R) => readonly PositionValue[],
): SourceRows<R> {
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { rows, end: last === undefined ? null : position(last) };
}

/** Creates a source of one partition. If `read` returns fewer rows than the limit of the slice, they are the last ones. */
export function sourceOf<R>(
  read: (slice: Slice) => Promise<readonly R[]>,
  position: (row: R) => readonly PositionValue[],
  isVisible?: (row: R) => boolean,
): Source<R> {
  return {
    async read(slice) {
      const { rows, end } = rowsOfSlice(await read(slice), slice, position);
      return { rows: isVisible ? rows.filter(isVisible) : rows, end };
    },
  };
}

/** The rows of a partition that are read. */
export interface Slice {
  readonly after: readonly PositionValue[] | undefined;
  readonly reversed: boolean;
  readonly limit: number;
}

/**
 * How much one page reads at most. A page that reaches a bound ends there: it may be short or empty, it says that the list
 * goes on, and the next page continues from its cursor.
 */
export interface ListBounds {
  /** The number of buckets that a page reads. */
  readonly buckets: number;
  /** The number of partitions that a page reads. The partitions of its first bucket are always read, however many they are. */
  readonly partitions: number;
  /** How often a page reads further rows of a partition, if the first ones were not enough because few were read or some are hidden. */
  readonly continuations: number;
  /** The number of partitions that are read to find out whether there is an opposite page; `MAX_OPPOSITE_PAGE_PARTITIONS` by default. */
  readonly opposite?: number;
}

/** The bounds of a list whose buckets are periods, of which many may have few rows. */
export const DEFAULT_BOUNDS: ListBounds = { buckets: 32, partitions: 32, continuations: 0 };

/**
 * The bounds of a list that is split when a partition is full. A stretch has up to eight partitions, where older rows were filled in, and a
 * page that begins near its end reads those of the next one, too.
 */
export const SPLIT_BOUNDS: ListBounds = { buckets: 16, partitions: 16, continuations: 0 };

/**
 * The bounds of a list that is divided into shards. If the list grows, its newest stretch has not begun, and each stretch has two
 * partitions of a shard, or up to five while the list grows very fast. Few rows of each are read at first, so now and then one needs more.
 */
export function shardedBounds(shards: number): ListBounds {
  if (shards === 1) return SPLIT_BOUNDS;
  return { buckets: 6, partitions: 10 * shards, continuations: 4 };
}

/** How many partitions are read to find out whether there is an opposite page. The partitions of the first bucket are always read. */
export const MAX_OPPOSITE_PAGE_PARTITIONS = 8;

/** The most rows that a further read of a partition requests, unless a page is larger. */
export const MAX_ROWS_AT_ONCE = 500;

/** How many rows a page checks by `shown`, for each row that it needs. */
export const MAX_CHECKS_PER_ROW = 3;

/** If a bucket has more sources than this, a page first reads only a few rows of each. */
export const MAX_FULLY_READ_SOURCES = 8;

/** How many rows a page first reads of each source: `size` if there are few sources, otherwise four times an even split, and at least 4. */
export function firstRowsOf(sources: number, size: number): number {
  return sources > MAX_FULLY_READ_SOURCES
    ? Math.min(size, Math.max(4, Math.ceil((4 * size) / sources)))
    : size;
}

/** A row, and the bucket that it is in. */
export interface Found<R> {
  readonly row: R;
  readonly bucket: number;
}

/** Rows in the direction of reading. `end` is the position to continue from if a bound was reached, otherwise null. */
export interface FoundRows<R> {
  readonly rows: Found<R>[];
  readonly end: Position | null;
  /** How many rows among them, and up to the end, are hidden from the caller; 0 if it is not given. */
  readonly hidden?: number;
}
