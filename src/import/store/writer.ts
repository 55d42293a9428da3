import { LRUCache } from 'lru-cache';
import type { Database, Write } from '../../kit/cassandra/database';
import { users } from '../../user/user.table';

/** Rows gathered before any is sent, so that those of one partition go together. */
const ROWS_GATHERED = 30_000;
/** A batch is full with this many rows or characters of text: coordinators warn of batches beyond 5 KiB. */
const ROWS_PER_BATCH = 50;
const TEXT_PER_BATCH = 4000;
/** Or with rows of this many partitions, each of which its coordinator must pass on by itself. */
const PARTITIONS_PER_BATCH = 50;
/** How the partitions of `users` are named. */
const USERS = `${users.name} `;
/** Requests under way at once. */
const IN_FLIGHT = 128;

/** Writes rows in small batches, a bounded number of them at once. */
export interface Writer {
  put(write: Write): Promise<void>;
  /** The same, but a row that this writer wrote lately is not written again. */
  putOnce(write: Write): Promise<void>;
  /** Resolves when all that was put is stored; rejects when something could not be. */
  flush(): Promise<void>;
}

/** Makes a writer. A failed request makes the next call reject. */
export function createWriter(database: Database): Writer {
  let gathered = new Map<string, Write[]>();
  let rows = 0;
  const underWay = new Set<Promise<void>>();
  const written = new LRUCache<string, true>({ max: 100_000 });
  let failure: Error | undefined;

  const dispatch = async (batch: Write[]) => {
    const sent = database
      .batch(batch)
      .catch((error: unknown) => {
        failure ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => underWay.delete(sent));
    underWay.add(sent);
    if (underWay.size >= IN_FLIGHT) await Promise.race(underWay);
    if (failure !== undefined) throw failure;
  };
  const settled = async () => {
    await Promise.all(underWay);
    if (failure !== undefined) throw failure;
  };
  const send = async () => {
    const partitions = gathered;
    gathered = new Map();
    rows = 0;
    // Who is named must be there before what names them is read.
    const people: Write[][] = [];
    const others: Write[][] = [];
    for (const [partition, writes] of partitions)
      (partition.startsWith(USERS) ? people : others).push(writes);
    for (const batch of batchesOf(people)) await dispatch(batch);
    await settled();
    for (const batch of batchesOf(others)) await dispatch(batch);
  };
  const put = async (write: Write) => {
    const same = gathered.get(write.partition);
    if (same) same.push(write);
    else gathered.set(write.partition, [write]);
    if (++rows >= ROWS_GATHERED) await send();
  };
  return {
    put,
    async putOnce(write) {
      const key = `${write.partition}\0${write.params.join('\0')}`;
      if (written.has(key)) return;
      written.set(key, true);
      await put(write);
    },
    async flush() {
      await send();
      await settled();
    },
  };
}

/** Cuts writes, given by partition, into batches. */
function* batchesOf(partitions: Iterable<readonly Write[]>): Iterable<Write[]> {
  let batch: Write[] = [];
  let owners = 0;
  let text = 0;
  for (const writes of partitions) {
    owners++;
    for (const write of writes) {
      batch.push(write);
      for (const value of write.params) if (typeof value === 'string') text += value.length;
      if (batch.length < ROWS_PER_BATCH && text < TEXT_PER_BATCH) continue;
      yield batch;
      batch = [];
      owners = text = 0;
    }
    if (owners < PARTITIONS_PER_BATCH) continue;
    if (batch.length > 0) yield batch;
    batch = [];
    owners = text = 0;
  }
  if (batch.length > 0) yield batch;
}
