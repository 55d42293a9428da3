import { countWhile } from '../base/binary-search';
import { compareIds } from '../base/ids';
import type { PositionValue } from './cursor';

/** Rows of a source in the direction of reading, and the position up to which it was read: null if that is its end. */
interface Run<R, K> {
  readonly rows: readonly R[];
  readonly end: K | null;
}

/** The order of rows in the direction of reading. */
interface Order<R, K> {
  keyOf(this: void, row: R): K;
  compare(this: void, a: K, b: K): number;
}

/** The rows of several sources in order, each once. */
interface Merged<R, K> {
  /** The rows up to `end`: no source can have others among them. */
  readonly certain: readonly R[];
  /** The rows beyond, where rows of other sources may be missing. */
  readonly ahead: readonly R[];
  /** The position up to which every source was read; null if all were read to their ends. */
  readonly end: K | null;
}

/** The next row of a run. */
interface Head<R, K> {
  readonly rows: readonly R[];
  readonly at: number;
  readonly row: R;
  readonly key: K;
  /** The place of the run among the runs: of equal rows, that of the first one is taken. */
  readonly run: number;
}

/**
 * Merges what was read of several sources (a k-way merge), at most `limit` rows. All lists that have several sources are merged by
 * this: timelines, areas, split lists and the most liked.
 */
export function mergeRuns<R, K>(
  runs: readonly Run<R, K>[],
  order: Order<R, K>,
  limit = Infinity,
): Merged<R, K> {
  const { keyOf, compare } = order;
  let end: K | null = null;
  for (const run of runs) if (run.end !== null && (end === null || compare(run.end, end) < 0)) end = run.end;
  const rows = inOrder(runs, order, limit);
  // A single source has no row beyond the position to which it was read.
  if (end === null || runs.length === 1) return { certain: rows, ahead: [], end };
  const nearest = end;
  const certain = countWhile(rows, (row) => compare(keyOf(row), nearest) <= 0);
  return { certain: rows.slice(0, certain), ahead: rows.slice(certain), end };
}

function inOrder<R, K>(
  runs: readonly Run<R, K>[],
  { keyOf, compare }: Order<R, K>,
  limit: number,
): readonly R[] {
  const headOf = (rows: readonly R[], at: number, run: number): Head<R, K> | undefined => {
    const row = rows[at];
    return row === undefined ? undefined : { rows, at, row, key: keyOf(row), run };
  };
  const compareHeads = (a: Head<R, K>, b: Head<R, K>) => compare(a.key, b.key) || a.run - b.run;
  const heads = runs.flatMap(({ rows }, run) => headOf(rows, 0, run) ?? []);
  const [only, ...others] = heads;
  if (only === undefined || others.length === 0)
    return only && only.rows.length > limit ? only.rows.slice(0, limit) : (only?.rows ?? []);
  heads.sort(compareHeads);
  const merged: R[] = [];
  let last: Head<R, K> | undefined;
  for (let head = heads.shift(); head && merged.length < limit; head = heads.shift()) {
    if (last === undefined || compare(last.key, head.key) !== 0) merged.push(head.row);
    last = head;
    const next = headOf(head.rows, head.at + 1, head.run);
    if (next === undefined) continue;
    const index = countWhile(heads, (other) => compareHeads(other, next) < 0);
    heads.splice(index, 0, next);
  }
  return merged;
}

type Key = readonly PositionValue[];

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
