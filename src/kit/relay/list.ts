import type { Position, PositionValue } from './cursor';

/** A list as a connection walks it: buckets, newest first, each read from one partition or, merged, from a few. One in ascending order has one bucket. */
export interface List<R> {
  /** Names the list and its owner; a cursor is good for this only. */
  readonly name: string;
  /**
   * The buckets that exist, newest first; of those in the direction of reading from a bucket on, one more than a page reads is
   * enough, and others need not be there.
   */
  readonly buckets: (from: number | null, backwards: boolean) => Promise<readonly number[]>;
  /** Reads of the partitions that make up a bucket. */
  readonly sources: (bucket: number) => readonly Source<R>[];
  /** The clustering key of a row; rows stand in descending order of it, unless `order` says otherwise. */
  position(row: R): readonly PositionValue[];
  readonly order?: 'asc' | 'desc';
  /** Whether a row is to be seen, where that takes reading what it points to: asked of those that make a page. */
  shown?(this: void, row: R): Promise<boolean>;
  /** How many buckets a page reads at first, then twice as many each time; 1 when not given. */
  readonly atOnce?: number;
  /** How much a page reads; `DEFAULT_BOUNDS` when not given. */
  readonly bounds?: ListBounds;
  /**
   * Whether it is looked for rows in front of a page that comes from a cursor; it is when not given. Else that information is
   * false, as the Relay specification allows where it cannot be told at little cost.
   */
  readonly looksBehind?: boolean;
}

/** One partition, or a few that are read as one. */
export interface Source<R> {
  /** How many partitions it reads; 1 when not given. */
  readonly partitions?: number;
  /** Reads in the order of the list or, `reversed`, against it. Fewer rows than asked for are the last. */
  readonly read: (slice: Slice) => Promise<readonly R[]>;
  /** The position up to which all was read, where a bound has cut the last reading short; null where none has. */
  edge?(this: void): readonly PositionValue[] | null;
  /** Whether a row is to be seen, once it has been read; all are when it is not given. */
  holds?(this: void, row: R): boolean;
}

/** Which rows of a partition are read. */
export interface Slice {
  readonly after: readonly PositionValue[] | undefined;
  readonly reversed: boolean;
  readonly limit: number;
}

/**
 * How much one page reads at most. A page that comes to a bound ends there: it may be short or empty, says that there is
 * more, and its cursor goes on.
 */
export interface ListBounds {
  /** Buckets of which a page reads rows. */
  readonly buckets: number;
  /** Partitions of which a page reads rows; all of the first bucket are read in any case. */
  readonly partitions: number;
  /** How often a page reads on in a partition whose first rows were not enough: some are not to be seen, or few were read of each. */
  readonly continuations: number;
}

/** The bounds of a list whose rows are all to be seen. */
export const DEFAULT_BOUNDS: ListBounds = { buckets: 32, partitions: 32, continuations: 0 };

/** How many partitions are read to find out whether a row stands in front of a page; those of one bucket in any case. */
export const MAX_PARTITIONS_BEHIND = 8;

/** The most rows that one read asks of a partition, beside the rows of the page. */
export const MAX_ROWS_AT_ONCE = 500;

/** How many rows a page checks by `shown`, for each of its own. */
export const CHECKS_PER_ROW = 3;

/** Of more sources than this, few rows of each are read at first. */
export const FEW_SOURCES = 8;

/** How many rows a page of some size reads at first of each of some sources: all of it of few, else four times an even share. */
export function firstRowsOf(sources: number, size: number): number {
  return sources > FEW_SOURCES ? Math.min(size, Math.max(4, Math.ceil((4 * size) / sources))) : size;
}

/** A row with the bucket in which it stands. */
export interface Found<R> {
  readonly row: R;
  readonly bucket: number;
}

/** Rows in the direction of reading; `end` is where to go on when a bound was hit. */
export interface Stretch<R> {
  readonly rows: Found<R>[];
  readonly end: Position | null;
}
