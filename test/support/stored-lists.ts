import { features } from '../../src/app';
import type { Write } from '../../src/kit/cassandra/database';
import { isListTable, type Columns } from '../../src/kit/cassandra/table';
import { removalOf, writeOf } from '../../src/kit/cassandra/write';
import type { AnyNode } from '../../src/kit/lists/node';
import { isDerivable, type DerivableList } from '../../src/kit/lists/source';

/** A connection that shows a stored list. */
interface StoredConnection {
  /** As in the schema: `User.likes`. */
  readonly name: string;
  readonly field: string;
  readonly list: Omit<DerivableList, 'from'>;
  /** The type of the objects that have the list, and that of its items. */
  readonly of: AnyNode;
  readonly item: AnyNode;
  /** The column that names the item; null if rows are items. */
  readonly points: string | null;
}

/** Every connection that shows a stored list. */
export const storedConnections: readonly StoredConnection[] = features.flatMap(
  ({ tables, connections = [] }) =>
    connections.flatMap(({ field, list: { of, item, points, ...shown } }) => {
      const list = tables.find(({ name }) => Reflect.get(shown, 'name') === name);
      if (!list || !isListTable(list)) return [];
      return [{ name: `${of.name}.${field}`, field, list, of, item, points }];
    }),
);

/** The lists that only acts fill: no source that is imported says who does what. */
export const listsOfActs = storedConnections.filter(
  ({ list }) => isDerivable(list) && list.from?.decider.tally !== undefined,
);

/** The nth item of a list: its id, and its moment. */
interface Nth {
  readonly id: string;
  readonly moment: Date;
}

/** The row of an item in the list of an owner, with the least that a row must have besides. */
export function rowIn(
  { list }: Pick<StoredConnection, 'list'>,
  ownerId: string,
  nth: Nth,
): Readonly<Record<string, unknown>> {
  const key: Record<string, unknown> = { [list.owner]: ownerId };
  for (const property of list.clustering)
    key[property] = list.columns[property]?.cql === 'timestamp' ? nth.moment : nth.id;
  return { ...rowOf(list.columns, nth.moment), ...key };
}

/** Puts an item into the list of an owner, with the item itself if the list shows only items that exist. */
export function put(connection: StoredConnection, ownerId: string, nth: Nth): Write[] {
  const { list, item } = connection;
  const own = writeOf<Columns, string, string>(list, rowIn(connection, ownerId, nth));
  if (!mayBeGone(connection)) return [own];
  const row = { ...rowOf(item.columns, nth.moment), ...keyOf(item, nth) };
  return [writeOf<Columns, string, string>(item.table, row), own];
}

/** Removes an item from the list of an owner. */
export function remove(connection: StoredConnection, ownerId: string, nth: Nth): Write {
  return removalOf<Columns, string, string>(connection.list, rowIn(connection, ownerId, nth));
}

/** Removes an item itself, which a list goes on to name. */
export function removeItem({ item }: StoredConnection, nth: Nth): Write {
  return removalOf<Columns, string, string>(item.table, keyOf(item, nth));
}

/** Whether items may be gone while the list names them. */
export function mayBeGone({ item, points }: StoredConnection): boolean {
  return points !== null && item.visible !== undefined;
}

function keyOf({ table }: AnyNode, { id }: Nth): Readonly<Record<string, unknown>> {
  return Object.fromEntries(table.partition.map((property) => [property, id]));
}

/** The author, or the other person, of every row. */
const SOMEBODY = '2';

/** A row with a value for each column that must have one. */
export function rowOf(columns: Columns, moment: Date): Readonly<Record<string, unknown>> {
  const values: Readonly<Record<string, unknown>> = {
    ...{ bigint: SOMEBODY, timestamp: moment, int: 1, double: 1, boolean: false, text: '' },
  };
  return Object.fromEntries(
    Object.entries(columns)
      .filter(([property, { isOptional }]) => isOptional === undefined && property !== 'bucket')
      .map(([property, { cql }]) => [property, values[cql] ?? null]),
  );
}
