import type { Database } from '../cassandra/database';
import type { Columns, Table } from '../cassandra/table';
import { partitionRemovalOf } from '../cassandra/write';
import { createLoad } from '../reads/load';
import { putAll, type RowWriter } from './row-writer';
import { bucketsOfList, listBuckets } from '../lists/list-buckets';

/**
 * Removes all partitions of an owner's list. The rows that say where they are go when these are stored, so that whoever goes on after a
 * failure finds those that are left.
 *
 * @example
 * ```ts
 * await removeList(database, bulk(), roomsByHotel, '1');
 * ```
 */
export async function removeList(
  database: Database,
  writer: RowWriter,
  table: Table<Columns, string, string>,
  ownerId: string,
): Promise<void> {
  const [owner = ''] = table.partition;
  const buckets = await bucketsOfList(createLoad(database), table, ownerId);
  await putAll(
    writer,
    buckets.map((bucket) => partitionRemovalOf(table, { [owner]: ownerId, bucket })),
  );
  await putAll(writer, [partitionRemovalOf(listBuckets, { owner: ownerId, list: table.name })]);
}
