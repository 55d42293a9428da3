import type { Position } from './cursor';
import { CHECKS_PER_ROW, DEFAULT_BOUNDS, type Found, type List, type Stretch } from './list';
import { mergeSources, type Allowance } from './merge';
import type { Page } from './page';

/** Collects `limit + 1` rows that are to be seen, from behind a position on. */
export async function collect<R>(list: List<R>, page: Page): Promise<Stretch<R>> {
  const { shown } = list;
  const ahead = await bucketsAhead(list, page);
  const allowance = { ...(list.bounds ?? DEFAULT_BOUNDS), isFirst: true };
  if (shown === undefined) return walk(list, ahead, page, allowance);
  const rows: Found<R>[] = [];
  let { from } = page;
  const size = page.limit + 1;
  let checks = CHECKS_PER_ROW * size;
  for (let wanted = size; ;) {
    const read = await walk(list, ahead, { ...page, limit: wanted - 1, from }, allowance);
    const isShown = await Promise.all(read.rows.map(({ row }) => shown(row)));
    rows.push(...read.rows.filter((_, position) => isShown[position]));
    if (rows.length > page.limit) return { rows: rows.slice(0, page.limit + 1), end: null };
    const last = read.rows.at(-1);
    if (read.rows.length < wanted || last === undefined) return { rows, end: read.end };
    from = { bucket: last.bucket, key: list.position(last.row) };
    checks -= wanted;
    if (checks <= 0) return { rows, end: from };
    // Enough of them, so that a page takes few rounds however many are not to be seen.
    wanted = Math.min(checks, size, Math.max(4 * (size - rows.length), Math.ceil(size / 2)));
  }
}

/** All rows of a list in the direction of reading, from behind a position on; with `end` where a bound ended a stretch of them. */
export async function* rowsFrom<R>(
  list: List<R>,
  from: Position | null,
  backwards: boolean,
): AsyncIterable<Stretch<R>> {
  for (let at = from; ;) {
    const { rows, end } = await collect(list, { limit: ROWS_AT_ONCE - 1, backwards, from: at });
    const last = rows.at(-1);
    const isFull = rows.length === ROWS_AT_ONCE && last !== undefined;
    yield { rows, end: isFull ? null : end };
    if (isFull) at = { bucket: last.bucket, key: list.position(last.row) };
    else if (end !== null) at = end;
    else return;
  }
}

/** How many rows `rowsFrom` gives at a time. */
export const ROWS_AT_ONCE = 100;

/** The buckets of a list in the direction of reading. */
async function bucketsAhead<R>(list: List<R>, { from, backwards }: Page): Promise<readonly number[]> {
  const all = await list.buckets(from?.bucket ?? null, backwards);
  return backwards ? all.toReversed() : all;
}

/**
 * Walks until there are `limit + 1` rows in the direction of reading. `end` is where to go on when a bound was hit.
 *
 * Every bucket is read up to `limit + 1`, whatever was found before: so lists of several owners, walked in the same
 * ticks, ask for equal slices, and their reads of a bucket are one request. Requests grow with the number of distinct
 * buckets, never with that of the lists.
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
    const some = affordable(list, ahead.slice(walked, walked + atOnce), allowance);
    if (some.length === 0) break;
    walked += some.length;
    const read = await Promise.all(
      some.map(async ({ bucket, sources }) => {
        const after = bucket === from?.bucket ? from.key : [];
        const slice = { after: after.length > 0 ? after : undefined, reversed: backwards, limit: limit + 1 };
        return { bucket, ...(await mergeSources(list, sources, slice, allowance)) };
      }),
    );
    for (const { bucket, rows: found, edge } of read) {
      for (const row of found) rows.push({ row, bucket });
      if (edge === null) continue;
      return { rows: rows.slice(0, limit + 1), end: rows.length > limit ? null : { bucket, key: edge } };
    }
  }
  const next = ahead[walked];
  if (rows.length > limit || next === undefined) return { rows: rows.slice(0, limit + 1), end: null };
  return { rows, end: next === from?.bucket ? from : { bucket: next, key: [] } };
}

/** Those of some buckets that a page may still read, with their sources: the first one in any case, where nothing was read yet. */
function affordable<R>(list: List<R>, buckets: readonly number[], allowance: Allowance) {
  const some = [];
  for (const bucket of buckets) {
    const sources = list.sources(bucket);
    const partitions = sources.reduce((sum, source) => sum + (source.partitions ?? 1), 0);
    const isWithin = allowance.buckets > 0 && partitions <= allowance.partitions;
    if (!isWithin && !allowance.isFirst) break;
    allowance.isFirst = false;
    allowance.buckets -= 1;
    allowance.partitions -= partitions;
    some.push({ bucket, sources });
  }
  return some;
}
