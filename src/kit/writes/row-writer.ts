import type { Write } from '../cassandra/database';
import type { ListBucket } from '../lists/buckets';

/** Writes many rows of many partitions in batches, many of them at a time. After a batch failed, calls that send reject. */
export interface RowWriter {
  /** Adds a write to a batch. Resolves when there is room for more. */
  put(write: Write): Promise<void>;
  /** Records in `buckets` that a list has rows in a bucket, unless the writer remembers that this was recorded. */
  putBucket(list: string, owner: string, bucket: number): Promise<void>;
  /** Sends what is left. Resolves when all writes are stored, and rejects if any of them failed. */
  flush(): Promise<void>;
}

/** Rows of lists, and the buckets that they are in. */
export interface ListRows {
  readonly writes: readonly Write[];
  readonly listBuckets: readonly ListBucket[];
}

/**
 * Stores writes.
 *
 * @example
 * ```ts
 * await putAll(bulk(), [removalOf(rooms, { hotelId: '1', number: 12 })]);
 * ```
 */
export async function putAll(writer: RowWriter, writes: readonly Write[]): Promise<void> {
  for (const write of writes) await writer.put(write);
  await writer.flush();
}

/** Writes rows of lists and records their buckets. */
export async function putRows(writer: RowWriter, rows: readonly ListRows[]): Promise<void> {
  for (const { list, owner, bucket } of rows.flatMap(({ listBuckets }) => listBuckets))
    await writer.putBucket(list, owner, bucket);
  for (const write of rows.flatMap(({ writes }) => writes)) await writer.put(write);
  await writer.flush();
}
