import { int, optional, text, timestamp } from '../cassandra/column';
import { table, type Row } from '../cassandra/table';

/** Work that was begun and is not done. */
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

/** The windows that may have work that is not done. */
export const outboxWindows = table(
  'outbox_windows',
  { part: int, window: int },
  { partition: ['part'], clustering: ['window'], order: 'asc' },
);

/** A piece of work as it is kept until it is done. */
export type Task = Row<typeof outbox>;
