import { LRUCache } from 'lru-cache';
import type { Database, Write } from '../kit/cassandra/database';

/** Rows of one request: about 5 KiB, which is what a coordinator likes (../../docs/decisions.md). */
const ROWS_PER_BATCH = 20;
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
  let batch: Write[] = [];
  const underWay = new Set<Promise<void>>();
  const written = new LRUCache<string, true>({ max: 20_000 });
  let failure: Error | undefined;
  const send = () => {
    if (batch.length === 0) return;
    const sent = database
      .batch(batch)
      .catch((error: unknown) => {
        failure ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => underWay.delete(sent));
    batch = [];
    underWay.add(sent);
  };
  const rethrow = () => {
    if (failure !== undefined) throw failure;
  };
  const put = async (write: Write) => {
    batch.push(write);
    if (batch.length < ROWS_PER_BATCH) return;
    send();
    if (underWay.size >= IN_FLIGHT) await Promise.race(underWay);
    rethrow();
  };
  return {
    put,
    async putOnce(write) {
      const key = `${write.query}\0${write.params.join('\0')}`;
      if (written.has(key)) return;
      written.set(key, true);
      await put(write);
    },
    async flush() {
      send();
      await Promise.all(underWay);
      rethrow();
    },
  };
}
