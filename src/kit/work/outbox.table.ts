import { flag, int, optional, text, timestamp } from '../cassandra/column';
import { table, type Row } from '../cassandra/table';

/** The tasks that are enqueued and not completed. `worker` is the server that runs the task, or `ANYONE`. */
export const outbox = table(
  'outbox',
  {
    window: int,
    shard: int,
    taskId: text,
    kind: text,
    payload: optional(text),
    checkpoint: optional(text),
    worker: optional(text),
    createdAt: optional(timestamp),
  },
  { partition: ['window', 'shard'], clustering: ['taskId'], order: 'asc' },
);

/** The value of `worker` of a task that any server may take. */
export const ANYONE = 'anyone';

/** The windows of time that may have tasks. `offered`: some of them may be tasks for anyone. */
export const outboxWindows = table(
  'outbox_windows',
  { shard: int, window: int, offered: optional(flag) },
  { partition: ['shard'], clustering: ['window'], order: 'asc' },
);

/** Which server runs a task that any could take. Only lightweight transactions write this. */
export const taskClaims = table(
  'task_claims',
  { taskId: text, instance: optional(text) },
  { partition: ['taskId'] },
);

/** A task, as it is stored until it is completed. */
export type Task = Row<typeof outbox>;
