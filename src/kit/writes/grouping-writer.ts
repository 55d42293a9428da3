import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Write } from '../cassandra/database';
import { createBatchSender } from './batch-sender';
import { cutIntoBatches } from './batches';
import { buckets } from '../lists/buckets';
import type { RowWriter } from './row-writer';
import { writeOf } from '../cassandra/write';

/** Rows are collected up to this number, so that rows of one partition go out together; the rows before are sent meanwhile. */
const MAX_COLLECTED_ROWS = 50_000;
/** The number of owners of a list whose last bucket is remembered. */
const MAX_REMEMBERED_OWNERS = 300_000;
/** After how many batches other work of the server gets its turn. */
const BATCHES_PER_TURN = 200;

interface GroupingOptions {
  /** A test for writes that go first. Partitions with such a write are stored before the others that are collected with them. */
  readonly isFirst?: (write: Write) => boolean;
  /** After it is aborted the writer sends no more, and rejects with `UNAVAILABLE`. */
  readonly stopping?: AbortSignal | undefined;
  /** How many rows are collected at most. Only tests set it. */
  readonly maxRows?: number;
}

/** Creates a writer that groups rows by partition before it sends them, which suits imports and segments. */
export function createGroupingWriter(
  database: Database,
  { isFirst = () => false, stopping, maxRows = MAX_COLLECTED_ROWS }: GroupingOptions = {},
): RowWriter {
  const sender = createBatchSender(database, stopping);
  const lastBuckets = new Map<string, Map<string, number>>();
  let collected = new Map<string, Write[]>();
  let first = new Set<string>();
  let rows = 0;
  let sending = Promise.resolve();
  /** The wait of collected rows for those before them. Nothing is collected meanwhile, however many callers there are. */
  let blocked: Promise<void> | undefined;

  const sendAll = async (batches: Iterable<Write[]>) => {
    let sent = 0;
    for (const batch of batches) {
      await sender.send(batch);
      if (++sent % BATCHES_PER_TURN === 0) await nextTurn();
    }
  };
  const send = async (partitions: ReadonlyMap<string, Write[]>, firstPartitions: ReadonlySet<string>) => {
    const [others, inFirst]: [Write[][], Write[][]] = [[], []];
    for (const [partition, writes] of partitions)
      (firstPartitions.has(partition) ? inFirst : others).push(writes);
    await sendAll(cutIntoBatches(inFirst));
    await sender.drain();
    await sendAll(cutIntoBatches(others));
  };
  /** Sends the collected rows after those that were collected before them. Resolves when the latter have gone out. */
  const sendCollected = async () => {
    const [taken, takenFirst, before] = [collected, first, sending];
    sending = before.then(() => send(taken, takenFirst));
    // The next call that sends rejects with the failure.
    sending.catch(() => undefined);
    collected = new Map();
    first = new Set();
    rows = 0;
    blocked = before;
    try {
      await before;
    } finally {
      if (blocked === before) blocked = undefined;
    }
  };
  const put = async (write: Write) => {
    while (blocked) await blocked;
    const same = collected.get(write.partition);
    if (same) same.push(write);
    else collected.set(write.partition, [write]);
    if (isFirst(write)) first.add(write.partition);
    if (++rows >= maxRows) await sendCollected();
  };
  return {
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
      await sendCollected();
      await sending;
      await sender.drain();
    },
  };
}
