import type { Database, Write } from '../../kit/cassandra/database';
import { buckets } from '../../kit/data/buckets';
import type { ShardRouter } from '../../kit/data/shards';
import { bytesIn, MAX_BATCH_BYTES, writeOf } from '../../kit/data/write';
import { users } from '../../user/user.table';

/** Rows gathered before any is sent, so that those of one partition go together; as many are being sent meanwhile. */
const MAX_GATHERED_ROWS = 50_000;
/** A batch is full with this many rows, or as many bytes as a batch may hold. */
const MAX_BATCH_ROWS = 50;
/** Or with rows of this many partitions, each of which its coordinator must pass on by itself. */
const MAX_BATCH_PARTITIONS = 50;
/** Of how many owners of a list the last month is remembered. */
const MAX_REMEMBERED_OWNERS = 300_000;
/** Requests under way at once. */
const MAX_BATCHES_IN_FLIGHT = 128;

/** Writes rows in small batches, a bounded number of them at once. */
export interface Writer {
  /** Where rows go of lists that may have many in one bucket. */
  readonly shardRouter: ShardRouter;
  put(write: Write): Promise<void>;
  /** Says in `buckets` that a list has rows in a month, unless that was the last month said of it. */
  putBucket(list: string, owner: string, bucket: number): Promise<void>;
  /** Resolves when all that was put is stored; rejects when something could not be. */
  flush(): Promise<void>;
}

/** Makes a writer. A failed request makes the next call reject. */
export function createWriter(database: Database, shardRouter: ShardRouter): Writer {
  let gathered = new Map<string, Write[]>();
  let people = new Set<string>();
  let rows = 0;
  let sending = Promise.resolve();
  const underWay = new Set<Promise<void>>();
  const lastMonths = new Map<string, Map<string, number>>();
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
  /** Begins to send what was gathered, when what was gathered before that has gone out. */
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
    // Who is named must be there before what names them is read.
    if (write.query === users.put) people.add(write.partition);
    if (++rows >= MAX_GATHERED_ROWS) await sendGathered();
  };
  return {
    shardRouter,
    put,
    async putBucket(list, owner, bucket) {
      const last = lastMonths.get(list) ?? new Map<string, number>();
      lastMonths.set(list, last);
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

/** Cuts writes, given by partition, into batches. */
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
