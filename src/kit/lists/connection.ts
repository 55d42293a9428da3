import { isTooLarge } from '../base/errors';
import { collect } from './collect';
import { adjacentValue, encodeCursor, type Position } from './cursor';
import { DEFAULT_BOUNDS, MAX_OPPOSITE_PAGE_PARTITIONS, type Found, type List } from './list-parts';
import { pageOf, type Page } from './page';
import { type ConnectionArguments } from '../input/page-args';

/** A page, as GraphQL returns it. Cursors are only computed if the query selects them. */
export interface Connection<N, E> {
  readonly edges: readonly E[];
  readonly nodes: readonly N[];
  readonly pageInfo: PageEnds;
}

/** Where a page begins and ends, and whether its list goes on there. */
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
  const { rows, end } = await collect(list, page);
  const hasMore = rows.length > page.limit;
  const found = hasMore ? rows.slice(0, page.limit) : rows;
  if (page.backwards) found.reverse();
  const nodes = found.map(({ row }) => nodeOf(row));
  return new ReadPage(nodes, new ReadPageInfo(list, page, found, hasMore, end), edgeOf);
}

// The getters are those of classes, because objects that are created with getters outlive their requests: see "What a request
// leaves behind dies young" in docs/decisions.md.

class ReadPage<R, E, N> implements Connection<N, E> {
  constructor(
    readonly nodes: readonly N[],
    readonly pageInfo: ReadPageInfo<R>,
    private readonly edgeOf: (row: R, cursor: string) => E,
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
  const bounds = { ...given, partitions: Math.min(given.partitions, MAX_OPPOSITE_PAGE_PARTITIONS) };
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
