import { countWhile } from '../base/binary-search';
import { compareIds } from '../base/ids';
import type { PositionValue } from './cursor';
import { firstRowsOf, MAX_ROWS_AT_ONCE, type List, type Slice, type Source } from './list-parts';

type Key = readonly PositionValue[];
/** How the rows of a list are ordered. */
type Order<R> = Pick<List<R>, 'position' | 'order'>;

/** What a page may still read. */
export interface Allowance {
  buckets: number;
  partitions: number;
  continuations: number;
  /** Whether the page has read nothing yet: its first bucket is read whatever the bounds are. */
  isFirst: boolean;
}

/** The state of a source while it is read. */
interface Reading<R> {
  readonly source: Source<R>;
  readonly rows: R[];
  /** How many rows the next read asks for. */
  size: number;
  /** The position up to which it was read; null when it was read to its end. */
  end: Key | null;
  /** Whether a bound of the source itself has ended the read at `end`. */
  isCut: boolean;
}

/** The rows of merged sources. `end` is the clustering key to continue from if a bound was reached, otherwise null. */
interface MergedRows<R> {
  readonly rows: readonly R[];
  readonly end: Key | null;
}

/**
 * Reads up to `limit` rows of some sources and merges them in order (a k-way merge). Rows are only certain up to the nearest
 * position to which a source was read, because beyond it rows of that source may be missing. So sources are read further
 * until enough rows are certain, or the allowance is used up. Of each source, `firstRows` rows are read at first.
 */
export async function mergeSources<R>(
  list: Order<R>,
  sources: readonly Source<R>[],
  slice: Slice,
  allowance: Pick<Allowance, 'continuations'>,
  firstRows = firstRowsOf(sources.length, slice.limit),
): Promise<MergedRows<R>> {
  const { reversed, limit } = slice;
  const ascending = reversed !== (list.order === 'asc');
  const isAhead = (a: Key, b: Key) => (ascending ? compareKeys(a, b) < 0 : compareKeys(a, b) > 0);
  const readings = sources.map((source): Reading<R> => ({
    source,
    rows: [],
    size: firstRows,
    end: [],
    isCut: false,
  }));
  await Promise.all(readings.map((reading) => readOn(reading, slice.after, reversed)));
  for (;;) {
    const rows = inOrder(list, readings, isAhead, limit);
    const unread = readings.filter(({ end }) => end !== null);
    const [nearest] = unread.sort((a, b) => (isAhead(a.end ?? [], b.end ?? []) ? -1 : 1));
    if (nearest?.end == null) return { rows: rows.slice(0, limit), end: null };
    const { end } = nearest;
    // A single source has no row beyond the position to which it was read.
    const certain = readings.length === 1 ? rows : rows.filter((row) => !isAhead(end, list.position(row)));
    if (certain.length >= limit) return { rows: certain.slice(0, limit), end: null };
    const last = rows[limit - 1];
    // A source that was read past the last row of the page has no more rows for it.
    const needed =
      last === undefined
        ? unread
        : unread.filter((reading) => !isAhead(list.position(last), reading.end ?? []));
    const further = nearest.isCut
      ? []
      : needed.filter(({ isCut }) => !isCut).slice(0, allowance.continuations);
    if (further.length === 0) return { rows: certain, end };
    allowance.continuations -= further.length;
    await Promise.all(further.map((reading) => readOn(reading, reading.end ?? [], reversed)));
  }
}

async function readOn<R>(reading: Reading<R>, after: Key | undefined, reversed: boolean): Promise<void> {
  const { source, size } = reading;
  const { rows, end, isCut = false } = await source.read({ after, reversed, limit: size });
  reading.rows.push(...rows);
  reading.end = end;
  reading.isCut = isCut;
  reading.size = Math.max(size, Math.min(4 * size, MAX_ROWS_AT_ONCE));
}

/** The next row of a source. */
interface Head<R> {
  readonly rows: readonly R[];
  readonly at: number;
  readonly row: R;
  readonly key: Key;
  /** The place of the source among the sources: of equal rows, that of the first source is taken. */
  readonly source: number;
}

/** The first `limit` rows of all sources in order, without duplicates. */
function inOrder<R>(
  list: Order<R>,
  readings: readonly Reading<R>[],
  isAhead: (a: Key, b: Key) => boolean,
  limit: number,
): readonly R[] {
  const [first, ...others] = readings;
  if (first === undefined || others.length === 0) return first?.rows ?? [];
  const headOf = (rows: readonly R[], at: number, source: number): Head<R> | undefined => {
    const row = rows[at];
    return row === undefined ? undefined : { rows, at, row, key: list.position(row), source };
  };
  const isBefore = (a: Head<R>, b: Head<R>) =>
    isAhead(a.key, b.key) || (a.source < b.source && !isAhead(b.key, a.key));
  const heads = readings.flatMap(({ rows }, source) => headOf(rows, 0, source) ?? []);
  heads.sort((a, b) => (isBefore(a, b) ? -1 : 1));
  const merged: R[] = [];
  let last: Key | undefined;
  for (let head = heads.shift(); head && merged.length < limit; head = heads.shift()) {
    if (last === undefined || compareKeys(last, head.key) !== 0) merged.push(head.row);
    last = head.key;
    const next = headOf(head.rows, head.at + 1, head.source);
    if (next === undefined) continue;
    const index = countWhile(heads, (other) => isBefore(other, next));
    heads.splice(index, 0, next);
  }
  return merged;
}

/** Compares two clustering keys, in ascending order of their values. */
export function compareKeys(a: Key, b: Key): number {
  for (let n = 0; n < a.length; n++) {
    const difference = compareValues(a[n] ?? '', b[n] ?? '');
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareValues(a: PositionValue, b: PositionValue): number {
  return a instanceof Date || b instanceof Date ? Number(a) - Number(b) : compareIds(a, b);
}
