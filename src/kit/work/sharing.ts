import type { Database } from '../cassandra/database';
import { readMany } from '../reads/load';
import { outbox, type Task } from './outbox.table';
import type { Hint, TaskQueue } from './task-queue';
import type { RunOptions, TaskRunner } from './task-runner';
import { isTask } from './task-rows';
import type { Worker } from './worker';

/** How long after its hint, and after each look, a task is looked for in the outbox. */
const CHECK_AFTER_MS = 3000;
/** How many tasks are looked for at a time. */
const CHECKED_AT_ONCE = 100;
/** A hint of a task that is still stored after this time is published again, even if others wait: it may have been lost. */
const LOST_AFTER_MS = 120_000;

/** Shares the tasks of a server with others through a queue, and runs those that the queue gives it. */
interface Sharing {
  start(): void;
  /** Lets any server run a task that is stored; runs it here if the queue is away. */
  run(task: Task, options: RunOptions): void;
  /** Publishes hints of tasks. Resolves to the tasks for which that was not possible. */
  hint(tasks: readonly Task[]): Promise<readonly Task[]>;
  /** Lets any server run a task of a server that is gone or silent. Resolves to false if the queue is away. */
  takeOver(task: Task, keepStored: boolean): Promise<boolean>;
  /** Forgets tasks that other servers have completed, and publishes again what the queue has lost. */
  check(): Promise<void>;
  /** The tasks that this server has published and that are not known to be completed. */
  tasks(): readonly Task[];
  /** Grows whenever hints may be lost, or out of reach. */
  losses(): number;
}

interface Published {
  readonly task: Task;
  readonly options: RunOptions;
  /** When the last hint was published, and when the task was last looked for, on the clock of `performance.now()`. */
  readonly since: number;
  readonly checkedAt: number;
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
  const { lanes } = runner;
  let losses = 0;
  /** When the queue has last begun anew: hints from before are gone. */
  let lostAt = -Infinity;
  let republished = 0;
  const publish = (task: Task, options: RunOptions, id = task.taskId) =>
    queue.publish({
      id,
      window: task.window,
      shard: task.shard,
      taskId: task.taskId,
      kind: task.kind,
      lane: runner.laneOf(task.kind, options),
      from: worker.instance,
      isSettled: options.isSettled ?? false,
      keepStored: options.keepStored ?? false,
    });
  const receive = async (hint: Hint, times: number) => {
    const own = times === 1 ? published.get(hint.taskId) : undefined;
    const task = own?.task ?? (await readMany(database, outbox.get, [hint]))[0] ?? null;
    // Another server has completed it.
    if (task === null || !isTask(task)) return true;
    if (!runner.accepts(task.kind)) throw new Error(`No handler here runs tasks of the kind ${task.kind}.`);
    if (runner.has(task.taskId)) return false;
    const { isSettled, keepStored, lane } = hint;
    await runner.runOnce(
      task,
      { rest: own?.options.rest, isSettled, keepStored, hasBegun: times > 1 },
      lanes[lane],
    );
    published.delete(hint.taskId);
    if (hint.from !== null && hint.from !== worker.instance) queue.publishCompleted(hint);
    return true;
  };
  /** Those published tasks that are still stored, of some that were not looked for lately. Forgets the others. */
  const stillStored = async () => {
    const now = performance.now();
    const checked: Published[] = [];
    // The first were looked for the longest time ago.
    for (const one of published.values()) {
      if (checked.length >= CHECKED_AT_ONCE || now - one.checkedAt < CHECK_AFTER_MS) break;
      checked.push(one);
    }
    const rows = await readMany(
      database,
      outbox.get,
      checked.map(({ task }) => task),
    );
    return checked.filter((one, index) => {
      const { taskId } = one.task;
      const isKnown = published.delete(taskId);
      const row = rows[index];
      if (row == null || !isTask(row)) {
        completed(taskId);
        return false;
      }
      if (isKnown) published.set(taskId, { ...one, checkedAt: now });
      return isKnown;
    });
  };
  const share = async (task: Task, options: RunOptions, id = task.taskId) => {
    const now = performance.now();
    published.delete(task.taskId);
    published.set(task.taskId, { task, options, since: now, checkedAt: now });
    if (await publish(task, options, id)) return;
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
        interrupted(isAll) {
          losses++;
          if (isAll) lostAt = performance.now();
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
    // Its server may have published it, too. That hint, which may be stuck, has another id.
    takeOver: (task, keepStored) =>
      publish(task, { keepStored }, `${task.taskId} ${keepStored ? 'silent' : 'left'}`),
    async check() {
      const left = await stillStored();
      if (left.length === 0) return;
      // Where the queue is away or has nothing, what is left was lost.
      const isEmpty = !queue.isUp() || (await queue.isEmpty());
      for (const { task, options, since } of left)
        if (isEmpty || since < lostAt || performance.now() - since > LOST_AFTER_MS)
          // The queue would take another hint with the same id for the first one.
          await share(task, options, `${task.taskId} ${worker.instance} ${republished++}`);
    },
    tasks: () => [...published.values()].map(({ task }) => task),
    losses: () => losses,
  };
}
