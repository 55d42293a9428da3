import DataLoader from 'dataloader';
import type { Database } from '../cassandra/database';
import type { Statement } from '../cassandra/statement';
import { readMany } from './load';

/** How long, in milliseconds, a read waits for others. */
const GATHER_MS = 50;
const MAX_KEYS = 100;

type Reader = (statement: unknown, key: unknown) => Promise<unknown>;
const readers = new WeakMap<Database, Reader>();

/**
 * Reads a key a moment later, together with all keys of the statement that are asked for meanwhile, for work that nobody waits
 * for. Each call is answered by a read that began after it.
 */
export async function readSoon<Key, Result>(
  database: Database,
  statement: Statement<Key, Result>,
  key: Key,
): Promise<Result> {
  let reader = readers.get(database);
  if (reader === undefined) readers.set(database, (reader = createReader(database)));
  return reader(statement, key) as Promise<Result>;
}

function createReader(database: Database): Reader {
  const loaders = new Map<unknown, DataLoader<unknown, unknown>>();
  return (statement, key) => {
    let loader = loaders.get(statement);
    if (loader === undefined) {
      loader = new DataLoader((keys) => readMany(database, statement as Statement<unknown, unknown>, keys), {
        cache: false,
        maxBatchSize: MAX_KEYS,
        batchScheduleFn: (read) => void setTimeout(read, GATHER_MS),
      });
      loaders.set(statement, loader);
    }
    return loader.load(key);
  };
}
