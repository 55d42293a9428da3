import type { Write } from '../cassandra/database';
import { writeBytes, MAX_BATCH_BYTES } from '../cassandra/write';

/** A batch of several partitions is full if it has this many rows, or `MAX_BATCH_BYTES`. */
const MAX_MIXED_ROWS = 50;
/**
 * A batch of one partition is full if it has this many rows or bytes. For Cassandra it is one mutation: the rows after the
 * first cost it a tenth of a mutation, and its thresholds for batches do not apply.
 */
const MAX_PARTITION_ROWS = 200;
const MAX_PARTITION_BYTES = 40 * 1024;

/** Groups writes by their partition. */
export function byPartition(writes: Iterable<Write>): Map<string, Write[]> {
  const groups = new Map<string, Write[]>();
  for (const write of writes) {
    const group = groups.get(write.partition);
    if (group) group.push(write);
    else groups.set(write.partition, [write]);
  }
  return groups;
}

/**
 * Divides writes, which come grouped by partition, into batches. Many rows of one partition are batches of their own; few
 * rows of several partitions share a batch.
 */
export function* cutIntoBatches(partitions: Iterable<readonly Write[]>): Iterable<Write[]> {
  let mixed: Write[] = [];
  let mixedBytes = 0;
  for (const writes of partitions) {
    let own: Write[] = [];
    let ownBytes = 0;
    for (const write of writes) {
      const bytes = writeBytes(write);
      if (own.length >= MAX_PARTITION_ROWS || (own.length > 0 && ownBytes + bytes > MAX_PARTITION_BYTES)) {
        yield own;
        own = [];
        ownBytes = 0;
      }
      own.push(write);
      ownBytes += bytes;
    }
    if (ownBytes > MAX_BATCH_BYTES || own.length >= MAX_MIXED_ROWS) {
      yield own;
      continue;
    }
    if (mixedBytes + ownBytes > MAX_BATCH_BYTES || mixed.length + own.length > MAX_MIXED_ROWS) {
      if (mixed.length > 0) yield mixed;
      mixed = [];
      mixedBytes = 0;
    }
    mixed.push(...own);
    mixedBytes += ownBytes;
  }
  if (mixed.length > 0) yield mixed;
}
