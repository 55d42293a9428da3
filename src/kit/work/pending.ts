import type { Database } from '../cassandra/database';
import { createLoad, readMany } from '../reads/load';
import { outbox, OUTBOX_SHARDS, outboxWindows, type Task } from './outbox.table';
import type { Statement } from '../cassandra/statement';
import { without, type Row } from '../cassandra/table';
import { isTask } from './task-rows';

/** How many tasks of a partition are read at a time. */
const PAGE_ROWS = 1000;
const MAX_WINDOWS = 100_000;
/** How many partitions are read at once: a connection takes 2,048 requests, and rows are so large that each is for two partitions. */
const PARTITIONS_AT_ONCE = 256;
/** How many whole tasks are read at a time: 50 kB each at most. */
const TASKS_AT_ONCE = 100;

const taskHeads = without(without(outbox, 'payload'), 'checkpoint');
/** A task without what it is about. */
export type TaskHead = Row<typeof taskHeads>;

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
  const tasks: Task[] = [];
  for await (const rows of readParts(database, windows, outbox.page)) tasks.push(...rows.filter(isTask));
  return tasks;
}

/** Reads the rows of some windows without what tasks are about, also those that are no tasks any more: see `isTask`. */
export async function readTaskHeads(
  database: Database,
  windows: readonly OpenWindow[],
): Promise<readonly TaskHead[]> {
  const heads: TaskHead[] = [];
  for await (const rows of readParts(database, windows, taskHeads.page)) heads.push(...rows);
  return heads;
}

/** Reads whole tasks, some at a time. Those that are completed meanwhile are left out. */
export async function* readWholeInParts(
  database: Database,
  heads: readonly TaskHead[],
): AsyncIterable<readonly Task[]> {
  for (let n = 0; n < heads.length; n += TASKS_AT_ONCE) {
    const rows = await readMany(database, outbox.get, heads.slice(n, n + TASKS_AT_ONCE));
    yield rows.flatMap((task) => (task !== null && isTask(task) ? [task] : []));
  }
}

/** Reads whole tasks that are few. */
export async function readWhole(database: Database, heads: readonly TaskHead[]): Promise<readonly Task[]> {
  const tasks: Task[] = [];
  for await (const some of readWholeInParts(database, heads)) tasks.push(...some);
  return tasks;
}

/** Reads all tasks of all servers that are not completed, without what they are about. */
export async function readPending(database: Database): Promise<readonly TaskHead[]> {
  return (await readTaskHeads(database, await readWindows(database))).filter(isTask);
}

/** Reads all tasks of all servers that are not completed, some at a time. */
export async function* readPendingInParts(database: Database): AsyncIterable<readonly Task[]> {
  for await (const rows of readParts(database, await readWindows(database), outbox.page))
    yield rows.filter(isTask);
}

type PageKey = Pick<Task, 'window' | 'server' | 'shard'> & { after?: string[]; limit: number };

/** Reads the rows of some windows by pages of their partitions, and gives those that come together. */
async function* readParts<R extends TaskHead>(
  database: Database,
  windows: readonly OpenWindow[],
  page: Statement<PageKey, readonly R[]>,
): AsyncIterable<readonly R[]> {
  const shards = Array.from({ length: OUTBOX_SHARDS }, (_, shard) => shard);
  const keys: PageKey[] = windows.flatMap(({ window, servers }) =>
    (servers ?? []).flatMap((server) => shards.map((shard) => ({ window, server, shard, limit: PAGE_ROWS }))),
  );
  for (let n = 0; n < keys.length; n += PARTITIONS_AT_ONCE) {
    const pages = await readMany(database, page, keys.slice(n, n + PARTITIONS_AT_ONCE));
    for (const rows of pages) {
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE_ROWS) continue;
      const { window, server, shard } = last;
      keys.push({ window, server, shard, after: [last.taskId], limit: PAGE_ROWS });
    }
    yield pages.flat();
  }
}
