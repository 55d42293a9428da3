import type { TaskRun } from '../../src/kit/work/handler';

/** The first run of a task outside an outbox: it has no checkpoint, stores none, and runs its chunks by `split`. */
export function taskRun(run: Partial<TaskRun> = {}): TaskRun {
  return {
    createdAt: new Date(),
    checkpoint: null,
    hasSplit: false,
    helpers: 0,
    isSettled: false,
    waitedMs: 0,
    saveCheckpoint: () => Promise.resolve(),
    split: () => Promise.reject(new Error('this task is too small to be split')),
    async waitOutside(event) {
      await event;
    },
    ...run,
  };
}
