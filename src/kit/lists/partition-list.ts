import type { Columns, RowOf, Table } from '../cassandra/table';
import type { Load } from '../reads/load';
import { sourceOf, type List } from './list-parts';
import type { PositionValue } from './cursor';

/**
 * Creates the list of the rows of one partition, in the table's order. Its clustering columns must be timestamps, ids or integers.
 *
 * @example
 * ```ts
 * const list = partitionList(load, rooms, { hotelId: '1' });
 * ```
 */
export function partitionList<C extends Columns, P extends keyof C & string, K extends keyof C & string>(
  load: Load,
  table: Table<C, P, K>,
  key: Pick<RowOf<C>, P>,
): List<RowOf<C>> {
  const position = (row: RowOf<C>) =>
    table.clustering.map((property): PositionValue => {
      const value: unknown = row[property];
      return value instanceof Date ? value : String(value);
    });
  const isInt = table.clustering.map((property) => table.columns[property]?.cql === 'int');
  return {
    name: [table.name, ...Object.values<unknown>(key)].join(' '),
    order: table.order,
    parts: ({ from }) => {
      // Cassandra refuses such a key, so the partition cannot exist.
      if (!Object.values<unknown>(key).every(canBeKey)) return Promise.resolve([]);
      const source = sourceOf(
        ({ after, reversed, limit }) =>
          load(table.page, {
            ...key,
            after: after?.map((value, index) => (isInt[index] ? Number(value) : value)),
            reversed,
            limit,
          }),
        position,
      );
      return Promise.resolve([{ sources: [source], start: from ?? { bucket: 0, key: [] } }]);
    },
    position,
  };
}

/** The most bytes that Cassandra allows for a text in a partition key. */
const MAX_KEY_BYTES = 65_535;

function canBeKey(value: unknown): boolean {
  return typeof value !== 'string' || (value !== '' && Buffer.byteLength(value) <= MAX_KEY_BYTES);
}
