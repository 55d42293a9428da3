import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { pauseOfReaders } from '../base/pace';
import type { Repeated } from '../base/run-every';
import type { Database } from '../cassandra/database';
import { createChunks } from './chunks';
import type { Handlers } from './handler';
import { LANES } from './lane';
import { createOffers } from './offers';
import type { OutboxWindows } from './outbox-windows';
import type { Task } from './outbox.table';
import { createSharing } from './sharing';
import { createSweep, startSweeper } from './sweep';
import type { TaskQueue } from './task-queue';
import { releaseTask, storeCheckpoint } from './task-rows';
import { createTaskRunner, type RunOptions } from './task-runner';
import { LOOK_EVERY_MS, type Others, type Worker } from './worker';

/** A task that has waited this long for room is offered to servers that have nothing to do. */
const OFFER_AFTER_MS = 1000;
/** How many tasks are offered at a time for each server without tasks. */
const OFFERED_AT_ONCE = 50;

/** The services and identity of a server whose work runs in the background. */
interface BackgroundHost {
  readonly database: Database;
  readonly worker: Worker;
  readonly windows: OutboxWindows;
  /** Null where servers share tasks only through the database. */
  readonly queue: TaskQueue | null;
  /** Whether it runs only tasks of its own, and takes none of others. */
  readonly isAlone: boolean;
  readonly logger: Logger;
  /** Removes tasks that are done. */
  complete(tasks: readonly Task[]): Promise<void>;
}

/** The background work of a server among others. */
interface Background {
  start(handlers: Handlers): void;
  /** Runs a task: here, or on another server if it is stored. */
  run(task: Task, options?: RunOptions): void;
  /**
   * Whether a task is needless, because an equal task waits here and so will see the change that this one is for. That task is stored, and
   * no other server can have begun it.
   */
  isNeedless(task: Pick<Task, 'kind' | 'payload'>, options?: RunOptions): boolean;
  /** Whether tasks of a kind can run here; true until the handlers are known. */
  accepts(kind: string): boolean;
  /** The tasks that this server has to see completed. */
  tasks(): readonly Task[];
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Creates the background work of a server. Its tasks run here, unless there is a queue: then any server runs them. Without a
 * queue, tasks that wait for long, and chunks of long ones, are offered in the database.
 */
export function createBackground(host: BackgroundHost, stopping: AbortSignal): Background {
  const { database, worker, windows, queue, isAlone, logger } = host;
  const complete = async (tasks: readonly Task[]) => {
    await host.complete(tasks);
    for (const { taskId } of tasks) chunks.completed(taskId);
  };
  const look = () => {
    if (!stopping.aborted) offers.look(offers.hasMore() ? 'everywhere' : 'here').catch(() => undefined);
  };
  const runner = createTaskRunner(
    {
      complete,
      roomFreed: look,
      helpers: () => worker.helpers(),
      checkpoint: (task, checkpoint) => storeCheckpoint(database, task, checkpoint),
      split: (...split) => chunks.split(...split),
    },
    stopping,
    logger,
  );
  const offers = createOffers(database, windows, worker, runner);
  const sharing =
    queue &&
    createSharing(database, worker, runner, queue, {
      completed(taskId) {
        chunks.completed(taskId);
      },
      unsent(task) {
        // If this fails, all chunks of the parent are offered again.
        offer([task]).catch(() => unoffered++);
      },
    });
  let unoffered = 0;
  const offer = async (tasks: readonly Task[]) => {
    await offers.offer(tasks);
    look();
  };
  const chunks = createChunks(database, {
    stopping,
    losses: () => (sharing?.losses() ?? 0) + unoffered,
    async offer(tasks) {
      if (sharing) sharing.publish(tasks);
      else await offer(tasks);
    },
  });
  /**
   * Returns the queue through which a task is shared. A task that others may join stays here; if it has to wait alone, it is offered. A task
   * that is perhaps not stored also stays here, and is never offered: other servers would take it for completed.
   */
  const sharedBy = ({ kind }: Task, options?: RunOptions) =>
    runner.mayBeJoined(kind, options) || options?.mayBeUnstored ? null : sharing;
  /** Offers tasks that wait for room, if other servers have nothing to do. */
  const offerWaiting = async ({ idle }: Others) => {
    const waiting = runner.waiting();
    // A server whose lanes are full has nothing to give, but is no help either.
    const isFull = LANES.some((lane) => runner.free(lane) === 0);
    worker.reportWaiting(waiting.length + (isFull ? 1 : 0));
    const late = waiting.filter(
      ({ since, options, joined }) =>
        !options.keepStored &&
        !options.mayBeUnstored &&
        joined.length === 0 &&
        performance.now() - since > OFFER_AFTER_MS,
    );
    if (late.length === 0) return;
    // The oldest are the next to run here.
    for (const queued of late.slice(Math.max(0, late.length - idle * OFFERED_AT_ONCE))) {
      if (!runner.withdraw(queued)) continue;
      try {
        const task = await releaseTask(database, { ...queued.task, checkpoint: queued.checkpoint });
        await offers.offer([task], queued.options);
      } catch (error) {
        runner.run(queued.task, queued.options);
        throw error;
      }
    }
  };
  const sweep = createSweep({
    database,
    windows,
    others: () => worker.others(),
    takeOver(task, keepStored) {
      const shared = sharedBy(task);
      if (shared) shared.takeOver(task, keepStored);
      else runner.run(task, { keepStored });
    },
    isUnqueued: async () => queue === null || !queue.isUp() || (await queue.isEmpty()),
  });
  const lookAtAll = async () => {
    const others = await worker.others();
    await offerWaiting(others);
    await sweep(others);
    await sharing?.check();
    await offers.look('everywhere');
  };
  let sweeper: Repeated | undefined;
  /** A task that runs here may be published, too. */
  const tasks = () => {
    const all = [...runner.tasks(), ...offers.tasks(), ...(sharing?.tasks() ?? [])];
    return [...new Map(all.map((task) => [task.taskId, task])).values()];
  };

  return {
    start(handlers) {
      runner.start(handlers);
      if (isAlone) {
        // Its own chunks that it has offered, and whose claims may have failed.
        sweeper = startSweeper(
          () => offers.look('here'),
          () => LOOK_EVERY_MS,
          logger,
        );
        return;
      }
      sweeper = startSweeper(lookAtAll, () => pauseOfReaders(worker.helpers() + 1, LOOK_EVERY_MS), logger);
      sharing?.start();
    },
    run(task, options = {}) {
      if (stopping.aborted) return;
      const shared = sharedBy(task, options);
      if (shared) shared.run(task, options);
      else runner.run(task, options);
    },
    isNeedless(task, options) {
      const same = runner.sameWaiting(task, options);
      if (same === null || same.options.mayBeUnstored) return false;
      if (same.task.worker !== worker.instance || !worker.hasLease()) return false;
      return same.since > worker.aliveSince();
    },
    accepts: (kind) => runner.accepts(kind),
    tasks,
    async idle() {
      while (tasks().length > 0) {
        await runner.idle();
        await sleep(20);
      }
    },
    async stop() {
      await queue?.stop();
      await sweeper?.stop();
      worker.reportWaiting(null);
      await runner.stop();
    },
  };
}
