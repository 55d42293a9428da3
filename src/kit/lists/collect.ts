import type { Position } from './cursor';
import {
  MAX_CHECKS_PER_ROW,
  DEFAULT_BOUNDS,
  type Found,
  type FoundRows,
  type List,
  type Part,
  type Source,
} from './list-parts';
import { mergeSources, type Allowance } from './merge';
import type { Page } from './page';

/** Collects up to `limit + 1` visible rows that follow a position. The extra row tells whether the list goes on. */
export async function collect<R>(list: List<R>, page: Page): Promise<FoundRows<R>> {
  const { shown } = list;
  let parts = await list.parts(page);
  const allowance = { ...(list.bounds ?? DEFAULT_BOUNDS), isFirst: true };
  if (shown === undefined) return walk(list, parts, page, allowance);
  const rows: Found<R>[] = [];
  const size = page.limit + 1;
  let checks = MAX_CHECKS_PER_ROW * size;
  for (let wanted = size; ;) {
    const read = await walk(list, parts, { ...page, limit: wanted - 1 }, allowance);
    const decisions = read.rows.map(({ row }) => shown(row));
    // Most lists need not read anything to decide.
    const isShown = decisions.every((decision) => decision === true)
      ? null
      : await Promise.all(decisions.map(async (decision) => decision));
    rows.push(...(isShown === null ? read.rows : read.rows.filter((_, index) => isShown[index])));
    if (rows.length > page.limit) return { rows: rows.slice(0, page.limit + 1), end: null };
    const last = read.rows.at(-1);
    if (read.rows.length < wanted || last === undefined) return { rows, end: read.end };
    const from = { bucket: last.bucket, key: list.position(last.row) };
    checks -= wanted;
    if (checks <= 0) return { rows, end: from };
    parts = [{ sources: last.part.sources, start: from }, ...parts.slice(parts.indexOf(last.part) + 1)];
    // More than are missing, so that a page takes few rounds even if many rows are hidden.
    wanted = Math.min(checks, size, Math.max(4 * (size - rows.length), Math.ceil(size / 2)));
  }
}

/** Creates the source of a list that is merged with others. */
export function sourceOfList<R>(list: List<R>): Source<R> {
  return {
    async read({ after, reversed, limit }) {
      const from = after === undefined ? null : { bucket: 0, key: after };
      const { rows, end } = await collect(list, { limit: limit - 1, backwards: reversed, from });
      const last = rows.length < limit ? undefined : rows.at(-1);
      return {
        rows: rows.map(({ row }) => row),
        end: last === undefined ? (end?.key ?? null) : list.position(last.row),
        isCut: last === undefined && end !== null,
      };
    },
  };
}

/** Reads all visible rows of a list that follow a position, `ROWS_AT_ONCE` at a time. `end` is set where a bound has cut the rows short. */
export async function* rowsFrom<R>(
  list: List<R>,
  from: Position | null,
  backwards: boolean,
): AsyncIterable<FoundRows<R>> {
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
const ROWS_AT_ONCE = 100;

/** Found rows that tell which part they are from. */
interface Walked<R> extends FoundRows<R> {
  readonly rows: (Found<R> & { readonly part: Part<R> })[];
}

/**
 * Reads parts until it has `limit + 1` rows. `end` is the position to continue from if a bound was reached.
 *
 * It reads up to `limit + 1` rows of every part, whatever it has found before. So lists of several owners that are read in
 * the same ticks request equal slices, and their reads of a bucket become one request: the number of requests grows with
 * the number of distinct buckets, and never with that of the lists.
 */
async function walk<R>(
  list: List<R>,
  parts: readonly Part<R>[],
  { limit, backwards }: Pick<Page, 'limit' | 'backwards'>,
  allowance: Allowance,
): Promise<Walked<R>> {
  const rows: (Found<R> & { readonly part: Part<R> })[] = [];
  let walked = 0;
  for (let atOnce = 1; rows.length <= limit && walked < parts.length; atOnce *= 2) {
    const affordable = affordableParts(parts.slice(walked, walked + atOnce), allowance);
    if (affordable.length === 0) break;
    walked += affordable.length;
    const read = await Promise.all(
      affordable.map(async (part) => {
        const { bucket, key } = part.start;
        const slice = { after: key.length > 0 ? key : undefined, reversed: backwards, limit: limit + 1 };
        return { part, bucket, ...(await mergeSources(list, part.sources, slice, allowance)) };
      }),
    );
    for (const { part, bucket, rows: found, end } of read) {
      for (const row of found) rows.push({ row, bucket, part });
      if (end === null) continue;
      return { rows: rows.slice(0, limit + 1), end: rows.length > limit ? null : { bucket, key: end } };
    }
  }
  const next = parts[walked];
  if (rows.length > limit || next === undefined) return { rows: rows.slice(0, limit + 1), end: null };
  return { rows, end: next.start };
}

/** Takes the parts that a page may still read, with their sources. The first part of a page is read whatever the bounds are. */
function affordableParts<R>(parts: readonly Part<R>[], allowance: Allowance) {
  const taken: Part<R>[] = [];
  for (const part of parts) {
    const partitions = part.sources.length;
    const isWithin = allowance.buckets > 0 && partitions <= allowance.partitions;
    if (!isWithin && !allowance.isFirst) break;
    allowance.isFirst = false;
    allowance.buckets -= 1;
    allowance.partitions -= partitions;
    taken.push(part);
  }
  return taken;
}
