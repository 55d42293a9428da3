import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { unavailable } from '../base/errors';
import type { Database, Write } from '../cassandra/database';
import { removalOf, writeOf } from '../data/write';
import type { Handler, Handlers } from './handler';
import { createOutboxWindows, type OutboxWindows } from './outbox-windows';
import { outbox, type Task } from './outbox.table';
import { OUTBOX_SHARDS, readPending, readTasks, readWindows } from './pending';
import { createTaskRunner, type TaskRunner } from './task-runner';
import type { Worker } from './worker';

/** A task that is not stored yet, and the write that stores it. */
export interface PreparedTask {
  readonly task: Task;
  readonly write: Write;
}

/** A job queue in the database: work is stored before it begins, so that any server completes what another one left. */
export interface Outbox {
  /** Aborted when this server ends: what takes long then throws, and is left for others to go on with. */
  readonly stopping: AbortSignal;
  /** Creates a task, to be stored by `enqueue`. Throws `UNAVAILABLE` once this server ends. */
  prepareTask(kind: string, payload: Readonly<Record<string, string>>): Promise<PreparedTask>;
  /** Stores a task, in one logged batch with the writes that make it necessary. */
  enqueue(prepared: PreparedTask, writes?: readonly Write[]): Promise<void>;
  /**
   * Stores a task, then does `act`. The task is complete with the act or, where `rest` gives something, with that, behind
   * the caller. If the act fails, the task's handler runs.
   */
  enqueueAndRun<T>(
    kind: string,
    payload: Readonly<Record<string, string>>,
    act: () => Promise<T>,
    rest?: (result: T) => Handler | null,
  ): Promise<T>;
  /** Runs a task behind the caller: by its handler, or by `rest` where only that is left to do. */
  runInBackground(task: Task, rest?: Handler): void;
  /** Begins to run tasks: this server's, and those of servers that are gone. */
  start(handlers: Handlers): void;
  /** All tasks that are not complete, of all servers, as of at most so many milliseconds ago. */
  pending(maxAge?: number): Promise<readonly Task[]>;
  /** How many tasks this server has to complete, and when the oldest of them was created. */
  load(): { readonly tasks: number; readonly oldest: Date | null };
  /** Calls back with each task that this server completes. */
  watch(listener: (task: Task) => void): void;
  /** Resolves when this server has no task. */
  idle(): Promise<void>;
  /** Interrupts the tasks of this server; another server runs them. */
  stop(): Promise<void>;
}

/** Milliseconds between two looks for tasks of servers that are gone. */
const SWEEP_EVERY_MS = 3000;

/** Creates the outbox of a server. */
export function createOutbox(database: Database, worker: Worker, logger: Logger): Outbox {
  const stopping = new AbortController();
  const windows = createOutboxWindows(database);
  const listeners = new Set<(task: Task) => void>();
  const write = ({ query, params }: Write) => database.write(query, params);
  const complete = async (task: Task) => {
    await write(removalOf(outbox, task));
    for (const listener of listeners) listener(task);
  };
  const checkpoint = (task: Task, progress: string) => write(writeOf(outbox, { ...task, progress }));
  const runner = createTaskRunner({ checkpoint, complete }, stopping.signal, logger);
  const sweeper = createSweeper(() => sweep(database, worker, windows, runner), logger);
  let read: { readonly at: number; readonly tasks: Promise<readonly Task[]> } | undefined;

  const prepareTask = async (kind: string, payload: Readonly<Record<string, string>>) => {
    worker.requireLease();
    if (stopping.signal.aborted) throw unavailable(new Error('this server is ending'));
    const createdAt = new Date();
    const task = {
      window: await windows.open(createdAt),
      part: Math.floor(Math.random() * OUTBOX_SHARDS),
      taskId: randomUUID(),
      kind,
      payload: JSON.stringify(payload),
      progress: null,
      worker: worker.instance,
      createdAt,
    };
    return { task, write: writeOf(outbox, task) };
  };
  const enqueue = async ({ task, write: storing }: PreparedTask, writes: readonly Write[] = []) => {
    if (writes.length === 0) await write(storing);
    else await database.batch([storing, windows.opening(task.window), ...writes], { logged: true });
    if (task.createdAt) await windows.reopenIfLate(task.window, task.createdAt);
  };

  return {
    stopping: stopping.signal,
    prepareTask,
    enqueue,
    runInBackground: (task, rest) => {
      runner.run(task, rest);
    },
    async enqueueAndRun(kind, payload, act, rest) {
      const prepared = await prepareTask(kind, payload);
      const { task } = prepared;
      try {
        await enqueue(prepared);
        // If this server was held up, another one may have run the task already, and found nothing to do.
        worker.requireLease();
        const result = await act();
        const left = rest?.(result);
        if (left) runner.run(task, left);
        // If this fails the handler runs, and finds nothing to do.
        else
          complete(task).catch(() => {
            runner.run(task);
          });
        return result;
      } catch (error) {
        runner.run(task);
        throw error;
      }
    },
    start(handlers) {
      runner.start(handlers);
      sweeper.start();
    },
    async pending(maxAge = 0) {
      if (read === undefined || read.at < Date.now() - maxAge)
        read = { at: Date.now(), tasks: readPending(database) };
      return read.tasks;
    },
    load() {
      const tasks = runner.tasks();
      const times = tasks.flatMap(({ createdAt }) => (createdAt ? [Number(createdAt)] : []));
      return { tasks: tasks.length, oldest: times.length === 0 ? null : new Date(Math.min(...times)) };
    },
    watch(listener) {
      listeners.add(listener);
    },
    idle: () => runner.idle(),
    async stop() {
      stopping.abort();
      await sweeper.stop();
      await runner.stop();
    },
  };
}

/** Runs the tasks of servers that are gone, and closes windows without tasks. One server of all does this. */
async function sweep(
  database: Database,
  worker: Worker,
  outboxWindows: OutboxWindows,
  runner: TaskRunner,
): Promise<void> {
  if (!(await worker.others()).isFirst) return;
  const began = Date.now();
  const windows = await readWindows(database);
  const tasks = await readTasks(database, windows);
  // Read after the tasks: a server that started since is among them.
  const { instances } = await worker.others();
  for (const task of tasks) if (!instances.has(task.worker ?? '')) runner.run(task);
  const busy = new Set(tasks.map(({ window }) => window));
  await outboxWindows.close(
    windows.filter((window) => !busy.has(window)),
    began,
  );
}

/** Repeats work at intervals, one after another, and logs when it begins to fail and when it succeeds again. */
function createSweeper(work: () => Promise<void>, logger: Logger) {
  let timer: NodeJS.Timeout | undefined;
  let sweeping = Promise.resolve();
  let isFailing = false;
  const look = () => {
    sweeping = sweeping.then(work).then(
      () => {
        if (isFailing) logger.info('tasks of other servers can be looked for again');
        isFailing = false;
      },
      (error: unknown) => {
        if (!isFailing) logger.warn({ err: error }, 'tasks of other servers cannot be looked for');
        isFailing = true;
      },
    );
  };
  return {
    start() {
      look();
      timer = setInterval(look, SWEEP_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await sweeping;
    },
  };
}
