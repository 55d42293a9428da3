import { collect } from './collect';
import { adjacentValue, encodeCursor, type Position } from './cursor';
import { DEFAULT_BOUNDS, MAX_PARTITIONS_BEHIND, type Found, type List } from './list';
import { pageOf, type ConnectionArguments, type Page } from './page';

/** A page, as GraphQL returns it. Cursors are only computed if the query selects them. */
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

/** Reads a page of a list, in either direction, and creates its edges and nodes. */
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
  // A bound has cut the page short: its last cursor is where reading ended, not that of its last row.
  const isCut = !hasMore && end !== null;
  const cutCursor = isCut ? encodeCursor(list.name, end) : null;
  const cursorOf = ({ row, bucket }: Found<R>) =>
    encodeCursor(list.name, { bucket, key: list.position(row) });
  const cursorAt = (index: number) => {
    const item = found.at(index);
    return item === undefined ? null : cursorOf(item);
  };
  return {
    get edges() {
      return found.map((item) => edgeOf(item.row, cursorOf(item)));
    },
    nodes: found.map(({ row }) => nodeOf(row)),
    pageInfo: {
      get hasNextPage() {
        return page.backwards ? hasRowsBehind(list, page) : hasMore || isCut;
      },
      get hasPreviousPage() {
        return page.backwards ? hasMore || isCut : hasRowsBehind(list, page);
      },
      get startCursor() {
        return (page.backwards ? cutCursor : null) ?? cursorAt(0);
      },
      get endCursor() {
        return (page.backwards ? null : cutCursor) ?? cursorAt(-1);
      },
    },
  };
}

/** Reads a page of a list whose rows are the nodes. It has `defaultSize` items if the arguments give no number. */
export function connectNodes<R>(list: List<R>, args: ConnectionArguments, defaultSize?: number) {
  return connect(
    list,
    pageOf(list.name, args, defaultSize),
    (node, cursor) => ({ cursor, node }),
    (node) => node,
  );
}

/** Whether the list has rows on the other side of the page: the row of its cursor, or one beyond it. False if a few partitions do not show any. */
async function hasRowsBehind<R>(list: List<R>, { from, backwards }: Page): Promise<boolean> {
  if (from === null || list.looksBehind === false) return false;
  const given = list.bounds ?? DEFAULT_BOUNDS;
  const bounds = { ...given, partitions: Math.min(given.partitions, MAX_PARTITIONS_BEHIND) };
  const { rows } = await collect(
    { ...list, bounds },
    { limit: 0, backwards: !backwards, from: justBefore(from, backwards !== (list.order === 'asc')) },
  );
  return rows.length > 0;
}

/** The position from which reading in the other direction begins with the given position. */
function justBefore({ bucket, key }: Position, ascending: boolean): Position {
  const step = ascending ? 1 : -1;
  const last = key.at(-1);
  if (last === undefined) return { bucket: bucket - step, key };
  return { bucket, key: [...key.slice(0, -1), adjacentValue(last, step)] };
}
