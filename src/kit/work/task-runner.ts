import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { FairSemaphore } from '../base/fair-semaphore';
import {
  NOBODY,
  type DeclaredHandler,
  type Handlers,
  type Payload,
  type TaskRun,
  type Work,
} from './handler';
import { createLanes, type LaneName, type Lanes } from './lane';
import { splitIn } from './split';
import type { Task } from './outbox.table';

const FIRST_RETRY_PAUSE_MS = 500;
const MAX_RETRY_PAUSE_MS = 10_000;
/** How long after such a task has ended the next one of those that are the same begins: more may come, and join it. */
const SAME_PAUSE_MS = 5000;

/** The options of a task's run. */
export interface RunOptions {
  /** The work that is left to do, if the handler of the task's kind would do more than that. */
  readonly rest?: DeclaredHandler | undefined;
  /** Whether the mutation that enqueued the task has done its own part. */
  readonly isSettled?: boolean;
  /** Whether the task stays stored when it has been run, because its server may only be slow. */
  readonly keepStored?: boolean;
  /** Whether storing the task has failed, so that perhaps nobody runs it if this server crashes. */
  readonly mayBeUnstored?: boolean;
  /** Whether a server has begun the task before. */
  readonly hasBegun?: boolean;
}

/** A task that a server has to run. */
interface QueuedTask {
  readonly task: Task;
  readonly options: RunOptions;
  /** When this server began to have it, on the clock of `performance.now()`. */
  readonly since: number;
  checkpoint: string | null;
  failures: number;
  /** Tasks that are the same as this one: see `Work.sameAs`. They are completed with it. */
  readonly joined: Task[];
  /** Whether the mutations of the task and of those that joined it have done their own part. */
  isSettled: boolean;
}

/** Runs the tasks of a server in the background, each in its lane. */
export interface TaskRunner {
  /** Begins to run tasks; those that were given before wait until then. */
  start(handlers: Handlers): void;
  /** Runs a task. One that fails is retried. Does nothing if the server has the task already. */
  run(task: Task, options?: RunOptions): void;
  /** Runs a task once, in room that the caller has taken in its lane, for a person. Throws what its handler throws. */
  runOnce(task: Task, options: RunOptions, lane: FairSemaphore, person?: string): Promise<void>;
  /** Whether tasks of a kind can run here; true until the handlers are known. */
  accepts(kind: string): boolean;
  /** The lane in which a task runs. */
  laneOf(kind: string, options?: RunOptions): LaneName;
  /** The person whose task it is; undefined if it is nobody's. */
  personOf(task: Task, options?: RunOptions): string | undefined;
  /** Whether several tasks of this sort may be one. Only the server that has them sees that. */
  mayBeJoined(kind: string, options?: RunOptions): boolean;
  /** The task that waits here and has not begun, and is the same as one that is not stored or need not stay stored; null if none is. */
  sameWaiting(task: Pick<Task, 'kind' | 'payload'>, options?: RunOptions): QueuedTask | null;
  /** The room for tasks. */
  readonly lanes: Lanes;
  /** The number of further tasks for which a lane has room: none before the start, and none once the server stops. */
  free(lane: LaneName): number;
  /** Whether the server has a task. */
  has(taskId: string): boolean;
  /** The tasks that are running, waiting to run, or waiting to be retried. */
  tasks(): readonly Task[];
  /** The tasks that wait for room. */
  waiting(): readonly QueuedTask[];
  /** Takes back a task that waits for room. Returns false if it has begun, or others have joined it. */
  withdraw(queued: QueuedTask): boolean;
  /** Resolves when there are no tasks. */
  idle(): Promise<void>;
  /** Starts no further task, and resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/** The store of the progress and the end of tasks. */
export interface TaskStore {
  checkpoint(task: Task, checkpoint: string): Promise<void>;
  complete(tasks: readonly Task[]): Promise<void>;
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
  const lanes = createLanes();
  const known = new Map<string, Task>();
  const waiting = new Set<QueuedTask>();
  /** The tasks that others may join, because they have not begun, by what they are the same as. */
  const joinable = new Map<string, QueuedTask>();
  /** The equal tasks that have begun, for which later ones wait. */
  const begun = new Map<string, Promise<void>>();
  const running = new Set<Promise<unknown>>();
  const unknownKinds = new Set<string | null>();
  /** Logs once that tasks of a kind wait for a server that can run them. */
  const reportUnknown = (kind: string | null) => {
    if (!unknownKinds.has(kind)) logger.error({ kind }, 'no handler runs tasks of this kind');
    unknownKinds.add(kind);
  };
  const handlerOf = (kind: string, { rest }: RunOptions) => rest ?? handlers?.[kind];
  const workOf = (kind: string, options: RunOptions = {}): Work => handlerOf(kind, options)?.work ?? UNKNOWN;

  const personOf = (task: Task, options?: RunOptions) =>
    workOf(task.kind, options).person(parsePayload(task));
  const attempt = async (queued: QueuedTask, lane: FairSemaphore, person?: string) => {
    const { task, options } = queued;
    const handler = handlerOf(task.kind, options);
    if (handler === undefined) {
      reportUnknown(task.kind);
      return;
    }
    const waitOutside: WaitOutside = async (event) => {
      lane.release({ person });
      store.roomFreed();
      try {
        await event;
      } finally {
        lane.retake({ person });
      }
    };
    const hasSplit = splitIn(queued.checkpoint) !== null;
    await handler(parsePayload(task), {
      createdAt: task.createdAt ?? new Date(0),
      checkpoint: hasSplit ? null : queued.checkpoint,
      hasSplit,
      helpers: store.helpers(),
      isSettled: queued.isSettled,
      waitedMs: waitedMs(queued),
      async saveCheckpoint(checkpoint) {
        queued.checkpoint = checkpoint;
        await store.checkpoint(task, checkpoint);
        if (handler.work.lane === 'growing') await lane.takeTurns({ person });
      },
      split: (...split) => store.split(queued, waitOutside, ...split),
      waitOutside,
    });
    if (!options.keepStored) await store.complete([task, ...queued.joined]);
  };
  const queuedOf = (task: Task, options: RunOptions): QueuedTask => ({
    task,
    options,
    since: performance.now(),
    checkpoint: task.checkpoint,
    failures: 0,
    joined: [],
    isSettled: options.isSettled ?? false,
  });
  /** Lets a task be completed with the same one that waits. Resolves to false if none does: others may then join this one. */
  const join = (queued: QueuedTask, name: string): boolean => {
    const first = joinable.get(name);
    if (first === undefined) {
      joinable.set(name, queued);
      return false;
    }
    first.joined.push(queued.task, ...queued.joined);
    first.isSettled &&= queued.isSettled;
    return true;
  };
  const cannotBeJoined = (queued: QueuedTask) => {
    const name = describeRun(queued.task, queued.options, workOf(queued.task.kind, queued.options));
    if (name !== null && joinable.get(name) === queued) joinable.delete(name);
  };
  /** Lets the tasks that are equal to a running one wait for its end, and for more of them. */
  const holdBack = (name: string, ended: Promise<boolean>) => {
    const until = ended.then(async (isDone) => {
      if (isDone) await sleep(SAME_PAUSE_MS, undefined, { ref: false });
      if (begun.get(name) === until) begun.delete(name);
    });
    begun.set(name, until);
  };
  /** Waits for room in the task's lane and runs it. One that fails waits for its retry outside. */
  const runInLane = async (queued: QueuedTask) => {
    const { task, options } = queued;
    const work = workOf(task.kind, options);
    const name = describeRun(task, options, work);
    if (name !== null) {
      // One that was interrupted goes on at its checkpoint, so it would not see all that the others are for.
      if (queued.checkpoint === null && join(queued, name)) return;
      await begun.get(name);
    }
    const lane = lanes[work.lane];
    const person = personOf(task, options);
    waiting.add(queued);
    await lane.take({ person });
    cannotBeJoined(queued);
    // It may have been withdrawn meanwhile.
    const isOurs = waiting.delete(queued) && !stopping.aborted;
    if (isOurs && name !== null && begun.has(name)) {
      // An equal one, which it could not join, has begun meanwhile.
      lane.release({ person });
      await runInLane(queued);
      return;
    }
    const ended = (isOurs ? attempt(queued, lane, person) : Promise.resolve()).then(
      () => {
        if (isOurs) for (const { taskId } of [task, ...queued.joined]) known.delete(taskId);
        return true;
      },
      (error: unknown) => {
        if (stopping.aborted) return false;
        logger.warn(
          // The payload is not logged, because people may have written it.
          { err: error, kind: task.kind, taskId: task.taskId },
          'a task failed and will be retried',
        );
        const pause = Math.min(FIRST_RETRY_PAUSE_MS * 2 ** queued.failures++, MAX_RETRY_PAUSE_MS);
        setTimeout(() => void runInLane(queued), pause).unref();
        return false;
      },
    );
    if (isOurs && name !== null) holdBack(name, ended);
    running.add(ended);
    await ended;
    running.delete(ended);
    lane.release({ person });
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
    async runOnce(task, options, lane, person) {
      known.set(task.taskId, task);
      const ended = attempt(queuedOf(task, options), lane, person).finally(() => known.delete(task.taskId));
      const quiet = ended.catch(() => undefined);
      running.add(quiet);
      await quiet;
      running.delete(quiet);
      await ended;
    },
    accepts: (kind) => handlers === undefined || kind in handlers,
    laneOf: (kind, options) => workOf(kind, options).lane,
    personOf,
    mayBeJoined: (kind, options) => workOf(kind, options).sameAs !== undefined,
    sameWaiting(task, options = {}) {
      const name = describeRun(task, options, workOf(task.kind, options));
      return (name !== null && joinable.get(name)) || null;
    },
    lanes,
    free: (lane) => (handlers === undefined || stopping.aborted ? 0 : lanes[lane].free()),
    has: (taskId) => known.has(taskId),
    tasks: () => [...known.values()],
    waiting: () => [...waiting],
    withdraw(queued) {
      if (queued.joined.length > 0) return false;
      const isOurs = waiting.delete(queued);
      if (isOurs) known.delete(queued.task.taskId);
      cannotBeJoined(queued);
      return isOurs;
    },
    async idle() {
      while (known.size > 0) await Promise.race([...running, sleep(50)]);
    },
    async stop() {
      given.length = 0;
      waiting.clear();
      joinable.clear();
      await Promise.all(running);
    },
  };
}

/** A task that no handler runs. */
const UNKNOWN: Work = { lane: 'short', rows: 0, person: NOBODY };

/**
 * Returns the name that equal tasks share; null if a task is one of its own. A task that stays stored cannot complete one that does not.
 */
function describeRun(
  task: Pick<Task, 'kind' | 'payload'>,
  { keepStored }: RunOptions,
  { sameAs }: Work,
): string | null {
  return sameAs === undefined
    ? null
    : `${task.kind} ${keepStored ? 'kept ' : ''}${sameAs(parsePayload(task))}`;
}

/** The payload of a task. */
function parsePayload({ payload }: Pick<Task, 'payload'>): Payload {
  return JSON.parse(payload ?? '{}') as Payload;
}

function waitedMs({ task, options, failures, checkpoint }: QueuedTask): number {
  if (options.hasBegun || failures > 0 || checkpoint !== null || task.createdAt === null) return 0;
  // While no server ran, all tasks waited, which does not show that there are too many.
  return Math.max(0, Math.min(Date.now() - Number(task.createdAt), performance.now()));
}
