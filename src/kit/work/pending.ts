import type { Database } from '../cassandra/database';
import { createLoad, readMany } from '../reads/load';
import { outbox, OUTBOX_SHARDS, outboxWindows, type Task } from './outbox.table';
import type { Row } from '../cassandra/table';
import { isTask } from './task-rows';

/** How many tasks of a partition are read at a time. */
const PAGE_ROWS = 1000;
const MAX_WINDOWS = 100_000;
/** How many partitions are read at once: a connection takes 2,048 requests, and rows are so large that each is for two partitions. */
const PARTITIONS_AT_ONCE = 256;

/** A window that may have tasks. */
type OpenWindow = Pick<Row<typeof outboxWindows>, 'window' | 'servers' | 'offered'>;

/** Reads the windows that may have tasks. */
export function readWindows(database: Database): Promise<readonly OpenWindow[]> {
  return createLoad(database)(outboxWindows.page, { shard: 0, limit: MAX_WINDOWS });
}

/** Reads the windows that may have tasks for anyone. */
export async function readOfferedWindows(database: Database): Promise<readonly OpenWindow[]> {
  return (await readWindows(database)).filter(({ offered }) => offered === true);
}

/** Reads the tasks of some windows. */
export async function readTasks(database: Database, windows: readonly OpenWindow[]): Promise<Task[]> {
  return (await readTaskRows(database, windows)).filter(isTask);
}

/** Reads all rows of some windows, also those that are no tasks any more: see `isTask`. */
export async function readTaskRows(database: Database, windows: readonly OpenWindow[]): Promise<Task[]> {
  const tasks: Task[] = [];
  const shards = Array.from({ length: OUTBOX_SHARDS }, (_, shard) => shard);
  const keys: (Pick<Task, 'window' | 'server' | 'shard'> & { after?: string[]; limit: number })[] =
    windows.flatMap(({ window, servers }) =>
      (servers ?? []).flatMap((server) =>
        shards.map((shard) => ({ window, server, shard, limit: PAGE_ROWS })),
      ),
    );
  for (let n = 0; n < keys.length; n += PARTITIONS_AT_ONCE)
    for (const page of await readMany(database, outbox.page, keys.slice(n, n + PARTITIONS_AT_ONCE))) {
      for (const row of page) tasks.push(row);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_ROWS) continue;
      const { window, server, shard } = last;
      keys.push({ window, server, shard, after: [last.taskId], limit: PAGE_ROWS });
    }
  return tasks;
}

/** Reads all tasks of all servers that are not completed. */
export async function readPending(database: Database): Promise<readonly Task[]> {
  return readTasks(database, await readWindows(database));
}
