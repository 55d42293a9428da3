import { compareIds } from '../base/ids';
import type { PositionValue } from './cursor';
import { firstRowsOf, MAX_ROWS_AT_ONCE, type List, type Slice, type Source } from './list';

type Key = readonly PositionValue[];

/** What a page may still read. */
export interface Allowance {
  buckets: number;
  partitions: number;
  continuations: number;
  /** Whether the page has read nothing yet: its first bucket is read whatever the bounds are. */
  isFirst: boolean;
}

/** The state of a source while its bucket is read. */
interface Reading<R> {
  readonly source: Source<R>;
  readonly rows: R[];
  /** How many rows the next read asks for. */
  size: number;
  /** The position up to which it was read; null when it was read to its end. */
  edge: Key | null;
  /** Whether a bound of the source itself has ended the read at `edge`. */
  isCut: boolean;
}

/** Rows of a bucket. `edge` is the clustering key to continue from if a bound was reached, otherwise null. */
export interface BucketRows<R> {
  readonly rows: readonly R[];
  readonly edge: Key | null;
}

/**
 * Reads up to `limit` rows of some sources and merges them in the order of their list (a k-way merge). Rows are only certain
 * up to the nearest position to which a source was read, because beyond it rows of that source may be missing. So sources
 * are read further until enough rows are certain, or the allowance is used up.
 */
export async function mergeSources<R>(
  list: List<R>,
  sources: readonly Source<R>[],
  slice: Slice,
  allowance: Allowance,
): Promise<BucketRows<R>> {
  const { reversed, limit } = slice;
  const ascending = reversed !== (list.order === 'asc');
  const isAhead = (a: Key, b: Key) => (ascending ? compareKeys(a, b) < 0 : compareKeys(a, b) > 0);
  const size = firstRowsOf(sources.length, limit);
  const readings = sources.map((source): Reading<R> => ({ source, rows: [], size, edge: [], isCut: false }));
  await Promise.all(readings.map((reading) => readOn(list, reading, slice.after, reversed)));
  for (;;) {
    const rows = inOrder(list, readings, ascending);
    const unread = readings.filter(({ edge }) => edge !== null);
    const [nearest] = unread.sort((a, b) => (isAhead(a.edge ?? [], b.edge ?? []) ? -1 : 1));
    if (nearest?.edge == null) return { rows: rows.slice(0, limit), edge: null };
    const { edge } = nearest;
    const certain = rows.filter((row) => !isAhead(edge, list.position(row)));
    if (certain.length >= limit) return { rows: certain.slice(0, limit), edge: null };
    const last = rows[limit - 1];
    // A source that was read past the last row of the page has no more rows for it.
    const needed =
      last === undefined
        ? unread
        : unread.filter((reading) => !isAhead(list.position(last), reading.edge ?? []));
    const further = nearest.isCut
      ? []
      : needed.filter(({ isCut }) => !isCut).slice(0, allowance.continuations);
    if (further.length === 0) return { rows: certain, edge };
    allowance.continuations -= further.length;
    await Promise.all(further.map((reading) => readOn(list, reading, reading.edge ?? [], reversed)));
  }
}

async function readOn<R>(
  list: List<R>,
  reading: Reading<R>,
  after: Key | undefined,
  reversed: boolean,
): Promise<void> {
  const { source, size } = reading;
  const rows = await source.read({ after, reversed, limit: size });
  for (const row of rows) if (source.holds?.(row) ?? true) reading.rows.push(row);
  const cut = source.edge?.() ?? null;
  const last = rows.length < size ? undefined : rows.at(-1);
  reading.isCut = cut !== null;
  reading.edge = cut ?? (last === undefined ? null : list.position(last));
  reading.size = Math.max(size, Math.min(4 * size, MAX_ROWS_AT_ONCE));
}

/** Merges the rows of all sources in order, without duplicates. */
function inOrder<R>(list: List<R>, readings: readonly Reading<R>[], ascending: boolean): readonly R[] {
  const [first, ...others] = readings;
  if (first === undefined || others.length === 0) return first?.rows ?? [];
  const sorted = readings.flatMap(({ rows }) => rows.map((row) => ({ row, key: list.position(row) })));
  sorted.sort((a, b) => (ascending ? compareKeys(a.key, b.key) : compareKeys(b.key, a.key)));
  return sorted
    .filter(({ key }, n) => n === 0 || compareKeys(key, sorted[n - 1]?.key ?? []) !== 0)
    .map(({ row }) => row);
}

function compareKeys(a: Key, b: Key): number {
  for (let n = 0; n < a.length; n++) {
    const difference = compareValues(a[n] ?? '', b[n] ?? '');
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareValues(a: PositionValue, b: PositionValue): number {
  return a instanceof Date || b instanceof Date ? Number(a) - Number(b) : compareIds(a, b);
}
