import { int, optional, text, timestamp } from '../cassandra/column';
import { table, type Row } from '../cassandra/table';

/** The tasks that are enqueued and not completed. */
export const outbox = table(
  'outbox',
  {
    window: int,
    part: int,
    taskId: text,
    kind: text,
    payload: optional(text),
    progress: optional(text),
    worker: optional(text),
    createdAt: optional(timestamp),
  },
  { partition: ['window', 'part'], clustering: ['taskId'], order: 'asc' },
);

/** The windows of time that may have tasks. */
export const outboxWindows = table(
  'outbox_windows',
  { part: int, window: int },
  { partition: ['part'], clustering: ['window'], order: 'asc' },
);

/** A task, as it is stored until it is completed. */
export type Task = Row<typeof outbox>;
