import { flag, growingInts, holding, int, label, optional, text, timestamp } from '../cassandra/column';
import { table, type Row } from '../cassandra/table';
import { MAX_SERVERS } from '../base/snowflake';

/** The greatest size of the payload of a task, and of its checkpoint, in bytes. */
const MAX_PAYLOAD_BYTES = 50_000;

/** How many seconds the tasks of a window are from. */
export const WINDOW_SECONDS = 30;
/**
 * The number of equal shares into which the tasks of a server in a window are cut. Each task leaves a tombstone, and Cassandra warns of
 * 1,000 in a read.
 */
export const OUTBOX_SHARDS = 8;

/**
 * The tasks that are enqueued and not completed. `server` is the number of the server that stored the task, `worker` the one that runs it,
 * or `ANYONE`.
 */
export const outbox = table(
  'outbox',
  {
    window: int,
    server: int,
    shard: int,
    taskId: label,
    kind: label,
    payload: optional(holding(text(MAX_PAYLOAD_BYTES), 'User', 'Tweet')),
    checkpoint: optional(holding(text(MAX_PAYLOAD_BYTES), 'User', 'Tweet')),
    worker: optional(label),
    createdAt: optional(timestamp),
  },
  {
    role: { kind: 'truth', why: 'it holds the tasks that are not completed' },
    writeLoad: {
      rows: { task: 1 },
      bytes: 400,
      spread: { over: 'time', seconds: WINDOW_SECONDS, shards: OUTBOX_SHARDS, isByServer: true },
      keptSeconds: WINDOW_SECONDS,
      isEmptied: true,
    },
    partition: ['window', 'server', 'shard'],
    clustering: ['taskId'],
    order: 'asc',
  },
);

/** The value of `worker` of a task that any server may take. */
export const ANYONE = 'anyone';

/** The windows of time that may have tasks, and of which servers. `offered`: some of them may be tasks for anyone. */
export const outboxWindows = table(
  'outbox_windows',
  { shard: int, window: int, servers: growingInts(MAX_SERVERS), offered: optional(flag) },
  {
    role: { kind: 'truth', why: 'it says where those tasks are' },
    writeLoad: { rows: { server: 1 / WINDOW_SECONDS }, bytes: 20, spread: { over: 'nothing' }, most: 100 },
    partition: ['shard'],
    clustering: ['window'],
    order: 'asc',
  },
);

/** The servers that run tasks which any could take. Only lightweight transactions write this. */
export const taskClaims = table(
  'task_claims',
  { taskId: label, instance: optional(label) },
  {
    role: { kind: 'transient', why: 'it says which server runs which of the tasks in outbox' },
    writeLoad: {
      rows: { task: 0.1 },
      transactions: { task: 0.1 },
      bytes: 80,
      spread: { over: 'acts' },
      keptSeconds: 86_400,
    },
    partition: ['taskId'],
  },
);

/** A task, as it is stored until it is completed. */
export type Task = Row<typeof outbox>;
