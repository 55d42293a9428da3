import { LRUCache } from 'lru-cache';
import { shardOf } from '../base/shard-of';
import type { Database } from '../cassandra/database';
import { createLoad, type Load } from './load';
import { buckets } from './buckets';

/** Into how many shares a bucket is cut: a prime, since ids are often multiples of powers of two. */
const SHARD_COUNT = 7;
/** The partition of a share has its bucket's number and this for each share: months, days and years are less. */
const SHARD_STEP = 100_000;
/** From how many rows of a bucket on a server spreads those that follow. */
export const MAX_UNSHARDED_ROWS = 20_000;
/** After how many a server looks whether another has begun to. */
const ROWS_BEFORE_LOOKING = 200;
/** Of how many buckets rows are counted; those with many are asked for often, and so not forgotten. */
const MAX_COUNTED_BUCKETS = 100_000;

/**
 * Tells to which partition of a bucket a row goes, and counts it: the first go to that of the bucket, those of a bucket
 * with many to the shares of it. Each server counts what it has written itself; what two wrote differently stands in both
 * places. So a bucket's own partition has at most 20,000 rows of each server that was there when it became one with many, and
 * some 200 of each later start of one.
 */
export type ShardRouter = (list: string, owner: string, bucket: number, id: string) => number;

/** Makes the spread of a process. */
export function createShardRouter(database: Database, many = MAX_UNSHARDED_ROWS): ShardRouter {
  const rows = new LRUCache<string, number>({ max: MAX_COUNTED_BUCKETS });
  const look = async (key: string, list: string, owner: string, bucket: number) => {
    const mark = await createLoad(database)(buckets.get, { owner, list, bucket: bucket + SHARD_STEP });
    if (mark) rows.set(key, Infinity);
  };
  return (list, owner, bucket, id) => {
    const key = `${list} ${owner} ${bucket}`;
    const count = (rows.get(key) ?? 0) + 1;
    rows.set(key, count);
    // Where this fails the server finds out by counting on.
    if (count === ROWS_BEFORE_LOOKING) look(key, list, owner, bucket).catch(() => undefined);
    return count > many ? shardBucketOf(bucket, id) : bucket;
  };
}

/** Leaves all rows in the partitions of their buckets, or puts all into shares. */
export const toBuckets: ShardRouter = (_list, _owner, bucket) => bucket;
export const toShards: ShardRouter = (_list, _owner, bucket, id) => shardBucketOf(bucket, id);

/** The other partition in which the row of an id may stand. */
export function otherPartitionOf(partition: number, id: string): number {
  return isShard(partition) ? bucketOfPartition(partition) : shardBucketOf(partition, id);
}

/** Whether a partition is a share of a bucket. */
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

/** What `buckets` is to know of a partition: its bucket or, the same for all shares, that it is spread. */
export function bucketMarkOf(partition: number): number {
  return isShard(partition) ? bucketOfPartition(partition) + SHARD_STEP : partition;
}

/** Where the rows of a list may be. */
export interface ListPartitions {
  /** Newest first. */
  readonly buckets: readonly number[];
  /** Whether a bucket has so many rows that it has shares. */
  readonly isSharded: boolean;
  /** The partitions that hold a bucket or, of it, some ids. */
  partitionsOf(this: void, bucket: number, ids?: readonly string[]): readonly number[];
}

/** The most buckets of such a list, with the marks of those that are spread: years. */
export const MAX_TERM_BUCKETS = 200;

/** Reads where the rows of a list may be. */
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
