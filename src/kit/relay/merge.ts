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

/** A partition while a bucket is read. */
interface Reading<R> {
  readonly source: Source<R>;
  readonly held: R[];
  /** How many rows the next read asks for. */
  size: number;
  /** The position up to which it was read; null once it was read to its end. */
  edge: Key | null;
  /** Whether the source itself has ended the reading there. */
  isCut: boolean;
}

/** Rows of a bucket; `edge` is where to go on when a bound was hit. */
export interface BucketRows<R> {
  readonly rows: readonly R[];
  readonly edge: Key | null;
}

/**
 * Reads up to `limit` rows of some partitions in the order of their list, a k-way merge. What lies behind the position that one
 * partition was read to is not sure, since rows of that partition may be missing there: partitions are read on until
 * enough is sure, or the allowance is used up.
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
  const readings = sources.map((source): Reading<R> => ({ source, held: [], size, edge: [], isCut: false }));
  await Promise.all(readings.map((reading) => readOn(list, reading, slice.after, reversed)));
  for (;;) {
    const rows = inOrder(list, readings, ascending);
    const unread = readings.filter(({ edge }) => edge !== null);
    const [nearest] = unread.sort((a, b) => (isAhead(a.edge ?? [], b.edge ?? []) ? -1 : 1));
    if (nearest?.edge == null) return { rows: rows.slice(0, limit), edge: null };
    const { edge } = nearest;
    const sure = rows.filter((row) => !isAhead(edge, list.position(row)));
    if (sure.length >= limit) return { rows: sure.slice(0, limit), edge: null };
    const last = rows[limit - 1];
    // A partition that was read past the last row of the page has no more for it.
    const needed =
      last === undefined ? unread : unread.filter((one) => !isAhead(list.position(last), one.edge ?? []));
    const further = nearest.isCut
      ? []
      : needed.filter(({ isCut }) => !isCut).slice(0, allowance.continuations);
    if (further.length === 0) return { rows: sure, edge };
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
  const { source, held, size } = reading;
  const rows = await source.read({ after, reversed, limit: size });
  for (const row of rows) if (source.holds?.(row) ?? true) held.push(row);
  const cut = source.edge?.() ?? null;
  const last = rows.length < size ? undefined : rows.at(-1);
  reading.isCut = cut !== null;
  reading.edge = cut ?? (last === undefined ? null : list.position(last));
  reading.size = Math.max(size, Math.min(4 * size, MAX_ROWS_AT_ONCE));
}

/** The rows of all partitions in order, each once. */
function inOrder<R>(list: List<R>, readings: readonly Reading<R>[], ascending: boolean): readonly R[] {
  const [first, ...others] = readings;
  if (first === undefined || others.length === 0) return first?.held ?? [];
  const placed = readings.flatMap(({ held }) => held.map((row) => ({ row, at: list.position(row) })));
  placed.sort((a, b) => (ascending ? compareKeys(a.at, b.at) : compareKeys(b.at, a.at)));
  return placed
    .filter(({ at }, n) => n === 0 || compareKeys(at, placed[n - 1]?.at ?? []) !== 0)
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
