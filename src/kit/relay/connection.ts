import { compareIds } from '../compare-ids';
import { MOST_BUCKETS } from './buckets';
import { beside, encodeCursor, type Position, type PositionValue } from './cursor';
import { pageOf, type Asked, type Page } from './page';

/** A list as a connection walks it: buckets, newest first, each read from one partition or, merged, from a few. One in ascending order has one bucket. */
export interface List<R> {
  /** Names the list and its owner; a cursor is good for this only. */
  readonly name: string;
  /**
   * The buckets that exist, newest first; of those in the direction of reading from a bucket on `MOST_BUCKETS + 1` are
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
  /** How many rows of one partition a page reads at most to find some that are to be seen; 5,000 when not given. */
  readonly mostRead?: number;
}

/** One partition. */
export interface Source<R> {
  /** Reads in the order of the list or, `reversed`, against it. Fewer rows than asked for are the last. */
  readonly read: (slice: Slice) => Promise<readonly R[]>;
  /** The place up to which all was read, where a bound has cut the last reading short; null where none has. */
  edge?(this: void): readonly PositionValue[] | null;
  /** Whether a row is to be seen, once it has been read; all are when it is not given. */
  holds?(this: void, row: R): boolean;
}
export interface Slice {
  readonly after: readonly PositionValue[] | undefined;
  readonly reversed: boolean;
  readonly limit: number;
}

/** A page as GraphQL shows it. What holds cursors is made when it is asked for. */
export interface Connection<N, E> {
  readonly edges: readonly E[];
  readonly nodes: readonly N[];
  readonly pageInfo: {
    readonly hasNextPage: boolean | Promise<boolean>;
    readonly hasPreviousPage: boolean | Promise<boolean>;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** Reads a page of a list, in either direction. */
export async function connect<R, E extends { cursor: string }, N>(
  list: List<R>,
  page: Page,
  edgeOf: (row: R, cursor: string) => E,
  nodeOf: (row: R) => N,
): Promise<Connection<N, E>> {
  const { rows, end } = await collect(list, page);
  const more = rows.length > page.limit;
  const kept = more ? rows.slice(0, page.limit) : rows;
  if (page.backwards) kept.reverse();
  const goesOn = !more && end !== null;
  const onward = goesOn ? encodeCursor(list.name, end) : null;
  const cursorOf = ({ row, bucket }: Found<R>) =>
    encodeCursor(list.name, { bucket, key: list.position(row) });
  const cursorAt = (place: number) => {
    const found = kept.at(place);
    return found === undefined ? null : cursorOf(found);
  };
  return {
    get edges() {
      return kept.map((found) => edgeOf(found.row, cursorOf(found)));
    },
    nodes: kept.map(({ row }) => nodeOf(row)),
    pageInfo: {
      get hasNextPage() {
        return page.backwards ? anyBehind(list, page) : more || goesOn;
      },
      get hasPreviousPage() {
        return page.backwards ? more || goesOn : anyBehind(list, page);
      },
      get startCursor() {
        return (page.backwards ? onward : null) ?? cursorAt(0);
      },
      get endCursor() {
        return (page.backwards ? null : onward) ?? cursorAt(-1);
      },
    },
  };
}

/** Reads a page of a list whose rows are the nodes; of `byDefault` items where no number is given. */
export function connectNodes<R>(list: List<R>, args: Asked, byDefault?: number) {
  return connect(
    list,
    pageOf(list.name, args, byDefault),
    (node, cursor) => ({ cursor, node }),
    (node) => node,
  );
}

/** Whether there is a row where a page comes from: that of its cursor, or one beyond it. */
async function anyBehind<R>(list: List<R>, { from, backwards }: Page): Promise<boolean> {
  if (from === null) return false;
  const { rows } = await collect(list, {
    limit: 0,
    backwards: !backwards,
    from: justBefore(from, backwards !== isAscending(list)),
  });
  return rows.length > 0;
}

function isAscending<R>({ order }: List<R>): boolean {
  return order === 'asc';
}

/** The place from which reading the other way comes to `position` first. */
function justBefore({ bucket, key }: Position, ascending: boolean): Position {
  const step = ascending ? 1 : -1;
  const last = key.at(-1);
  if (last === undefined) return { bucket: bucket - step, key };
  return { bucket, key: [...key.slice(0, -1), beside(last, step)] };
}

/** All rows of a list in the direction of reading, from behind a position on; with `end` where a bound ended a stretch of them. */
export async function* rowsFrom<R>(
  list: List<R>,
  from: Position | null,
  backwards: boolean,
): AsyncIterable<{ readonly rows: readonly Found<R>[]; readonly end: Position | null }> {
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

const ROWS_AT_ONCE = 100;

/** A row with the bucket in which it stands. */
export interface Found<R> {
  readonly row: R;
  readonly bucket: number;
}

/** Collects `limit + 1` rows that are to be seen; `end` is where to go on when a bound was hit. */
async function collect<R>(list: List<R>, page: Page): Promise<{ rows: Found<R>[]; end: Position | null }> {
  const { shown } = list;
  if (shown === undefined) return walk(list, page);
  const rows: Found<R>[] = [];
  let { limit, from } = page;
  for (let seen = 0; ; limit = Math.min(4 * (limit + 1), MOST_AT_ONCE)) {
    const read = await walk(list, { ...page, limit, from });
    const isShown = await Promise.all(read.rows.map(({ row }) => shown(row)));
    rows.push(...read.rows.filter((_, place) => isShown[place]));
    if (rows.length > page.limit) return { rows: rows.slice(0, page.limit + 1), end: null };
    const last = read.rows.at(-1);
    if (read.rows.length <= limit || last === undefined) return { rows, end: read.end };
    from = { bucket: last.bucket, key: list.position(last.row) };
    seen += read.rows.length;
    if (seen >= (list.mostRead ?? MOST_READ)) return { rows, end: from };
  }
}

/**
 * Walks until there are `limit + 1` rows in the direction of reading. `end` is where to go on when a bound on buckets or rows was hit.
 *
 * Every bucket is read up to `limit + 1`, whatever was found before: so lists of several owners, walked in the same
 * ticks, ask for equal slices, and their reads of a bucket are one request. Requests grow with the number of distinct
 * buckets, never with that of the lists.
 */
async function walk<R>(
  list: List<R>,
  { limit, backwards, from }: Page,
): Promise<{ rows: Found<R>[]; end: Position | null }> {
  const all = await list.buckets(from?.bucket ?? null, backwards);
  const ahead = all.filter(
    (bucket) => from === null || (backwards ? bucket >= from.bucket : bucket <= from.bucket),
  );
  if (backwards) ahead.reverse();
  const rows: Found<R>[] = [];
  let walked = 0;
  for (
    let atOnce = list.atOnce ?? 1;
    rows.length <= limit && walked < ahead.length && walked < MOST_BUCKETS;
    atOnce *= 2
  ) {
    const some = ahead.slice(walked, Math.min(walked + atOnce, MOST_BUCKETS));
    walked += some.length;
    const read = await Promise.all(
      some.map((bucket) =>
        readBucket(list, bucket, bucket === from?.bucket ? from.key : [], backwards, limit + 1),
      ),
    );
    for (const { found, edge } of read) {
      rows.push(...found);
      if (edge !== null) return { rows: rows.slice(0, limit + 1), end: rows.length > limit ? null : edge };
    }
  }
  const last = ahead[walked - 1];
  const cut = rows.length <= limit && walked < ahead.length && last !== undefined;
  return {
    rows: rows.slice(0, limit + 1),
    end: cut ? { bucket: backwards ? last + 1 : last - 1, key: [] } : null,
  };
}

/** Rows of a bucket; `edge` is where to go on when the bound on rows was hit. */
async function readBucket<R>(
  list: List<R>,
  bucket: number,
  after: readonly PositionValue[],
  reversed: boolean,
  limit: number,
): Promise<{ found: Found<R>[]; edge: Position | null }> {
  const slice = { after: after.length > 0 ? after : undefined, reversed, limit };
  const read = await Promise.all(list.sources(bucket).map((source) => readHeld(list, source, slice)));
  const [first, ...others] = read;
  if (first === undefined) return { found: [], edge: null };
  const ascending = reversed !== isAscending(list);
  const isAhead = (a: readonly PositionValue[], b: readonly PositionValue[]) =>
    ascending ? comparePositions(a, b) < 0 : comparePositions(a, b) > 0;
  // Behind the place that one partition was read to, rows of it may be missing.
  let key: readonly PositionValue[] | null = null;
  for (const { edge } of read) if (edge !== null && (key === null || isAhead(edge, key))) key = edge;
  const all = read.flatMap(({ rows }) => rows);
  const rows = others.length === 0 ? all : merge(list, all, ascending);
  const sure = key === null ? rows : rows.filter((row) => !isAhead(key, list.position(row)));
  return {
    found: sure.slice(0, limit).map((row) => ({ row, bucket })),
    edge: key === null ? null : { bucket, key },
  };
}

/** The most rows that are read at once to find some that are to be seen, and in all of one partition for one page. */
const MOST_AT_ONCE = 1000;
const MOST_READ = 5000;

/**
 * Reads on past rows that are not to be seen, until there are enough or the partition ends; `edge` is where to go
 * on when a bound ended the reading: the last row's place, or what the source says.
 */
async function readHeld<R>(
  list: List<R>,
  source: Source<R>,
  slice: Slice,
): Promise<{ rows: readonly R[]; edge: readonly PositionValue[] | null }> {
  const held: R[] = [];
  let { after, limit } = slice;
  for (let seen = 0; ;) {
    const rows = await source.read({ ...slice, after, limit });
    const edge = source.edge?.() ?? null;
    for (const row of rows) if (source.holds?.(row) ?? true) held.push(row);
    const last = rows.at(-1);
    if (held.length >= slice.limit) return { rows: held.slice(0, slice.limit), edge: null };
    if (last === undefined || rows.length < limit || edge !== null) return { rows: held, edge };
    after = list.position(last);
    seen += rows.length;
    if (seen >= (list.mostRead ?? MOST_READ)) return { rows: held, edge: after };
    limit = Math.min(limit * 4, MOST_AT_ONCE);
  }
}

/** Orders rows of several partitions by position and drops doubles. */
function merge<R>(list: List<R>, rows: readonly R[], ascending: boolean): R[] {
  const placed = rows.map((row) => ({ row, at: list.position(row) }));
  placed.sort((a, b) => (ascending ? comparePositions(a.at, b.at) : comparePositions(b.at, a.at)));
  return placed
    .filter(({ at }, n) => n === 0 || comparePositions(at, placed[n - 1]?.at ?? []) !== 0)
    .map(({ row }) => row);
}

function comparePositions(a: readonly PositionValue[], b: readonly PositionValue[]): number {
  for (let n = 0; n < a.length; n++) {
    const difference = compareValues(a[n] ?? '', b[n] ?? '');
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareValues(a: PositionValue, b: PositionValue): number {
  return a instanceof Date || b instanceof Date ? Number(a) - Number(b) : compareIds(a, b);
}
