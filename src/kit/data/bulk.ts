import { LRUCache } from 'lru-cache';
import type { Database, Write } from '../cassandra/database';
import { unavailable } from '../base/errors';
import { buckets, type ListBucket } from './buckets';
import { createShardRouter, type ShardRouter } from './shards';
import { bytesIn, MAX_BATCH_BYTES, writeOf } from './write';

/** Writes many rows of many partitions in batches, many of them at a time. */
export interface BulkWriter {
  /** Chooses the partitions of rows in lists that may have many rows in one bucket. */
  readonly shardRouter: ShardRouter;
  /** Adds a write to the next batch. Resolves when there is room for more. */
  put(write: Write): Promise<void>;
  /** Records in `buckets` that a list has rows in a bucket, unless this server has done so before. */
  putBucket(list: string, owner: string, bucket: number): Promise<void>;
  /** Sends what is left. Resolves when all writes are stored, and rejects if any of them failed. */
  flush(): Promise<void>;
}

/** Rows of lists, and the buckets that they are in. */
export interface ListRows {
  readonly writes: readonly Write[];
  readonly listBuckets: readonly ListBucket[];
}

/** Writes rows of lists and records their buckets. */
export async function putRows(bulk: BulkWriter, rows: readonly ListRows[]): Promise<void> {
  for (const { list, owner, bucket } of rows.flatMap(({ listBuckets }) => listBuckets))
    await bulk.putBucket(list, owner, bucket);
  for (const write of rows.flatMap(({ writes }) => writes)) await bulk.put(write);
  await bulk.flush();
}

/** A batch is sent when it has this many rows or `MAX_BATCH_BYTES`. */
const MAX_BATCH_ROWS = 10;
const MAX_BATCHES_IN_FLIGHT = 128;
/** How many buckets a server remembers having recorded. */
const MAX_REMEMBERED_BUCKETS = 500_000;

/**
 * Creates a factory of bulk writers, of which each piece of work gets its own. They share a cache of the recorded buckets, and a
 * shard router, which counts the rows of buckets. After `stopping` is aborted they send no more batches and reject with
 * `UNAVAILABLE`, so that long work ends when its server does.
 */
export function createBulkWriter(database: Database, stopping?: AbortSignal): () => BulkWriter {
  const recorded = new LRUCache<string, true>({ max: MAX_REMEMBERED_BUCKETS });
  const shardRouter = createShardRouter(database);
  return () => {
    const inFlight = new Set<Promise<void>>();
    const recording = new Set<string>();
    let batch: Write[] = [];
    let bytes = 0;
    let failure: Error | undefined;
    const send = async () => {
      if (batch.length === 0) return;
      if (stopping?.aborted) throw unavailable(new Error('this server is stopping'));
      const sent = database
        .batch(batch)
        .catch((error: unknown) => {
          failure ??= error instanceof Error ? error : new Error(String(error));
        })
        .finally(() => inFlight.delete(sent));
      batch = [];
      bytes = 0;
      inFlight.add(sent);
      if (inFlight.size >= MAX_BATCHES_IN_FLIGHT) await Promise.race(inFlight);
      if (failure !== undefined) throw failure;
    };
    const put = async (write: Write) => {
      const added = bytesIn(write);
      // So a row that is too large for any batch is sent alone.
      if (bytes + added > MAX_BATCH_BYTES) await send();
      batch.push(write);
      bytes += added;
      if (batch.length >= MAX_BATCH_ROWS || bytes >= MAX_BATCH_BYTES) await send();
    };
    return {
      shardRouter,
      put,
      async putBucket(list, owner, bucket) {
        const key = `${list} ${owner} ${bucket}`;
        if (recorded.has(key) || recording.has(key)) return;
        recording.add(key);
        await put(writeOf(buckets, { owner, list, bucket }));
      },
      async flush() {
        await send();
        await Promise.all(inFlight);
        if (failure !== undefined) throw failure;
        for (const key of recording) recorded.set(key, true);
        recording.clear();
      },
    };
  };
}
