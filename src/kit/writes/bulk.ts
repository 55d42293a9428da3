import type { LRUCache } from 'lru-cache';
import { createGrowingCache } from '../base/growing-cache';
import type { Database, Write } from '../cassandra/database';
import { createBatchSender } from './batch-sender';
import { buckets } from '../lists/buckets';
import type { RowWriter } from './row-writer';
import { writeBytes, MAX_BATCH_BYTES, writeOf } from '../cassandra/write';

/** A batch is sent when it has this many rows or `MAX_BATCH_BYTES`. */
const MAX_BATCH_ROWS = 10;
/** How many buckets a server remembers having recorded. */
const MAX_REMEMBERED_BUCKETS = 500_000;

/**
 * Creates a factory of writers that fill batches in the order in which rows come; batches are stored in any order. Each piece
 * of work gets its own writer. They share a cache of the recorded buckets. After `stopping` is aborted they send no more
 * batches and reject with `UNAVAILABLE`, so that long work ends when its server does.
 *
 * @example
 * ```ts
 * const bulk = createBulkWriter(database);
 * await putAll(bulk(), [writeOf(rooms, { hotelId: '1', number: 12, name: 'Sea' })]);
 * ```
 */
export function createBulkWriter(database: Database, stopping?: AbortSignal): () => RowWriter {
  // Made when it is needed, because it reserves memory for all buckets.
  let recorded: LRUCache<string, true> | undefined;
  return () => {
    const sender = createBatchSender(database, stopping);
    const recording = new Set<string>();
    let batch: Write[] = [];
    let bytes = 0;
    const send = async () => {
      if (batch.length === 0) return;
      const sent = batch;
      batch = [];
      bytes = 0;
      await sender.send(sent);
    };
    const put = async (write: Write) => {
      const added = writeBytes(write);
      // A row that is too large for any batch is sent alone.
      if (bytes + added > MAX_BATCH_BYTES) await send();
      batch.push(write);
      bytes += added;
      if (batch.length >= MAX_BATCH_ROWS || bytes >= MAX_BATCH_BYTES) await send();
    };
    return {
      put,
      async putBucket(list, owner, bucket) {
        const key = `${list} ${owner} ${bucket}`;
        if (recorded?.has(key) || recording.has(key)) return;
        recording.add(key);
        await put(writeOf(buckets, { owner, list, bucket }));
      },
      async flush() {
        await send();
        await sender.drain();
        if (recording.size > 0) recorded ??= createGrowingCache(MAX_REMEMBERED_BUCKETS);
        for (const key of recording) recorded?.set(key, true);
        recording.clear();
      },
    };
  };
}
