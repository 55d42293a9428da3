import { createFairSemaphore } from '../base/fair-semaphore';
import type { Database } from '../cassandra/database';
import { readMany } from '../reads/load';
import { outbox, type Task } from './outbox.table';
import { createMessageTurns } from './message-turns';
import { turnOf, type TaskMessage, type TaskQueue } from './task-queue';
import type { RunOptions, TaskRunner } from './task-runner';
import { isTask } from './task-rows';
import type { Worker } from './worker';

/** How long after its message, and after each look, a task is looked for in the outbox. */
const CHECK_AFTER_MS = 3000;
/** How many messages are published at once. */
const PUBLISHED_AT_ONCE = 100;
/** How many tasks are looked for at a time. */
const CHECKED_AT_ONCE = 100;
/** A message of a task that is still stored after this time is published again, even if others wait: it may have been lost. */
const LOST_AFTER_MS = 120_000;

/** Shares the tasks of a server with others through a queue, and runs those that the queue gives it. */
interface Sharing {
  start(): void;
  /** Lets any server run a task that is stored; runs it here if the queue is away. */
  run(task: Task, options: RunOptions): void;
  /** Publishes messages of tasks for anyone. */
  publish(tasks: readonly Task[]): void;
  /** Lets any server run a task of a server that is gone or silent; runs it here if the queue is away. */
  takeOver(task: Task, keepStored: boolean): void;
  /** Forgets tasks that other servers have completed, and publishes again what the queue has lost. */
  check(): Promise<void>;
  /** The tasks that this server has published, or will, and that are not known to be completed. */
  tasks(): readonly Task[];
  /** Grows whenever messages may be lost, or out of reach. */
  losses(): number;
}

interface Published {
  readonly task: Task;
  readonly options: RunOptions;
  /** When the last message was published, and when the task was last looked for, on the clock of `performance.now()`. */
  readonly since: number;
  readonly checkedAt: number;
}

/** The functions that sharing calls. */
interface SharingHost {
  /** Called with tasks that others have completed. */
  completed(this: void, taskId: string): void;
  /** Called with tasks for anyone that could not be published. */
  unsent(this: void, task: Task): void;
}

/** Creates the sharing of a server. */
export function createSharing(
  database: Database,
  worker: Worker,
  runner: TaskRunner,
  queue: TaskQueue,
  { completed, unsent }: SharingHost,
): Sharing {
  const published = new Map<string, Published>();
  /** Tasks that wait until fewer messages of their person are in the queue. */
  const held = new Map<string, Task>();
  const turns = createMessageTurns(() => worker.helpers() + 1);
  const { lanes } = runner;
  let losses = 0;
  /** When the queue has last begun anew: messages from before are gone. */
  let lostAt = -Infinity;
  let republished = 0;
  const publishing = createFairSemaphore(PUBLISHED_AT_ONCE);
  const publish = async (task: Task, options: RunOptions, id = task.taskId) => {
    await publishing.take();
    const isSent = await queue.publish({
      id,
      window: task.window,
      server: task.server,
      shard: task.shard,
      taskId: task.taskId,
      kind: task.kind,
      lane: runner.laneOf(task.kind, options),
      from: worker.instance,
      isSettled: options.isSettled ?? false,
      keepStored: options.keepStored ?? false,
    });
    publishing.release();
    return isSent;
  };
  /** Publishes a message when it is its person's turn. Resolves to false if the queue is away then. */
  const publishInTurn = async (task: Task, options: RunOptions, id?: string, whenItsTurn?: () => void) => {
    const { taskId, kind } = task;
    const owner = { lane: runner.laneOf(kind, options), person: runner.personOf(task, options) };
    // A task that waits for its turn need not ask for it twice.
    if (!(await turns.take(taskId, owner))) return true;
    whenItsTurn?.();
    const isSent = await publish(task, options, id);
    if (!isSent) turns.giveBack(taskId);
    return isSent;
  };
  /** Called when the queue is done with a message. */
  const finished = (taskMessage: TaskMessage) => {
    published.delete(taskMessage.taskId);
    turns.giveBack(taskMessage.taskId);
    if (taskMessage.from !== null && taskMessage.from !== worker.instance)
      queue.publishOutcome(taskMessage, 'completed');
  };
  const receive = async (taskMessage: TaskMessage, times: number) => {
    const own = times === 1 ? published.get(taskMessage.taskId) : undefined;
    const task = own?.task ?? (await readMany(database, outbox.get, [taskMessage]))[0] ?? null;
    // Another server has completed it.
    if (task === null || !isTask(task)) {
      finished(taskMessage);
      return true;
    }
    if (!runner.accepts(task.kind)) throw new Error(`No handler here runs tasks of the kind ${task.kind}.`);
    if (runner.has(task.taskId)) return false;
    const { isSettled, keepStored, lane } = taskMessage;
    const options = { rest: own?.options.rest, isSettled, keepStored, hasBegun: times > 1 };
    try {
      await runner.runOnce(task, options, lanes[lane], turnOf(taskMessage));
    } catch (error) {
      // It comes again. Meanwhile it holds up no other one.
      turns.giveBack(taskMessage.taskId);
      if (taskMessage.from !== null && taskMessage.from !== worker.instance)
        queue.publishOutcome(taskMessage, 'failed');
      throw error;
    }
    finished(taskMessage);
    return true;
  };
  /** Returns the tasks that are still stored, of some published ones that were not looked for lately. Forgets the others. */
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
        turns.giveBack(taskId);
        completed(taskId);
        return false;
      }
      if (isKnown) published.set(taskId, { ...one, checkedAt: now });
      return isKnown;
    });
  };
  const share = async (task: Task, options: RunOptions, id?: string) => {
    const { taskId } = task;
    published.delete(taskId);
    held.set(taskId, task);
    const isSent = await publishInTurn(task, options, id, () => {
      const now = performance.now();
      held.delete(taskId);
      published.set(taskId, { task, options, since: now, checkedAt: now });
    });
    if (isSent) return;
    published.delete(taskId);
    runner.run(task, options);
  };
  return {
    start() {
      queue.start({
        lanes,
        receive,
        ended(taskId, outcome) {
          turns.giveBack(taskId);
          if (outcome === 'failed') return;
          published.delete(taskId);
          completed(taskId);
        },
        interrupted(isAll) {
          losses++;
          if (isAll) lostAt = performance.now();
          turns.giveBackAll();
        },
      });
    },
    run(task, options) {
      void share(task, options);
    },
    publish(tasks) {
      for (const task of tasks)
        void publishInTurn(task, {}).then((isSent) => {
          if (!isSent) unsent(task);
        });
    },
    takeOver(task, keepStored) {
      // The server of the task may have published it, too. That message may be stuck, so this one has another id.
      const id = `${task.taskId} ${keepStored ? 'silent' : 'left'}`;
      void publishInTurn(task, { keepStored }, id).then((isSent) => {
        if (!isSent) runner.run(task, { keepStored });
      });
    },
    async check() {
      turns.giveBackOld((taskId) => published.has(taskId));
      const left = await stillStored();
      if (left.length === 0) return;
      // If the queue is away or empty, the messages of the tasks that are left were lost.
      const isEmpty = !queue.isUp() || (await queue.isEmpty());
      for (const { task, options, since } of left)
        if (isEmpty || since < lostAt || performance.now() - since > LOST_AFTER_MS)
          // The queue would take another message with the same id for the first one.
          await share(task, options, `${task.taskId} ${worker.instance} ${republished++}`);
    },
    tasks: () => [...held.values(), ...[...published.values()].map(({ task }) => task)],
    losses: () => losses,
  };
}
