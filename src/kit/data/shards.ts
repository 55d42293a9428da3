import { LRUCache } from 'lru-cache';
import { shardOf } from '../base/shard-of';
import type { Database } from '../cassandra/database';
import { createLoad, type Load } from './load';
import { buckets } from './buckets';

/** How many shards a bucket is split into. A prime number, because ids are often multiples of powers of two. */
const SHARD_COUNT = 7;
/** The partition of a shard is the number of its bucket plus a multiple of this, which exceeds every month, day and year. */
const SHARD_STEP = 100_000;
/** After a server has written this many rows to a bucket, it writes further rows to shards. */
export const MAX_UNSHARDED_ROWS = 20_000;
/** After this many rows, a server checks whether another server has begun to use shards. */
const ROWS_BEFORE_CHECK = 200;
/** For how many buckets a server counts rows. A bucket with many rows is used often, so the cache keeps it. */
const MAX_COUNTED_BUCKETS = 100_000;

/**
 * Chooses the partition of a bucket that a row is written to, and counts the row. The first rows go to the bucket's own
 * partition; once there are many, further rows go to its shards. Each server counts only its own writes, so two servers may
 * write one row to different partitions; then it is in both. A bucket's own partition gets at most 20,000 rows from each
 * server that was running when the bucket became sharded, and about 200 each time that a server starts later.
 */
export type ShardRouter = (list: string, owner: string, bucket: number, id: string) => number;

/** Creates the shard router of a server. */
export function createShardRouter(database: Database, maxUnshardedRows = MAX_UNSHARDED_ROWS): ShardRouter {
  const rows = new LRUCache<string, number>({ max: MAX_COUNTED_BUCKETS });
  const checkForShards = async (key: string, list: string, owner: string, bucket: number) => {
    const mark = await createLoad(database)(buckets.get, { owner, list, bucket: bucket + SHARD_STEP });
    if (mark) rows.set(key, Infinity);
  };
  return (list, owner, bucket, id) => {
    const key = `${list} ${owner} ${bucket}`;
    const count = (rows.get(key) ?? 0) + 1;
    rows.set(key, count);
    // If this fails, the server goes on counting and uses shards later.
    if (count === ROWS_BEFORE_CHECK) checkForShards(key, list, owner, bucket).catch(() => undefined);
    return count > maxUnshardedRows ? shardBucketOf(bucket, id) : bucket;
  };
}

/** Puts all rows into the buckets' own partitions. */
export const unshardedRouter: ShardRouter = (_list, _owner, bucket) => bucket;
/** Puts all rows into shards. */
export const shardedRouter: ShardRouter = (_list, _owner, bucket, id) => shardBucketOf(bucket, id);

/** The other partition that may hold the row of an id: its shard for a bucket, its bucket for a shard. */
export function otherPartitionOf(partition: number, id: string): number {
  return isShard(partition) ? bucketOfPartition(partition) : shardBucketOf(partition, id);
}

/** Whether a partition is a shard of a bucket, and not the bucket's own partition. */
export function isShard(partition: number): boolean {
  return partition >= SHARD_STEP;
}

function shardBucketOf(bucket: number, id: string): number {
  return bucket + SHARD_STEP * (1 + shardOf(id, SHARD_COUNT));
}

/** The bucket that a partition belongs to. */
export function bucketOfPartition(partition: number): number {
  return partition % SHARD_STEP;
}

/** What to record in `buckets` for a partition: its bucket or, for any of its shards, the mark that the bucket is sharded. */
export function bucketEntryOf(partition: number): number {
  return isShard(partition) ? bucketOfPartition(partition) + SHARD_STEP : partition;
}

/** The partitions that may hold the rows of a list. */
export interface ListPartitions {
  /** Newest first. */
  readonly buckets: readonly number[];
  /** Whether any bucket is sharded. */
  readonly isSharded: boolean;
  /** The partitions that may hold the rows of a bucket or, if ids are given, the rows of those ids. */
  partitionsOf(this: void, bucket: number, ids?: readonly string[]): readonly number[];
}

/** The most rows that such a list has in `buckets`: its buckets are years, and each may also have a mark that it is sharded. */
export const MAX_TERM_BUCKETS = 200;

/** Reads which partitions may hold the rows of a list. */
export async function readListPartitions(load: Load, list: string, owner: string): Promise<ListPartitions> {
  const known = (await load(buckets.page, { owner, list, limit: MAX_TERM_BUCKETS })).map(
    ({ bucket }) => bucket,
  );
  const sharded = new Set(known.filter(isShard).map(bucketOfPartition));
  return {
    buckets: [...new Set(known.map(bucketOfPartition))].sort((a, b) => b - a),
    isSharded: sharded.size > 0,
    partitionsOf(bucket, ids) {
      if (!sharded.has(bucket)) return [bucket];
      const shards = ids
        ? new Set(ids.map((id) => shardBucketOf(bucket, id)))
        : Array.from({ length: SHARD_COUNT }, (_, shard) => bucket + SHARD_STEP * (shard + 1));
      return [bucket, ...shards];
    },
  };
}
