import type { Database } from '../cassandra/database';
import { getStatement } from '../cassandra/statement';
import type { AnyListTable, Columns, StoredRow, Table } from '../cassandra/table';
import { removalOf } from '../cassandra/write';
import { readMany } from '../reads/load';
import { bucketAssignerOf } from './bucket-assigner';

/**
 * Finds the buckets that have rows of lists, by the keys of the rows without the bucket, for a write of some columns, which must not make a
 * row where there is none. For a list that was not split it returns the only bucket, whether the row is there or not.
 */
export async function findBuckets(
  database: Database,
  table: AnyListTable & Table<Columns, string, string>,
  keys: readonly StoredRow[],
): Promise<readonly (readonly number[])[]> {
  const columns = Object.fromEntries(
    Object.entries(table.columns).filter(([property]) =>
      [...table.partition, ...table.clustering].includes(property),
    ),
  );
  const get = getStatement<StoredRow, StoredRow>({ ...table, columns });
  const removals = keys.map((key) => removalOf<Columns, string, string>(table, key));
  const candidates = await bucketAssignerOf(database).bucketsOf(removals);
  return Promise.all(
    keys.map(async (key, index) => {
      const buckets = candidates[index] ?? [];
      if (buckets.length === 1) return buckets;
      const rows = await readMany(
        database,
        get,
        buckets.map((bucket) => ({ ...key, bucket })),
      );
      return buckets.filter((_, place) => rows[place] !== null);
    }),
  );
}
