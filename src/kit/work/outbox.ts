import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { afterOtherClocks } from '../base/after-other-clocks';
import { serverCloses } from '../base/errors';
import { runShared } from '../base/shared-runs';
import { writeWithDeferred } from '../cassandra/deferred-writes';
import type { Database, Write } from '../cassandra/database';
import { readMany } from '../reads/load';
import { removalOf, writeOf } from '../cassandra/write';
import type { DeclaredHandler, Handlers, Payload } from './handler';
import { createBackground } from './background';
import { createOutboxWindows } from './outbox-windows';
import { outbox, OUTBOX_SHARDS, type Task } from './outbox.table';
import { readPending, readPendingInParts, readWhole, type TaskHead } from './pending';
import { createRemovals } from './removals';
import type { RunOptions } from './task-runner';
import type { TaskQueue } from './task-queue';
import { isTask } from './task-rows';
import type { Worker } from './worker';

/** A task that is not stored yet, and the write that stores it. */
interface PreparedTask {
  readonly task: Task;
  readonly write: Write;
}

/** The work that is left after a mutation is answered. */
interface FollowUp<T> {
  /** A handler that runs when its lane has room; null if nothing is left. */
  readonly rest?: (result: T) => DeclaredHandler | null;
  /** Short work that runs before that, and before the task is removed, without waiting for a lane. */
  readonly afterwards?: (result: T) => Promise<void>;
}

/** A job queue in the database. A task is stored before its work begins, so that another server completes it if this one fails. */
export interface Outbox {
  /** Aborted when this server stops: long work then throws, and its task is left to other servers. */
  readonly stopping: AbortSignal;
  /** Creates a task, to be stored by `enqueue`. Throws `UNAVAILABLE` once this server stops. */
  prepareTask(kind: string, payload: Payload): Promise<PreparedTask>;
  /** Stores a task. If this fails, the task may be stored all the same: it must be run then, because no other server does that. */
  enqueue(prepared: PreparedTask): Promise<void>;
  /**
   * Stores a task, then runs `work` and resolves to its result; `followUp` says what is left to do before the task is completed. If
   * `work` fails, its error is thrown and the handler of the task's kind runs in the background.
   */
  enqueueAndRun<T>(
    kind: string,
    payload: Payload,
    work: () => Promise<T>,
    followUp?: FollowUp<T>,
  ): Promise<T>;
  /**
   * Runs an enqueued task in the background, on any server: by the handler of its kind or, where the mutation has done its own
   * part, by `rest` here and by that handler elsewhere.
   */
  runInBackground(task: Task, rest?: DeclaredHandler): void;
  /** Leaves work to a task in the background, unless an equal task waits here. The change that the work is for must be stored already. */
  leaveToTask(kind: string, payload: Payload): Promise<void>;
  /** Whether a task is stored, and so not completed. */
  isStored(task: Task): Promise<boolean>;
  /** Begins to run tasks: those of this server and, unless it is alone, those of servers that have stopped, have crashed or have too much to do. */
  start(handlers: Handlers): void;
  /**
   * All tasks of all servers that are not completed, without what they are about: they may be 100,000. The answer may be `maxAge` milliseconds
   * old, 0 by default.
   */
  pending(maxAge?: number): Promise<readonly TaskHead[]>;
  /** The tasks of some kinds that are not completed, of all servers. The answer may be `maxAge` milliseconds old, 0 by default. */
  pendingOf(kinds: readonly string[], maxAge?: number): Promise<readonly Task[]>;
  /** Whether any task that is not completed is as `matches` says. It reads no more tasks than it must, some at a time. */
  hasPending(matches: (task: Task) => boolean): Promise<boolean>;
  /** How many tasks this server still has to complete, and when the oldest of them was created. */
  backlog(): { readonly tasks: number; readonly oldest: Date | null };
  /** Whether the queue can be used; null if there is none. */
  isQueueUp(): boolean | null;
  /** How many tasks of each kind the queue gave to this server after another delivery. */
  redelivered(): ReadonlyMap<string, number>;
  /** Calls back with each task that this server completes. */
  onCompleted(listener: (task: Task) => void): void;
  /** Resolves when this server has no task. */
  idle(): Promise<void>;
  /** Interrupts the running tasks and starts no more. Other servers complete them. */
  stop(): Promise<void>;
}

/**
 * Creates the outbox of a server. With a `queue`, servers share their tasks as they come. One that `isAlone` runs only tasks of its own, and has
 * no queue.
 */
export function createOutbox(
  database: Database,
  worker: Worker,
  logger: Logger,
  queue: TaskQueue | null = null,
  isAlone = false,
): Outbox {
  const stopping = new AbortController();
  const windows = createOutboxWindows(database, worker.number);
  const listeners = new Set<(task: Task) => void>();
  const removals = createRemovals(database);
  const complete = async (task: Task, remove = removals.now) => {
    await remove(removalOf(outbox, task, afterOtherClocks()));
    for (const listener of listeners) listener(task);
  };
  const background = createBackground(
    {
      ...{ database, worker, windows, queue, isAlone, logger },
      async complete(tasks) {
        const remove = tasks.length === 1 ? removals.now : removals.soon;
        await Promise.all(tasks.map((task) => complete(task, remove)));
      },
    },
    stopping.signal,
  );
  /** The tasks that were stored, as this server knows. */
  const stored = new WeakSet<Task>();
  const ending = new Set<Promise<void>>();
  /** Runs the short work that is left of a task. Completes the task, or runs the rest. If that fails, its handler runs. */
  const end = (task: Task, afterwards: Promise<void> | undefined, rest: DeclaredHandler | null) => {
    const ended = (afterwards ?? Promise.resolve())
      .then(async () => {
        if (rest) run(task, { rest, isSettled: true });
        else await complete(task, removals.soon);
      })
      .catch(() => {
        run(task);
      })
      .finally(() => ending.delete(ended));
    ending.add(ended);
  };
  /** The last read that succeeded, and when it began, on the clock of `performance.now()`. */
  let read: { readonly at: number; readonly tasks: readonly TaskHead[] } | undefined;
  const readNow = async () => {
    const at = performance.now();
    const tasks = await readPending(database);
    read = { at, tasks };
    return tasks;
  };
  const pending = async (maxAge = 0) => {
    if (maxAge > 0 && read !== undefined && read.at > performance.now() - maxAge) return read.tasks;
    return runShared(windows, 'pending', null, readNow);
  };

  const prepareTask = async (kind: string, payload: Payload) => {
    if (!background.accepts(kind)) throw new Error(`No handler runs tasks of the kind ${kind}.`);
    worker.requireLease();
    if (stopping.signal.aborted) throw serverCloses();
    const createdAt = new Date();
    const task = {
      ...(await windows.open(createdAt)),
      shard: Math.floor(Math.random() * OUTBOX_SHARDS),
      taskId: randomUUID(),
      kind,
      payload: JSON.stringify(payload),
      checkpoint: null,
      worker: worker.instance,
      createdAt,
    };
    return { task, write: writeOf(outbox, task) };
  };
  const enqueue = async ({ task, write: storing }: PreparedTask) => {
    await writeWithDeferred(database, storing);
    stored.add(task);
    await windows.reopenIfLate(task);
  };
  const run = (task: Task, options: RunOptions = {}) => {
    background.run(task, { ...options, mayBeUnstored: !stored.has(task) });
  };

  return {
    stopping: stopping.signal,
    prepareTask,
    enqueue,
    runInBackground: (task, rest) => {
      run(task, rest && { rest, isSettled: true });
    },
    async enqueueAndRun(kind, payload, work, { rest, afterwards } = {}) {
      const prepared = await prepareTask(kind, payload);
      const { task } = prepared;
      try {
        await enqueue(prepared);
        // If this server was paused until its lease ran out, another one may have run the task already and found nothing to do.
        worker.requireLease();
        const result = await work();
        const left = rest?.(result) ?? null;
        const isNeedless = left !== null && background.isNeedless(task, { rest: left });
        const remaining = isNeedless ? null : left;
        const short = afterwards?.(result);
        if (remaining && short === undefined) run(task, { rest: remaining, isSettled: true });
        else end(task, short, remaining);
        return result;
      } catch (error) {
        run(task);
        throw error;
      }
    },
    async leaveToTask(kind, payload) {
      if (background.isNeedless({ kind, payload: JSON.stringify(payload) })) return;
      const prepared = await prepareTask(kind, payload);
      try {
        await enqueue(prepared);
      } finally {
        run(prepared.task);
      }
    },
    async isStored(task) {
      const [row] = await readMany(database, outbox.get, [task]);
      return row != null && isTask(row);
    },
    start(handlers) {
      background.start(handlers);
    },
    pending,
    async pendingOf(kinds, maxAge) {
      const heads = (await pending(maxAge)).filter(({ kind }) => kinds.includes(kind));
      return await readWhole(database, heads);
    },
    async hasPending(matches) {
      for await (const tasks of readPendingInParts(database)) if (tasks.some(matches)) return true;
      return false;
    },
    backlog() {
      const tasks = background.tasks();
      const times = tasks.flatMap(({ createdAt }) => (createdAt ? [Number(createdAt)] : []));
      return { tasks: tasks.length, oldest: times.length === 0 ? null : new Date(Math.min(...times)) };
    },
    isQueueUp: () => queue && queue.isUp(),
    redelivered: () => queue?.redelivered() ?? new Map<string, number>(),
    onCompleted(listener) {
      listeners.add(listener);
    },
    async idle() {
      // Background work can run mutations, which end tasks.
      do {
        await Promise.all(ending);
        await background.idle();
      } while (ending.size > 0);
    },
    async stop() {
      stopping.abort();
      await background.stop();
      await Promise.all(ending);
    },
  };
}
