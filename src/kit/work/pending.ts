import type { Database } from '../cassandra/database';
import { createLoad, readMany } from '../reads/load';
import { outbox, OUTBOX_SHARDS, outboxWindows, type Task } from './outbox.table';
import { isTask } from './task-rows';

/** How many tasks of a partition are read at a time. */
const PAGE_ROWS = 1000;
const MAX_WINDOWS = 100_000;

/** Reads the windows that may have tasks. */
export async function readWindows(database: Database): Promise<number[]> {
  const rows = await createLoad(database)(outboxWindows.page, { shard: 0, limit: MAX_WINDOWS });
  return rows.map(({ window }) => window);
}

/** Reads the windows that may have tasks for anyone. */
export async function readOfferedWindows(database: Database): Promise<number[]> {
  const rows = await createLoad(database)(outboxWindows.page, { shard: 0, limit: MAX_WINDOWS });
  return rows.flatMap(({ window, offered }) => (offered === true ? [window] : []));
}

/** Reads the tasks of some windows. */
export async function readTasks(database: Database, windows: readonly number[]): Promise<Task[]> {
  return (await readTaskRows(database, windows)).filter(isTask);
}

/** Reads all rows of some windows, also those that are no tasks any more: see `isTask`. */
export async function readTaskRows(database: Database, windows: readonly number[]): Promise<Task[]> {
  const tasks: Task[] = [];
  let keys: { window: number; shard: number; after?: string[]; limit: number }[] = windows.flatMap((window) =>
    Array.from({ length: OUTBOX_SHARDS }, (_, shard) => ({ window, shard, limit: PAGE_ROWS })),
  );
  while (keys.length > 0) {
    const pages = await readMany(database, outbox.page, keys);
    tasks.push(...pages.flat());
    keys = pages.flatMap((page) => {
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_ROWS) return [];
      return { window: last.window, shard: last.shard, after: [last.taskId], limit: PAGE_ROWS };
    });
  }
  return tasks;
}

/** Reads all tasks of all servers that are not completed. */
export async function readPending(database: Database): Promise<readonly Task[]> {
  return readTasks(database, await readWindows(database));
}
