import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Handler, Handlers, TaskRun } from './handler';
import { createLane, type Lane } from './lane';
import { splitIn } from './split';
import type { Task } from './outbox.table';

/** How many short tasks, and how many long ones, a server runs at once. */
const LANE_SIZES = { short: 8, long: 4 } as const;
/** A lane of tasks. */
export type LaneName = keyof typeof LANE_SIZES;

const FIRST_RETRY_PAUSE_MS = 500;
const MAX_RETRY_PAUSE_MS = 10_000;

/** How a task is run. */
export interface RunOptions {
  /** What is left to do, if the handler of the task's kind would do more than that. */
  readonly rest?: Handler | undefined;
  /** Whether the mutation that enqueued the task has done its own part. */
  readonly isSettled?: boolean;
  /** Whether the task stays stored when it has been run, because its server may only be slow. */
  readonly keepStored?: boolean;
  /** Whether a server has begun the task before. */
  readonly hasBegun?: boolean;
}

/** A task that a server has to run. */
interface QueuedTask {
  readonly task: Task;
  readonly options: RunOptions;
  /** When this server began to have it, on the clock of `performance.now()`. */
  readonly since: number;
  progress: string | null;
  failures: number;
}

/** Runs the tasks of a server in the background: at most eight short and four long ones at a time. */
export interface TaskRunner {
  /** Begins to run tasks; those that were given before wait until then. */
  start(handlers: Handlers): void;
  /** Runs a task. One that fails is retried. Does nothing if the server has the task already. */
  run(task: Task, options?: RunOptions): void;
  /** Runs a task once, in room that the caller has taken in its lane. Throws what its handler throws. */
  runOnce(task: Task, options: RunOptions, lane: Lane): Promise<void>;
  /** Whether tasks of a kind can run here; true until the handlers are known. */
  accepts(kind: string): boolean;
  /** The lane in which a task runs. */
  laneOf(kind: string, options?: RunOptions): LaneName;
  /** The room for tasks. */
  readonly lanes: Readonly<Record<LaneName, Lane>>;
  /** For how many more tasks there is room in a lane. None before the start, and none once the server stops. */
  free(lane: LaneName): number;
  /** Whether the server has a task. */
  has(taskId: string): boolean;
  /** The tasks that are running, waiting to run, or waiting to be retried. */
  tasks(): readonly Task[];
  /** The tasks that wait for room. */
  waiting(): readonly QueuedTask[];
  /** Takes back a task that waits for room. Returns false if it has begun. */
  withdraw(queued: QueuedTask): boolean;
  /** Resolves when there are no tasks. */
  idle(): Promise<void>;
  /** Starts no further task, and resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/** Where a runner stores what becomes of tasks. */
export interface TaskStore {
  checkpoint(task: Task, progress: string): Promise<void>;
  complete(task: Task): Promise<void>;
  /** How many other servers there are. */
  helpers(): number;
  /** Called when there is room for another task. */
  roomFreed(): void;
  /** Does what `TaskRun.split` says; `waitOutside` waits without taking room in the lane. */
  split(queued: QueuedTask, waitOutside: WaitOutside, ...split: Parameters<TaskRun['split']>): Promise<void>;
}

type WaitOutside = TaskRun['waitOutside'];

/** Creates a task runner. `stopping` is aborted when the server stops: tasks that fail after that are left to other servers. */
export function createTaskRunner(store: TaskStore, stopping: AbortSignal, logger: Logger): TaskRunner {
  let handlers: Handlers | undefined;
  const lanes = { short: createLane(LANE_SIZES.short), long: createLane(LANE_SIZES.long) };
  const known = new Map<string, Task>();
  const waiting = new Set<QueuedTask>();
  const running = new Set<Promise<void>>();
  const unknownKinds = new Set<string | null>();
  /** Logs once that tasks of a kind wait for a server that can run them. */
  const reportUnknown = (kind: string | null) => {
    if (!unknownKinds.has(kind)) logger.error({ kind }, 'no handler runs tasks of this kind');
    unknownKinds.add(kind);
  };
  const handlerOf = (kind: string, { rest }: RunOptions) => rest ?? handlers?.[kind];
  const laneOf = (kind: string, options: RunOptions = {}) =>
    handlerOf(kind, options)?.isLong ? 'long' : 'short';

  const attempt = async (queued: QueuedTask, lane: Lane) => {
    const { task, options } = queued;
    const handler = handlerOf(task.kind, options);
    if (handler === undefined) {
      reportUnknown(task.kind);
      return;
    }
    const waitOutside: WaitOutside = async (event) => {
      lane.release();
      store.roomFreed();
      try {
        await event;
      } finally {
        lane.retake();
      }
    };
    const hasSplit = splitIn(queued.progress) !== null;
    await handler(payloadOf(task), {
      createdAt: task.createdAt ?? new Date(0),
      progress: hasSplit ? null : queued.progress,
      hasSplit,
      helpers: store.helpers(),
      isSettled: options.isSettled ?? false,
      waitedMs: waitedMs(queued),
      async checkpoint(progress) {
        queued.progress = progress;
        await store.checkpoint(task, progress);
      },
      split: (...split) => store.split(queued, waitOutside, ...split),
      waitOutside,
    });
    if (!options.keepStored) await store.complete(task);
  };
  const queuedOf = (task: Task, options: RunOptions): QueuedTask => ({
    task,
    options,
    since: performance.now(),
    progress: task.progress,
    failures: 0,
  });
  /** Waits for room in the task's lane and runs it. One that fails waits for its retry outside. */
  const runInLane = async (queued: QueuedTask) => {
    const { task, options } = queued;
    const lane = lanes[laneOf(task.kind, options)];
    waiting.add(queued);
    await lane.take();
    // It may have been withdrawn meanwhile.
    const isOurs = waiting.delete(queued) && !stopping.aborted;
    const ended = (isOurs ? attempt(queued, lane) : Promise.resolve()).then(
      () => {
        if (isOurs) known.delete(task.taskId);
      },
      (error: unknown) => {
        if (stopping.aborted) return;
        logger.warn(
          // Not the payload: it may be what people have written.
          { err: error, kind: task.kind, taskId: task.taskId },
          'a task failed and will be retried',
        );
        const pause = Math.min(FIRST_RETRY_PAUSE_MS * 2 ** queued.failures++, MAX_RETRY_PAUSE_MS);
        setTimeout(() => void runInLane(queued), pause).unref();
      },
    );
    running.add(ended);
    await ended;
    running.delete(ended);
    lane.release();
    store.roomFreed();
  };
  const given: QueuedTask[] = [];

  return {
    start(all) {
      handlers = all;
      for (const queued of given.splice(0)) void runInLane(queued);
    },
    run(task, options = {}) {
      if (known.has(task.taskId) || stopping.aborted) return;
      known.set(task.taskId, task);
      if (handlers === undefined) given.push(queuedOf(task, options));
      else void runInLane(queuedOf(task, options));
    },
    async runOnce(task, options, lane) {
      known.set(task.taskId, task);
      const ended = attempt(queuedOf(task, options), lane).finally(() => known.delete(task.taskId));
      const quiet = ended.catch(() => undefined);
      running.add(quiet);
      await quiet;
      running.delete(quiet);
      await ended;
    },
    accepts: (kind) => handlers === undefined || kind in handlers,
    laneOf,
    lanes,
    free: (lane) => (handlers === undefined || stopping.aborted ? 0 : lanes[lane].free()),
    has: (taskId) => known.has(taskId),
    tasks: () => [...known.values()],
    waiting: () => [...waiting],
    withdraw(queued) {
      const isOurs = waiting.delete(queued);
      if (isOurs) known.delete(queued.task.taskId);
      return isOurs;
    },
    async idle() {
      while (known.size > 0) await Promise.race([...running, sleep(50)]);
    },
    async stop() {
      given.length = 0;
      waiting.clear();
      await Promise.all(running);
    },
  };
}

/** The payload of a task. */
function payloadOf({ payload }: Task): Readonly<Record<string, string>> {
  return JSON.parse(payload ?? '{}') as Readonly<Record<string, string>>;
}

function waitedMs({ task, options, failures, progress }: QueuedTask): number {
  if (options.hasBegun || failures > 0 || progress !== null || task.createdAt === null) return 0;
  // While no server ran, all tasks waited, which does not show that there are too many.
  return Math.max(0, Math.min(Date.now() - Number(task.createdAt), performance.now()));
}
