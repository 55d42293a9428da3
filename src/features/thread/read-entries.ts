import { LRUCache } from 'lru-cache';
import type { Context } from '../../context';
import { collect } from '../../kit/lists/connection';
import type { Position } from '../../kit/lists/cursor';
import { listBuckets } from '../../kit/lists/list-buckets';
import { SPLIT_BOUNDS, type Found } from '../../kit/lists/list-parts';
import { threadEntries, type ThreadEntry } from './thread.lists';

/** How many replies a conversation may have to be put in order in memory. */
export const MAX_ENTRIES = 10_000;
/** How many are read without reserving more: most conversations have fewer. */
export const FIRST_ENTRIES = 500;
/**
 * How many of the others are read at a time. If the list is split, a read may have as many rows of each partition, also rows that the next
 * read has again.
 */
const ENTRIES_AT_ONCE = 1000;

/** Conversations that this process has seen to be too large, so that not each first page of one reads 10,000 rows to find that out. */
const tooLarge = new LRUCache<string, true>({ max: 10_000, ttl: 600_000 });

/** Reserves the first reads of `readEntries`, for a field whose bound does not have them. */
export function reserveFirstEntries({ reserve }: Pick<Context, 'reserve'>, field: string): Promise<void> {
  const reads = 2 + SPLIT_BOUNDS.partitions;
  const rows = reads * FIRST_ENTRIES + SPLIT_BOUNDS.buckets;
  return reserve({ field, table: threadEntries.name }, { reads, rows });
}

/** The replies of a conversation; null if they are too many to be put in order. More than the first are reserved for `field`. */
export async function readEntries(
  { load, reserve }: Pick<Context, 'load' | 'reserve'>,
  rootId: string,
  field = 'Tweet.thread',
): Promise<readonly ThreadEntry[] | null> {
  if (tooLarge.has(rootId)) return null;
  const list = threadEntries.list(load, rootId);
  const read = (limit: number, from: Position | null) =>
    collect(list, { limit: limit - 1, backwards: false, from });
  const first = await read(FIRST_ENTRIES, null);
  const entries = first.rows.map(({ row }) => row);
  let next = first.end ?? positionOf(first.rows, FIRST_ENTRIES);
  while (next !== null && entries.length <= MAX_ENTRIES) {
    const wanted = Math.min(ENTRIES_AT_ONCE, MAX_ENTRIES + 1 - entries.length);
    const reads = SPLIT_BOUNDS.partitions;
    await reserve({ field, table: threadEntries.name }, { reads, rows: reads * wanted });
    // The stretches of a split list are looked up again at each read.
    await reserve({ field, table: listBuckets.name }, { reads: 1, rows: SPLIT_BOUNDS.buckets + 1 });
    const { rows, end } = await read(wanted, next);
    entries.push(...rows.map(({ row }) => row));
    next = end ?? positionOf(rows, wanted);
  }
  if (entries.length <= MAX_ENTRIES) return entries;
  tooLarge.set(rootId, true);
  return null;
}

/** The position after which a list goes on; null if it has no more rows than were read. */
function positionOf(rows: readonly Found<ThreadEntry>[], wanted: number): Position | null {
  const last = rows.length < wanted ? undefined : rows.at(-1);
  return last === undefined ? null : { bucket: last.bucket, key: [last.row.tweetId] };
}
