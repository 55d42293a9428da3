import type { Position } from './cursor';
import { MAX_CHECKS_PER_ROW, DEFAULT_BOUNDS, type Found, type List, type Stretch } from './list';
import { mergeSources, type Allowance } from './merge';
import type { Page } from './page';

/** Collects up to `limit + 1` visible rows that follow a position. The extra row tells whether the list goes on. */
export async function collect<R>(list: List<R>, page: Page): Promise<Stretch<R>> {
  const { shown } = list;
  const ahead = await bucketsAhead(list, page);
  const allowance = { ...(list.bounds ?? DEFAULT_BOUNDS), isFirst: true };
  if (shown === undefined) return walk(list, ahead, page, allowance);
  const rows: Found<R>[] = [];
  let { from } = page;
  const size = page.limit + 1;
  let checks = MAX_CHECKS_PER_ROW * size;
  for (let wanted = size; ;) {
    const read = await walk(list, ahead, { ...page, limit: wanted - 1, from }, allowance);
    const isShown = await Promise.all(read.rows.map(({ row }) => shown(row)));
    rows.push(...read.rows.filter((_, index) => isShown[index]));
    if (rows.length > page.limit) return { rows: rows.slice(0, page.limit + 1), end: null };
    const last = read.rows.at(-1);
    if (read.rows.length < wanted || last === undefined) return { rows, end: read.end };
    from = { bucket: last.bucket, key: list.position(last.row) };
    checks -= wanted;
    if (checks <= 0) return { rows, end: from };
    // More than are missing, so that a page takes few rounds even if many rows are hidden.
    wanted = Math.min(checks, size, Math.max(4 * (size - rows.length), Math.ceil(size / 2)));
  }
}

/** Reads all visible rows of a list that follow a position, `ROWS_AT_ONCE` at a time. A stretch that a bound has cut short has an `end`. */
export async function* rowsFrom<R>(
  list: List<R>,
  from: Position | null,
  backwards: boolean,
): AsyncIterable<Stretch<R>> {
  for (let position = from; ;) {
    const { rows, end } = await collect(list, { limit: ROWS_AT_ONCE - 1, backwards, from: position });
    const last = rows.at(-1);
    const isFull = rows.length === ROWS_AT_ONCE && last !== undefined;
    yield { rows, end: isFull ? null : end };
    if (isFull) position = { bucket: last.bucket, key: list.position(last.row) };
    else if (end !== null) position = end;
    else return;
  }
}

/** How many rows `rowsFrom` yields at a time, at most. */
export const ROWS_AT_ONCE = 100;

/** Reads the buckets of a list in the direction of reading. */
async function bucketsAhead<R>(list: List<R>, { from, backwards }: Page): Promise<readonly number[]> {
  const all = await list.buckets(from?.bucket ?? null, backwards);
  return backwards ? all.toReversed() : all;
}

/**
 * Reads buckets until it has `limit + 1` rows. `end` is the position to continue from if a bound was reached.
 *
 * It reads up to `limit + 1` rows of every bucket, whatever it has found before. So lists of several owners that are read in
 * the same ticks request equal slices, and their reads of a bucket become one request: the number of requests grows with
 * the number of distinct buckets, and never with that of the lists.
 */
async function walk<R>(
  list: List<R>,
  buckets: readonly number[],
  { limit, backwards, from }: Page,
  allowance: Allowance,
): Promise<Stretch<R>> {
  const ahead =
    from === null
      ? buckets
      : buckets.filter((bucket) => (backwards ? bucket >= from.bucket : bucket <= from.bucket));
  const rows: Found<R>[] = [];
  let walked = 0;
  for (let atOnce = list.atOnce ?? 1; rows.length <= limit && walked < ahead.length; atOnce *= 2) {
    const affordable = affordableBuckets(list, ahead.slice(walked, walked + atOnce), allowance);
    if (affordable.length === 0) break;
    walked += affordable.length;
    const read = await Promise.all(
      affordable.map(async ({ bucket, sources }) => {
        const after = bucket === from?.bucket ? from.key : [];
        const slice = { after: after.length > 0 ? after : undefined, reversed: backwards, limit: limit + 1 };
        return { bucket, ...(await mergeSources(list, sources, slice, allowance)) };
      }),
    );
    for (const { bucket, rows: found, end } of read) {
      for (const row of found) rows.push({ row, bucket });
      if (end === null) continue;
      return { rows: rows.slice(0, limit + 1), end: rows.length > limit ? null : { bucket, key: end } };
    }
  }
  const next = ahead[walked];
  if (rows.length > limit || next === undefined) return { rows: rows.slice(0, limit + 1), end: null };
  return { rows, end: next === from?.bucket ? from : { bucket: next, key: [] } };
}

/** Takes the buckets that a page may still read, with their sources. The first bucket of a page is read whatever the bounds are. */
function affordableBuckets<R>(list: List<R>, buckets: readonly number[], allowance: Allowance) {
  const taken = [];
  for (const bucket of buckets) {
    const sources = list.sources(bucket);
    const partitions = sources.reduce((sum, source) => sum + (source.partitions ?? 1), 0);
    const isWithin = allowance.buckets > 0 && partitions <= allowance.partitions;
    if (!isWithin && !allowance.isFirst) break;
    allowance.isFirst = false;
    allowance.buckets -= 1;
    allowance.partitions -= partitions;
    taken.push({ bucket, sources });
  }
  return taken;
}
