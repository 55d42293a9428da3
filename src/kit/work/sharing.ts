import type { Database } from '../cassandra/database';
import { readMany } from '../data/load';
import { createLane } from './lane';
import { outbox, type Task } from './outbox.table';
import type { Delivery, Hint, TaskQueue } from './task-queue';
import { LANE_SIZES, type RunOptions, type TaskRunner } from './task-runner';
import { isWhole } from './task-rows';
import type { Worker } from './worker';

/** How long after its hint a task is looked for in the outbox. */
const CHECK_AFTER_MS = 3000;
/** How many tasks are looked for at a time. */
const CHECKED_AT_ONCE = 1000;

/** Shares the tasks of a server with others through a queue, and runs those that the queue gives it. */
export interface Sharing {
  start(): void;
  /** Lets any server run a task that is stored; runs it here if the queue is away. */
  run(task: Task, options: RunOptions): void;
  /** Publishes hints of tasks. Resolves to the tasks for which that was not possible. */
  hint(tasks: readonly Task[]): Promise<readonly Task[]>;
  /** Lets any server run a task of a server that is gone or silent. Returns false if the queue is away. */
  takeOver(task: Task, stays: boolean): boolean;
  /** Forgets tasks that other servers have completed, and publishes again what the queue has lost. */
  check(): Promise<void>;
  /** The tasks that this server has published and that are not known to be completed. */
  tasks(): readonly Task[];
  /** Grows whenever the queue may have lost hints. */
  losses(): number;
}

interface Published {
  readonly task: Task;
  readonly options: RunOptions;
  readonly since: number;
}

/** Creates the sharing of a server. `completed` is called with tasks that others have completed. */
export function createSharing(
  database: Database,
  worker: Worker,
  runner: TaskRunner,
  queue: TaskQueue,
  completed: (taskId: string) => void,
): Sharing {
  const published = new Map<string, Published>();
  const lanes = { short: createLane(LANE_SIZES.short), long: createLane(LANE_SIZES.long) };
  let losses = 0;
  const publish = (task: Task, options: RunOptions, id = task.taskId) =>
    queue.publish({
      id,
      window: task.window,
      part: task.part,
      taskId: task.taskId,
      kind: task.kind,
      lane: runner.laneOf(task.kind, options),
      from: worker.instance,
      isSettled: options.isSettled ?? false,
      stays: options.stays ?? false,
    });
  const receive = async (hint: Hint, { waitedMs, times }: Delivery) => {
    const own = times === 1 ? published.get(hint.taskId) : undefined;
    const task = own?.task ?? (await readMany(database, outbox.get, [hint]))[0] ?? null;
    // Another server has completed it.
    if (task === null || !isWhole(task)) return;
    if (!runner.accepts(task.kind)) throw new Error(`No handler here runs tasks of the kind ${task.kind}.`);
    if (runner.has(task.taskId)) throw new Error(`This server runs task ${task.taskId} already.`);
    const { isSettled, stays, lane } = hint;
    await runner.runOnce(task, { rest: own?.options.rest, isSettled, stays, waitedMs }, lanes[lane]);
    published.delete(hint.taskId);
    if (hint.from !== null && hint.from !== worker.instance) queue.tellCompleted(hint);
  };
  /** The published tasks that are still stored, of those that were published some time ago. Forgets the others. */
  const stillStored = async (afterMs: number) => {
    const old = [...published.values()].filter(({ since }) => performance.now() - since >= afterMs);
    const checked = old.slice(0, CHECKED_AT_ONCE);
    const rows = await readMany(
      database,
      outbox.get,
      checked.map(({ task }) => task),
    );
    return checked.filter(({ task: { taskId } }, index) => {
      const row = rows[index];
      if (row != null && isWhole(row)) return true;
      published.delete(taskId);
      completed(taskId);
      return false;
    });
  };
  const share = async (task: Task, options: RunOptions) => {
    published.set(task.taskId, { task, options, since: performance.now() });
    if (await publish(task, options)) return;
    published.delete(task.taskId);
    runner.run(task, options);
  };
  return {
    start() {
      queue.start({
        lanes,
        receive,
        completed(taskId) {
          published.delete(taskId);
          completed(taskId);
        },
        lost() {
          losses++;
        },
      });
    },
    run(task, options) {
      void share(task, options);
    },
    async hint(tasks) {
      const unsent: Task[] = [];
      for (const task of tasks) if (!(await publish(task, {}))) unsent.push(task);
      return unsent;
    },
    takeOver(task, stays) {
      if (!queue.isUp()) return false;
      // The server may have published it before it was gone: then the first hint is enough, unless it gets stuck.
      void publish(task, { stays }, stays ? task.taskId : `${task.taskId} left`).then((sent) => {
        if (!sent) runner.run(task, { stays });
      });
      return true;
    },
    async check() {
      if (published.size === 0) return;
      const left = await stillStored(CHECK_AFTER_MS);
      if (left.length === 0) return;
      // Where the queue is away or has nothing, what is left was lost.
      if (queue.isUp() && !(await queue.isEmpty())) return;
      for (const { task, options } of left) {
        published.delete(task.taskId);
        await share(task, options);
      }
    },
    tasks: () => [...published.values()].map(({ task }) => task),
    losses: () => losses,
  };
}
