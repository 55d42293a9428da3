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
  };
}
