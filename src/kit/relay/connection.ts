import { collect } from './collect';
import { beside, encodeCursor, type Position } from './cursor';
import { DEFAULT_BOUNDS, MAX_PARTITIONS_BEHIND, type Found, type List } from './list';
import { pageOf, type Asked, type Page } from './page';

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

/** Whether there is a row where a page comes from: that of its cursor, or one beyond it. False where few partitions do not tell. */
async function anyBehind<R>(list: List<R>, { from, backwards }: Page): Promise<boolean> {
  if (from === null || list.looksBehind === false) return false;
  const given = list.bounds ?? DEFAULT_BOUNDS;
  const bounds = { ...given, partitions: Math.min(given.partitions, MAX_PARTITIONS_BEHIND) };
  const { rows } = await collect(
    { ...list, bounds },
    { limit: 0, backwards: !backwards, from: justBefore(from, backwards !== (list.order === 'asc')) },
  );
  return rows.length > 0;
}

/** The position from which reading the other way comes to `position` first. */
function justBefore({ bucket, key }: Position, ascending: boolean): Position {
  const step = ascending ? 1 : -1;
  const last = key.at(-1);
  if (last === undefined) return { bucket: bucket - step, key };
  return { bucket, key: [...key.slice(0, -1), beside(last, step)] };
}
