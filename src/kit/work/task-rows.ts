import type { Database } from '../cassandra/database';
import { removalOf, writeOf } from '../data/write';
import { ANYONE, outbox, type Task } from './outbox.table';

const keyOf = ({ window, part, taskId }: Task) => [window, part, taskId];
const where = 'WHERE window = ? AND part = ? AND task_id = ?';
const setProgress = `UPDATE outbox SET progress = ? ${where}`;
const setWorker = `UPDATE outbox SET progress = ?, worker = ? ${where}`;

/**
 * Whether a row is a task. A checkpoint that is written after another server has completed the task leaves a
 * row that has only the checkpoint, which is no task any more.
 */
export function isTask({ kind }: Task): boolean {
  return (kind as string | null) !== null;
}

/** Stores a task that was not stored before. */
export async function storeTask(database: Database, task: Task): Promise<void> {
  const { query, params } = writeOf(outbox, task);
  await database.write(query, params);
}

/** Stores a checkpoint of a task. */
export async function storeProgress(database: Database, task: Task, progress: string): Promise<void> {
  await database.write(setProgress, [progress, ...keyOf(task)]);
}

/** Lets any server take a task that is stored. */
export async function releaseTask(database: Database, task: Task): Promise<Task> {
  await database.write(setWorker, [task.progress ?? undefined, ANYONE, ...keyOf(task)]);
  return { ...task, worker: ANYONE };
}

/** Removes the row of a task. */
export async function removeTask(database: Database, task: Task): Promise<void> {
  const { query, params } = removalOf(outbox, task);
  await database.write(query, params);
}
