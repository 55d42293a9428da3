import { LRUCache } from 'lru-cache';
import type { Database, Write } from '../cassandra/database';
import { unavailable } from '../base/errors';
import { buckets, type ListBucket } from './buckets';
import { createShardRouter, type ShardRouter } from './shards';
import { bytesIn, MAX_BATCH_BYTES, writeOf } from './write';

/** Writes many rows of many partitions, some at a time. */
export interface BulkWriter {
  /** Where rows go of lists that may have many in one bucket. */
  readonly shardRouter: ShardRouter;
  put(write: Write): Promise<void>;
  /** Says in `buckets` that a list has rows in a month, unless this server has said so before. */
  putBucket(list: string, owner: string, bucket: number): Promise<void>;
  /** Resolves when all that was put is stored; rejects when something could not be. */
  flush(): Promise<void>;
}

/** Rows of lists, and the buckets that they stand in. */
export interface ListRows {
  readonly writes: readonly Write[];
  readonly listBuckets: readonly ListBucket[];
}

/** Writes rows of lists, and says that they are there. */
export async function putRows(bulk: BulkWriter, rows: readonly ListRows[]): Promise<void> {
  for (const { list, owner, bucket } of rows.flatMap(({ listBuckets }) => listBuckets))
    await bulk.putBucket(list, owner, bucket);
  for (const write of rows.flatMap(({ writes }) => writes)) await bulk.put(write);
  await bulk.flush();
}

/** A batch is full with this many rows, or as many bytes as a batch may hold. */
const MAX_BATCH_ROWS = 10;
const MAX_BATCHES_IN_FLIGHT = 128;
/** How many months of lists are remembered as said. */
const MAX_REMEMBERED_BUCKETS = 500_000;

/**
 * Creates a factory of bulk writers: they share a cache of the months that lists have, and a limit on the rows that they hold. Once `stopping` is aborted they
 * reject what is put: long work of whatever kind ends there when its server does.
 */
export function createBulkWriter(database: Database, stopping?: AbortSignal): () => BulkWriter {
  const said = new LRUCache<string, true>({ max: MAX_REMEMBERED_BUCKETS });
  const shardRouter = createShardRouter(database);
  return () => {
    const underWay = new Set<Promise<void>>();
    const saying = new Set<string>();
    let batch: Write[] = [];
    let bytes = 0;
    let failure: Error | undefined;
    const send = async () => {
      if (batch.length === 0) return;
      if (stopping?.aborted) throw unavailable(new Error('this server is ending'));
      const sent = database
        .batch(batch)
        .catch((error: unknown) => {
          failure ??= error instanceof Error ? error : new Error(String(error));
        })
        .finally(() => underWay.delete(sent));
      batch = [];
      bytes = 0;
      underWay.add(sent);
      if (underWay.size >= MAX_BATCHES_IN_FLIGHT) await Promise.race(underWay);
      if (failure !== undefined) throw failure;
    };
    const put = async (write: Write) => {
      const more = bytesIn(write);
      // A row too large for any batch goes out by itself.
      if (bytes + more > MAX_BATCH_BYTES) await send();
      batch.push(write);
      bytes += more;
      if (batch.length >= MAX_BATCH_ROWS || bytes >= MAX_BATCH_BYTES) await send();
    };
    return {
      shardRouter,
      put,
      async putBucket(list, owner, bucket) {
        const key = `${list} ${owner} ${bucket}`;
        if (said.has(key) || saying.has(key)) return;
        saying.add(key);
        await put(writeOf(buckets, { owner, list, bucket }));
      },
      async flush() {
        await send();
        await Promise.all(underWay);
        if (failure !== undefined) throw failure;
        for (const key of saying) said.set(key, true);
        saying.clear();
      },
    };
  };
}
