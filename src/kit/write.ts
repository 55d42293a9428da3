import type { Write } from './cassandra/database';
import type { Columns, RowOf, Table } from './cassandra/table';

/** A write of a whole row. A null is left unset, so that it makes no tombstone. */
export function writeOf<C extends Columns, P extends keyof C & string, K extends keyof C & string>(
  table: Table<C, P, K>,
  row: RowOf<C>,
): Write {
  return {
    query: table.put,
    params: Object.keys(table.columns).map((property) => row[property] ?? undefined),
    partition: partitionOf(table, row),
  };
}

/** The removal of a row. */
export function removalOf<C extends Columns, P extends keyof C & string, K extends keyof C & string>(
  table: Table<C, P, K>,
  key: Pick<RowOf<C>, P | K>,
): Write {
  const params = [...table.partition, ...table.clustering].map((property) => key[property]);
  return { query: table.remove, params, partition: partitionOf(table, key) };
}

/** The removal of a partition with all its rows. */
export function clearanceOf<C extends Columns, P extends keyof C & string, K extends keyof C & string>(
  table: Table<C, P, K>,
  key: Pick<RowOf<C>, P>,
): Write {
  return {
    query: table.clear,
    params: table.partition.map((property) => key[property]),
    partition: partitionOf(table, key),
  };
}

function partitionOf<C extends Columns, P extends keyof C & string, K extends keyof C & string>(
  table: Table<C, P, K>,
  key: Pick<RowOf<C>, P>,
): string {
  return table.partition.map((property) => String(key[property])).join(' ');
}
