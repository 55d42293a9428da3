import type { Database, Write } from '../../kit/cassandra/database';
import { buckets } from '../../kit/data/buckets';
import type { ShardRouter } from '../../kit/data/shards';
import { bytesIn, MAX_BATCH_BYTES, writeOf } from '../../kit/data/write';
import { users } from '../../user/user.table';

/** Rows are gathered up to this number, so that rows of one partition go out together; the rows before are sent meanwhile. */
const MAX_GATHERED_ROWS = 50_000;
/** A batch is full if it has this many rows, or `MAX_BATCH_BYTES`. */
const MAX_BATCH_ROWS = 50;
/** A batch is also full if it has rows of this many partitions, because its coordinator forwards each one separately. */
const MAX_BATCH_PARTITIONS = 50;
/** For how many owners of a list the last bucket is remembered. */
const MAX_REMEMBERED_OWNERS = 300_000;
const MAX_BATCHES_IN_FLIGHT = 128;

/** Writes rows in small batches, a bounded number of them at once. After a failed batch, every call rejects. */
export interface Writer {
  /** Chooses the partition of a row in lists that may have many rows in one bucket. */
  readonly shardRouter: ShardRouter;
  /** Adds a row. Waits while too many rows are being sent. */
  put(write: Write): Promise<void>;
  /** Writes to `buckets` that a list has rows in a bucket, unless that was the last one written for the list. */
  putBucket(list: string, owner: string, bucket: number): Promise<void>;
  /** Resolves when every row that was put is stored; rejects if one could not be. */
  flush(): Promise<void>;
}

/** Creates a writer. */
export function createWriter(database: Database, shardRouter: ShardRouter): Writer {
  let gathered = new Map<string, Write[]>();
  let people = new Set<string>();
  let rows = 0;
  let sending = Promise.resolve();
  const underWay = new Set<Promise<void>>();
  const lastBuckets = new Map<string, Map<string, number>>();
  let failure: Error | undefined;

  const dispatch = async (batch: Write[]) => {
    const sent = database
      .batch(batch)
      .catch((error: unknown) => {
        failure ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => underWay.delete(sent));
    underWay.add(sent);
    if (underWay.size >= MAX_BATCHES_IN_FLIGHT) await Promise.race(underWay);
  };
  const send = async (partitions: ReadonlyMap<string, Write[]>, first: ReadonlySet<string>) => {
    const withUsers: Write[][] = [];
    const others: Write[][] = [];
    for (const [partition, writes] of partitions) (first.has(partition) ? withUsers : others).push(writes);
    for (const batch of batchesOf(withUsers)) await dispatch(batch);
    await Promise.all(underWay);
    if (failure !== undefined) return;
    for (const batch of batchesOf(others)) await dispatch(batch);
  };
  /** Sends the gathered rows after the rows that were gathered before them. Resolves when those have gone out. */
  const sendGathered = async () => {
    const [taken, first, before] = [gathered, people, sending];
    sending = before.then(() => send(taken, first));
    gathered = new Map();
    people = new Set();
    rows = 0;
    await before;
    if (failure !== undefined) throw failure;
  };
  const put = async (write: Write) => {
    const same = gathered.get(write.partition);
    if (same) same.push(write);
    else gathered.set(write.partition, [write]);
    // Users go out first: a user must be stored before rows that name the user can be read.
    if (write.query === users.put) people.add(write.partition);
    if (++rows >= MAX_GATHERED_ROWS) await sendGathered();
  };
  return {
    shardRouter,
    put,
    async putBucket(list, owner, bucket) {
      const last = lastBuckets.get(list) ?? new Map<string, number>();
      lastBuckets.set(list, last);
      if (last.get(owner) === bucket) return;
      if (last.size >= MAX_REMEMBERED_OWNERS) last.clear();
      last.set(owner, bucket);
      await put(writeOf(buckets, { list, owner, bucket }));
    },
    async flush() {
      await sendGathered();
      await sending;
      await Promise.all(underWay);
      if (failure !== undefined) throw failure;
    },
  };
}

/** Divides writes, which come grouped by partition, into batches. */
function* batchesOf(partitions: Iterable<readonly Write[]>): Iterable<Write[]> {
  let batch: Write[] = [];
  let owners = 0;
  let bytes = 0;
  for (const writes of partitions) {
    owners++;
    for (const write of writes) {
      const more = bytesIn(write);
      if (batch.length >= MAX_BATCH_ROWS || (batch.length > 0 && bytes + more > MAX_BATCH_BYTES)) {
        yield batch;
        batch = [];
        owners = 1;
        bytes = 0;
      }
      batch.push(write);
      bytes += more;
    }
    if (owners < MAX_BATCH_PARTITIONS) continue;
    yield batch;
    batch = [];
    owners = bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
