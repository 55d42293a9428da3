import { LRUCache } from 'lru-cache';
import type { Database } from '../cassandra/database';
import { holding, label } from '../cassandra/column';
import { deferWrite, type DeferredWrite } from '../cassandra/deferred-writes';
import { table } from '../cassandra/table';
import { MAX_CACHE_SECONDS } from '../config/config';
import type { Load } from './load';
import { writeOf } from '../cassandra/write';

/** A writer's row is written again if the mutation took longer than this since it was sent, and reused for half as long. */
const MAX_WRITER_AGE_MS = 1000;

/**
 * How long a row lasts: the age that it may have when its mutation is answered, the longest time that a read of what can change is cached, a
 * second because Cassandra cuts times to seconds, and three by which the clocks of its nodes may differ.
 */
const WRITER_ROW_SECONDS = MAX_WRITER_AGE_MS / 1000 + MAX_CACHE_SECONDS + 1 + 3;

/** How many of its rows a server remembers, so that it need not write them again. */
const MAX_REMEMBERED = 10_000;

/** The users who have written something in the last seconds. Each server has a row of its own, so the clocks of servers need not agree. */
export const recentWriters = table(
  'recent_writers',
  { caller: holding(label, 'User'), server: label },
  {
    role: { kind: 'transient', why: 'it says who has just written' },
    writeLoad: { rows: { task: 1 }, bytes: 60, spread: { over: 'people' }, keptSeconds: 10 },
    partition: ['caller'],
    clustering: ['server'],
    order: 'asc',
  },
);

/** Records callers while they write, so that every server reads for them what it would otherwise take from its cache. */
export interface RecentWriters {
  /**
   * Does work that writes for a caller. When this resolves, or rejects after the work has failed, the caller is recorded for long enough
   * that no server has cached a read from before the work. `nameOf` is asked again after the work, which may have created the caller; null
   * records nobody.
   */
  during<T>(nameOf: () => Promise<string | null>, work: () => Promise<T>): Promise<T>;
}

/** The row of a caller, and a moment on the clock of `performance.now()` at which it was not sent yet. */
interface RecordedWriter {
  readonly row: DeferredWrite;
  before: number;
}

/**
 * Creates the recent writers of a server, which has a unique name. A row waits for a write that takes it along, such as that of the
 * mutation's task, and is sent at the end of the mutation otherwise.
 */
export function createRecentWriters(database: Database, server: string): RecentWriters {
  const recorded = new LRUCache<string, RecordedWriter>({ max: MAX_REMEMBERED });
  const record = (caller: string, maxAge: number): DeferredWrite => {
    const now = performance.now();
    const last = recorded.get(caller);
    if (last?.row.isWaiting()) last.before = now;
    if (last && now - last.before < maxAge) return last.row;
    const row = deferWrite(
      database,
      writeOf(recentWriters, { caller, server }, { at: Date.now() * 1000, ttl: WRITER_ROW_SECONDS }),
    );
    recorded.set(caller, { row, before: now });
    row.stored.catch(() => recorded.delete(caller));
    return row;
  };
  const recordNamed = async (nameOf: () => Promise<string | null>, maxAge: number) => {
    const caller = await nameOf();
    return caller === null ? null : record(caller, maxAge);
  };
  const store = async (row: DeferredWrite | null) => {
    row?.send();
    await row?.stored;
  };
  return {
    async during(nameOf, work) {
      const begun = recordNamed(nameOf, MAX_WRITER_AGE_MS / 2);
      begun.catch(() => undefined);
      const done = async () => {
        const first = await begun;
        // The batch of another caller's task may have taken it along and failed. Then it is written again.
        await store(first).catch(() => undefined);
        await store(await recordNamed(nameOf, MAX_WRITER_AGE_MS));
      };
      let result;
      try {
        result = await work();
      } catch (error) {
        // Work that fails may have written something before. Its error is more useful than that of recording the writer.
        await done().catch(() => undefined);
        throw error;
      }
      await done();
      return result;
    },
  };
}

/** Whether a caller may have written something since the reads that servers keep for `CACHE_SECONDS`. Reads one partition. */
export async function hasWrittenRecently(load: Load, caller: string): Promise<boolean> {
  return (await load(recentWriters.page, { caller, limit: 1 })).length > 0;
}
