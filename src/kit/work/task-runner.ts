import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Handler, Handlers } from './handler';
import type { Task } from './outbox.table';

const MAX_TASKS_AT_ONCE = 8;
const MAX_LONG_TASKS_AT_ONCE = 4;
const FIRST_RETRY_PAUSE_MS = 500;
const MAX_RETRY_PAUSE_MS = 10_000;

/** Runs the tasks of a server in the background: at most eight at a time, of which four may be long. */
export interface TaskRunner {
  /** Begins to run tasks; those that were given before wait until then. */
  start(handlers: Handlers): void;
  /** Runs a task by the handler of its kind, or by `rest` if only that is left to do. Does nothing if it has the task already. */
  run(task: Task, rest?: Handler): void;
  /** Whether tasks of a kind can run here; true until the handlers are known. */
  accepts(kind: string): boolean;
  /** The tasks that are running, waiting to run, or waiting to be retried. */
  tasks(): readonly Task[];
  /** Resolves when there are no tasks. */
  idle(): Promise<void>;
  /** Starts no further task, and resolves when the running ones have ended. */
  stop(): Promise<void>;
}

interface QueuedTask {
  readonly task: Task;
  readonly rest: Handler | undefined;
  progress: string | null;
  failures: number;
}

/** Where a runner stores the checkpoints and completions of tasks. */
export interface TaskStore {
  checkpoint(task: Task, progress: string): Promise<void>;
  complete(task: Task): Promise<void>;
}

/** Creates a task runner. `stopping` is aborted when the server stops: tasks that fail after that are left to other servers. */
export function createTaskRunner(store: TaskStore, stopping: AbortSignal, logger: Logger): TaskRunner {
  let handlers: Handlers | undefined;
  const known = new Map<string, Task>();
  const waiting: QueuedTask[] = [];
  const running = new Map<QueuedTask, Promise<void>>();
  const unknownKinds = new Set<string | null>();
  /** Logs once that tasks of a kind wait for a server that can run them. */
  const reportUnknown = (kind: string | null) => {
    if (!unknownKinds.has(kind)) logger.error({ kind }, 'no handler runs tasks of this kind');
    unknownKinds.add(kind);
  };
  const handlerOf = ({ task, rest }: QueuedTask) => rest ?? handlers?.[task.kind];
  const isLong = (queued: QueuedTask) => handlerOf(queued)?.isLong ?? false;

  /** Runs a task. One that fails waits for its retry without delaying others. */
  const run = async (queued: QueuedTask) => {
    const { task } = queued;
    const handler = handlerOf(queued);
    if (handler === undefined) {
      reportUnknown(task.kind);
      known.delete(task.taskId);
      return;
    }
    const payload = JSON.parse(task.payload ?? '{}') as Readonly<Record<string, string>>;
    try {
      await handler(payload, {
        createdAt: task.createdAt ?? new Date(0),
        progress: queued.progress,
        async checkpoint(progress) {
          queued.progress = progress;
          await store.checkpoint(task, progress);
        },
      });
      await store.complete(task);
      known.delete(task.taskId);
    } catch (error) {
      if (stopping.aborted) return;
      logger.warn({ err: error, kind: task.kind, payload }, 'a task failed and will be retried');
      const pause = Math.min(FIRST_RETRY_PAUSE_MS * 2 ** queued.failures++, MAX_RETRY_PAUSE_MS);
      setTimeout(() => {
        waiting.push(queued);
        runNext();
      }, pause).unref();
    }
  };
  const runNext = () => {
    while (handlers !== undefined && running.size < MAX_TASKS_AT_ONCE && !stopping.aborted) {
      const long = [...running.keys()].filter(isLong).length;
      const index = waiting.findIndex((queued) => long < MAX_LONG_TASKS_AT_ONCE || !isLong(queued));
      const [queued] = index < 0 ? [] : waiting.splice(index, 1);
      if (queued === undefined) return;
      const ended = run(queued).finally(() => {
        running.delete(queued);
        runNext();
      });
      running.set(queued, ended);
    }
  };

  return {
    start(given) {
      handlers = given;
      runNext();
    },
    run(task, rest) {
      if (known.has(task.taskId) || stopping.aborted) return;
      known.set(task.taskId, task);
      waiting.push({ task, rest, progress: task.progress, failures: 0 });
      runNext();
    },
    accepts: (kind) => handlers === undefined || kind in handlers,
    tasks: () => [...known.values()],
    async idle() {
      while (known.size > 0) await Promise.race([...running.values(), sleep(50)]);
    },
    async stop() {
      waiting.length = 0;
      await Promise.all(running.values());
    },
  };
}
