import type { PageKey, Statement } from '../cassandra/statement';
import type { Load } from '../data/load';
import { bucketsFrom } from './list-buckets';
import { sourceOf, type List } from '../relay/list';
import type { PositionValue } from '../relay/cursor';

/** A table whose partition key is an owner and a bucket. */
export interface BucketTable<R, O extends string> {
  readonly name: string;
  readonly page: Statement<PageKey<Record<O, string> & { bucket: number }, O | 'bucket'>, readonly R[]>;
}

/** Creates the list of one owner, which is split into buckets. The table `buckets` says which of them exist. */
export function bucketList<R, O extends string>(
  load: Load,
  table: BucketTable<R, O>,
  owner: Record<O, string>,
  position: (row: R) => readonly PositionValue[],
): List<R> {
  const [ownerId] = Object.values<string>(owner);
  return {
    name: `${table.name} ${ownerId ?? ''}`,
    buckets: (from, backwards) =>
      bucketsFrom(load, { list: table.name, owner: ownerId ?? '' }, from, backwards),
    sources: (bucket) => [sourceOf((slice) => load(table.page, { ...owner, bucket, ...slice }), position)],
    position,
  };
}
