import type { Logger } from 'pino';
import { runEvery, type Repeated } from '../base/run-every';
import type { Database } from '../cassandra/database';
import type { OutboxWindows } from './outbox-windows';
import { ANYONE, type Task } from './outbox.table';
import { readTaskHeads, readWholeInParts, readWindows, type TaskHead } from './pending';
import { isTask, removeTask } from './task-rows';
import type { Others } from './worker';

/** How often it looks for tasks of servers that are gone while none is silent. */
const SWEEP_EVERY_MS = 3000;
/** The age from which all servers look for a task for anyone, whichever server has offered it. */
const FORGOTTEN_AFTER_MS = 120_000;
/** How many tasks of silent servers, and of servers that are gone, are remembered. */
const MAX_REMEMBERED = 100_000;
/** How long a task that was taken over is left alone. */
const TAKEN_OVER_FOR_MS = 30_000;

/** The functions of the outbox that sweeping needs. */
interface SweepHost {
  readonly database: Database;
  readonly windows: OutboxWindows;
  readonly others: () => Promise<Others>;
  /** Runs a task of another server. If `keepStored`, it is run and not completed, because its server may only be slow. */
  readonly takeOver: (task: Task, keepStored: boolean) => void;
  /** Whether tasks for anyone can only be found in the database, because no queue has them. */
  readonly isUnqueued: () => Promise<boolean>;
}

/**
 * Creates the work of one look: it takes over the tasks of servers that are gone, and closes windows without tasks. Only the
 * first of the servers alive does this. A silent server may be dead or only slow in the middle of a mutation. Its tasks are run
 * at once, so that others see their effect, and stay stored; they are run once more when the server's lease has run out.
 */
export function createSweep({ database, windows: outboxWindows, others, takeOver, isUnqueued }: SweepHost) {
  let swept = -Infinity;
  /** The moments at which tasks were taken over. Tasks of silent servers are taken over once. */
  const taken = { silent: new Map<string, number>(), left: new Map<string, number>() };
  const take = async (tasks: readonly TaskHead[], how: keyof typeof taken) => {
    const again = how === 'left' ? performance.now() - TAKEN_OVER_FOR_MS : -Infinity;
    const fresh = tasks.filter(({ taskId }) => (taken[how].get(taskId) ?? -Infinity) <= again);
    for await (const some of readWholeInParts(database, fresh))
      for (const task of some) {
        takeOver(task, how === 'silent');
        if (taken[how].size >= MAX_REMEMBERED) taken[how].clear();
        taken[how].set(task.taskId, performance.now());
      }
  };
  return async ({ isFirst, silent }: Others): Promise<void> => {
    const isDue = performance.now() - swept >= SWEEP_EVERY_MS;
    if (!isFirst || (!isDue && silent.size === 0)) return;
    if (isDue) swept = performance.now();
    const began = Date.now();
    const windows = await readWindows(database);
    const rows = await readTaskHeads(database, windows);
    const tasks = rows.filter(isTask);
    // The servers are read after the tasks, so that they include a server that has started since.
    const after = await others();
    const owned = tasks.filter(({ worker }) => worker !== ANYONE);
    await take(
      owned.filter(({ worker }) => !after.instances.has(worker ?? '')),
      'left',
    );
    await take(
      owned.filter(({ worker }) => after.silent.has(worker ?? '')),
      'silent',
    );
    // Their parents or their messages may be lost.
    const forgotten = tasks.filter(
      ({ worker, createdAt }) => worker === ANYONE && began - Number(createdAt) > FORGOTTEN_AFTER_MS,
    );
    if (forgotten.length > 0 && (await isUnqueued()))
      for (const window of new Set(forgotten.map((task) => task.window)))
        await outboxWindows.recordOffered(window);
    for (const row of rows) if (!isTask(row)) await removeTask(database, row);
    const busy = new Set(rows.map(({ window }) => window));
    const empty = windows.flatMap(({ window }) => (busy.has(window) ? [] : [window]));
    if (isDue) await outboxWindows.close(empty, began);
  };
}

/** Starts to run `work` at intervals. Logs when runs begin to fail and when they succeed again. */
export function startSweeper(work: () => Promise<void>, intervalMs: () => number, logger: Logger): Repeated {
  let isFailing = false;
  const look = async () => {
    await work();
    if (isFailing) logger.info('can look for tasks of other servers again');
    isFailing = false;
  };
  return runEvery(intervalMs, look, (error) => {
    if (!isFailing) logger.warn({ err: error }, 'cannot look for tasks of other servers');
    isFailing = true;
  });
}
