import { isTooLarge } from '../base/errors';
import { adjacentValue, encodeCursor, type Position, type PositionValue } from './cursor';
import {
  checksOf,
  DEFAULT_BOUNDS,
  firstRowsOf,
  MAX_CHECKS_PER_ROW,
  MAX_OPPOSITE_PAGE_PARTITIONS,
  MAX_ROWS_AT_ONCE,
  type Found,
  type FoundRows,
  type List,
  type Part,
  type Slice,
  type Source,
  type SourceRows,
  type Visible,
} from './list-parts';
import { compareKeys, mergeRuns } from './merge';
import { pageOf, type Page } from './page';
import { type ConnectionArguments } from '../input/page-args';

type Key = readonly PositionValue[];

/** A page, as GraphQL returns it. Cursors are only computed if the query selects them. */
export interface Connection<N, E> {
  readonly edges: readonly E[];
  readonly nodes: readonly N[];
  readonly pageInfo: PageEnds;
  /** How many rows up to the end of the page are hidden from the caller, or are of hidden users. */
  readonly hiddenCount: number;
}

/** The first and the last position of a page, and whether its list goes on there. */
interface PageEnds {
  readonly hasNextPage: boolean | Promise<boolean>;
  readonly hasPreviousPage: boolean | Promise<boolean>;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/**
 * Reads a page of a list, in either direction, and creates its edges and nodes.
 *
 * @example
 * ```ts
 * const list = partitionList(load, rooms, { hotelId: '1' });
 * const page = await connect(
 *   list,
 *   pageOf(list.name, { first: 10 }),
 *   (room, cursor) => ({ cursor, number: room.number }),
 *   (room) => room,
 * );
 * ```
 */
export async function connect<R, E extends { cursor: string }, N>(
  list: List<R>,
  page: Page,
  edgeOf: (row: R, cursor: string) => E,
  nodeOf: (row: R) => N,
): Promise<Connection<N, E>> {
  const { rows, end, hidden = 0 } = await collect(list, page);
  const hasMore = rows.length > page.limit;
  const found = hasMore ? rows.slice(0, page.limit) : rows;
  if (page.backwards) found.reverse();
  const nodes = found.map(({ row }) => nodeOf(row));
  return new ReadPage(nodes, new ReadPageInfo(list, page, found, hasMore, end), edgeOf, hidden);
}

/** Collects up to `limit + 1` visible rows that follow a position. The extra row tells whether the list goes on. */
export async function collect<R>(list: List<R>, page: Page): Promise<FoundRows<R>> {
  const { shown, learn } = list;
  let parts = await list.parts(page);
  const allowance = { ...(list.bounds ?? DEFAULT_BOUNDS), isFirst: true };
  if (shown === undefined) return walk(list, parts, page, allowance);
  const found = new ShownRows<R>(page.limit);
  const { rows } = found;
  const size = page.limit + 1;
  let checked = MAX_CHECKS_PER_ROW * size;
  const checks = { left: checksOf(page.limit) };
  let { from: end } = page;
  for (let wanted = size; ;) {
    const read = await walk(list, parts, { ...page, limit: wanted - 1 }, allowance);
    await learn?.(read.rows.map(({ row }) => row));
    const decisions = read.rows.map(({ row }) => shown(row, checks));
    // Most lists need not read anything to decide.
    const isShown = decisions.every((decision) => decision === true)
      ? null
      : await Promise.all(decisions.map(async (decision) => decision));
    const [first] = read.rows;
    // Rows are not decided in their order, but each page needs one row behind it.
    if (isShown?.[0] === null && end === page.from && first) isShown[0] = await shown(first.row, { left: 1 });
    const undecided = isShown?.indexOf(null) ?? -1;
    const decided = undecided < 0 ? read.rows : read.rows.slice(0, undecided);
    found.add(decided, isShown);
    if (rows.length > page.limit) return { rows, end: null, hidden: found.hidden };
    if (undecided >= 0) {
      const before = decided.at(-1);
      const at = before ? { bucket: before.bucket, key: list.position(before.row) } : end;
      return found.until(at);
    }
    const last = read.rows.at(-1);
    if (read.rows.length < wanted || last === undefined) return found.until(read.end);
    end = { bucket: last.bucket, key: list.position(last.row) };
    checked -= wanted;
    if (checked <= 0) return found.until(end);
    const { sources, shares } = last.part;
    parts = [
      { sources, ...(shares !== undefined && { shares }), start: end },
      ...parts.slice(parts.indexOf(last.part) + 1),
    ];
    // More rows are read than are missing, so that a page takes few rounds even if many rows are hidden.
    wanted = Math.min(checked, size, Math.max(4 * (size - rows.length), Math.ceil(size / 2)));
  }
}

/** The rows that a page shows, at most one more than it has, and how many before its end are hidden from the caller. */
class ShownRows<R> {
  readonly rows: Found<R>[] = [];
  hidden = 0;
  /** How many are hidden behind the last row. */
  private hiddenBehind = 0;

  constructor(private readonly limit: number) {}

  /**
   * Adds rows as they were decided; null shows all. Hidden rows behind the last row of a full page belong to the next one, if there is one.
   */
  add(decided: readonly Found<R>[], isShown: readonly Visible[] | null): void {
    for (const [index, found] of decided.entries()) {
      const decision = isShown === null || isShown[index];
      if (decision === 'hidden') this.hiddenBehind++;
      if (decision !== true) continue;
      if (this.rows.push(found) > this.limit) return;
      this.hidden += this.hiddenBehind;
      this.hiddenBehind = 0;
    }
  }

  /** The rows of a page that no other row follows; it goes on at a position, or ends. */
  until(end: Position | null): FoundRows<R> {
    return { rows: this.rows, end, hidden: this.hidden + this.hiddenBehind };
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
        return { part, bucket, ...(await readPart(list, part, slice, allowance)) };
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

/** The reads that a page may still make. */
interface Allowance {
  buckets: number;
  partitions: number;
  continuations: number;
  /** Whether the page has read nothing yet: its first bucket is read whatever the bounds are. */
  isFirst: boolean;
}

/** A source while it is read: its rows so far, and how many the next read asks for. */
interface Reading<R> extends SourceRows<R> {
  readonly source: Source<R>;
  readonly size: number;
}

/**
 * Reads up to `limit` rows of a part. Rows are only certain up to the nearest position to which a source was read, because beyond it rows
 * of that source may be missing. So sources are read further until enough rows are certain, or the allowance is used up. `end` is the
 * clustering key to continue from if a bound was reached, otherwise null.
 */
async function readPart<R>(
  list: Pick<List<R>, 'position' | 'order'>,
  { sources, shares, begun }: Part<R>,
  slice: Slice,
  allowance: Pick<Allowance, 'continuations'>,
): Promise<Pick<SourceRows<R>, 'rows' | 'end'>> {
  const { reversed, limit } = slice;
  const sign = reversed === (list.order === 'asc') ? -1 : 1;
  const order = { keyOf: list.position, compare: (a: Key, b: Key) => sign * compareKeys(a, b) };
  const readOn = async ({ source, rows, end, size }: Reading<R>): Promise<Reading<R>> => {
    const after = end === null || end.length === 0 ? slice.after : end;
    const next = await source.read({ after, reversed, limit: size });
    const more = Math.max(size, Math.min(4 * size, MAX_ROWS_AT_ONCE));
    return { ...next, source, rows: rows.length === 0 ? next.rows : [...rows, ...next.rows], size: more };
  };
  const size = firstRowsOf(shares ?? sources.length, limit);
  const begin = async (source: Source<R>, index: number) => {
    const read = begun?.[index];
    return read ? { ...read, source, size } : readOn({ source, rows: [], end: [], size });
  };
  let readings = await Promise.all(sources.map(begin));
  for (;;) {
    const { certain, ahead, end } = mergeRuns(readings, order, limit);
    if (end === null || certain.length >= limit) return { rows: certain, end: null };
    const last = ahead[limit - certain.length - 1];
    // A source that was read past the last row of the page has no more rows for it.
    const isNeeded = (one: Reading<R>) =>
      one.end !== null && (last === undefined || order.compare(list.position(last), one.end) >= 0);
    const isOver = readings.some((one) => one.isCut && one.end && order.compare(one.end, end) === 0);
    const further = isOver
      ? []
      : readings.filter((one) => !one.isCut && isNeeded(one)).slice(0, allowance.continuations);
    if (further.length === 0) return { rows: certain, end };
    allowance.continuations -= further.length;
    readings = await Promise.all(readings.map(async (one) => (further.includes(one) ? readOn(one) : one)));
  }
}

// The getters are those of classes, because objects that are created with getters outlive their requests: see "What a request
// leaves behind dies young" in docs/decisions.md.

class ReadPage<R, E, N> implements Connection<N, E> {
  constructor(
    readonly nodes: readonly N[],
    readonly pageInfo: ReadPageInfo<R>,
    private readonly edgeOf: (row: R, cursor: string) => E,
    readonly hiddenCount: number,
  ) {}

  get edges(): readonly E[] {
    const { found } = this.pageInfo;
    return found.map((item) => this.edgeOf(item.row, this.pageInfo.cursorOf(item)));
  }
}

class ReadPageInfo<R> implements PageEnds {
  /** Whether a bound has cut the page short: its last cursor is then where reading ended, not that of its last row. */
  private readonly isCut: boolean;

  constructor(
    private readonly list: List<R>,
    private readonly page: Page,
    readonly found: readonly Found<R>[],
    private readonly hasMore: boolean,
    private readonly end: Position | null,
  ) {
    this.isCut = !hasMore && end !== null;
  }

  get hasNextPage() {
    return this.page.backwards ? hasOppositePage(this.list, this.page) : this.hasMore || this.isCut;
  }

  get hasPreviousPage() {
    return this.page.backwards ? this.hasMore || this.isCut : hasOppositePage(this.list, this.page);
  }

  get startCursor() {
    return (this.page.backwards ? this.cutCursor() : null) ?? this.cursorAt(0);
  }

  get endCursor() {
    return (this.page.backwards ? null : this.cutCursor()) ?? this.cursorAt(-1);
  }

  cursorOf({ row, bucket }: Found<R>): string {
    return encodeCursor(this.list.name, { bucket, key: this.list.position(row) });
  }

  private cutCursor(): string | null {
    return this.isCut && this.end !== null ? encodeCursor(this.list.name, this.end) : null;
  }

  private cursorAt(index: number): string | null {
    const item = this.found.at(index);
    return item === undefined ? null : this.cursorOf(item);
  }
}

/**
 * Reads a page of a list whose rows are the nodes. It has `defaultSize` items if the arguments give no number.
 *
 * @example
 * ```ts
 * // In the resolver of a field:
 * const page = await connectNodes(partitionList(load, rooms, { hotelId: '1' }), { first: 10 });
 * ```
 */
export function connectNodes<R>(list: List<R>, args: ConnectionArguments, defaultSize?: number) {
  return connect(
    list,
    pageOf(list.name, args, defaultSize),
    (node, cursor) => ({ cursor, node }),
    (node) => node,
  );
}

/**
 * Whether the list has rows on the other side of the page: the row of its cursor, or one beyond it. False if a few partitions do
 * not show any, or if finding out takes more than the list may read.
 */
async function hasOppositePage<R>(list: List<R>, { from, backwards }: Page): Promise<boolean> {
  if (from === null || list.checksOppositePage?.() === false) return false;
  const given = list.bounds ?? DEFAULT_BOUNDS;
  const most = given.opposite ?? MAX_OPPOSITE_PAGE_PARTITIONS;
  const bounds = { ...given, partitions: Math.min(given.partitions, most) };
  const opposite = {
    limit: 0,
    backwards: !backwards,
    from: justBefore(from, backwards !== (list.order === 'asc')),
  };
  try {
    return (await collect({ ...list, bounds }, opposite)).rows.length > 0;
  } catch (error) {
    if (isTooLarge(error)) return false;
    throw error;
  }
}

/** The position from which reading in the other direction begins with the given position. */
function justBefore({ bucket, key }: Position, ascending: boolean): Position {
  const step = ascending ? 1 : -1;
  const last = key.at(-1);
  if (last === undefined) return { bucket: bucket - step, key };
  return { bucket, key: [...key.slice(0, -1), adjacentValue(last, step)] };
}
