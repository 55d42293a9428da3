import type { Database } from '../cassandra/database';
import { removalOf, writeOf } from '../cassandra/write';
import { ANYONE, outbox, type Task } from './outbox.table';

const keyOf = ({ window, server, shard, taskId }: Task) => [window, server, shard, taskId];
const where = 'WHERE window = ? AND server = ? AND shard = ? AND task_id = ?';
const setCheckpoint = `UPDATE outbox SET checkpoint = ? ${where}`;
const setWorker = `UPDATE outbox SET checkpoint = ?, worker = ? ${where}`;

/**
 * Whether a row is a task. A checkpoint that is written after another server has completed the task leaves a
 * row that has only the checkpoint, which is no task any more.
 */
export function isTask({ kind }: Pick<Task, 'kind'>): boolean {
  return (kind as string | null) !== null;
}

/** Stores a task that was not stored before. */
export async function storeTask(database: Database, task: Task): Promise<void> {
  const { query, params } = writeOf(outbox, task);
  await database.write(query, params);
}

/** Stores a checkpoint of a task. */
export async function storeCheckpoint(database: Database, task: Task, checkpoint: string): Promise<void> {
  await database.write(setCheckpoint, [checkpoint, ...keyOf(task)]);
}

/** Lets any server take a task that is stored. */
export async function releaseTask(database: Database, task: Task): Promise<Task> {
  await database.write(setWorker, [task.checkpoint ?? undefined, ANYONE, ...keyOf(task)]);
  return { ...task, worker: ANYONE };
}

/** Removes the row of a task. */
export async function removeTask(
  database: Database,
  task: Pick<Task, 'window' | 'server' | 'shard' | 'taskId'>,
): Promise<void> {
  const { query, params } = removalOf(outbox, task);
  await database.write(query, params);
}
