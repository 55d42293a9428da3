import type { Database } from '../cassandra/database';
import type { Statement } from '../cassandra/statement';
import type { StoredRow } from '../cassandra/table';
import { listBuckets } from './list-buckets';
import { readMany } from '../reads/load';
import type { PositionValue } from './cursor';
import { bucketList, type BucketTable } from './bucket-list';
import { listPages } from './list-pages';

/** A table of lists whose rows are counted. */
export interface CountableTable<
  R extends StoredRow & { readonly isSplit: boolean | null },
  O extends string,
> extends BucketTable<R, O> {
  readonly owner: O;
  readonly count: Statement<Record<O, string> & { bucket: number | null }, number>;
}

const PAGE_ROWS = 5000;

/** Counts the rows of each owner's list. */
export async function countRows<R extends StoredRow & { readonly isSplit: boolean | null }, O extends string>(
  database: Database,
  table: CountableTable<R, O>,
  owners: readonly string[],
): Promise<Map<string, number>> {
  const keyOf = (owner: string) => ({ [table.owner]: owner }) as Record<O, string>;
  const [firstBuckets, split] = await Promise.all([
    readMany(
      database,
      table.count,
      owners.map((owner) => ({ ...keyOf(owner), bucket: 0 })),
    ),
    readMany(
      database,
      listBuckets.page,
      owners.map((owner) => ({ owner, list: table.name, limit: 1 })),
    ),
  ]);
  const counts = new Map(owners.map((owner, index) => [owner, firstBuckets[index] ?? 0]));
  const position = (row: R) => table.clustering.map((property) => row[property] as PositionValue);
  for (const [index, owner] of owners.entries()) {
    if (split[index]?.length === 0) continue;
    // A row of a split list may be in several partitions, so they are merged.
    let count = 0;
    const pages = listPages(database, (load) => bucketList(load, table, keyOf(owner), position), PAGE_ROWS);
    for await (const page of pages) count += page.length;
    counts.set(owner, count);
  }
  return counts;
}
