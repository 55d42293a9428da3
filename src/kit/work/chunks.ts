import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../cassandra/database';
import type { Chunk } from './handler';
import { readMany } from '../reads/load';
import { ANYONE, outbox, type Task } from './outbox.table';
import { splitIn, type Split } from './split';
import { isTask, storeCheckpoint, storeTask } from './task-rows';
import type { TaskStore } from './task-runner';

/** The pauses between two looks whether the chunks of a task are completed. */
const FIRST_LOOK_MS = 100;
const MAX_LOOK_MS = 2000;
/** How many chunks of a task are read at once, to be offered again. */
const CHUNKS_READ = 500;

/** The functions of the outbox that splitting needs. */
interface ChunkHost {
  readonly stopping: AbortSignal;
  /** Lets any server run tasks that are stored. */
  offer(tasks: readonly Task[]): Promise<void>;
  /** Grows whenever offers may be lost, or out of reach. */
  losses(): number;
}

/** Cuts tasks into chunks: tasks for anyone, in the partition of their parent, right after it. */
interface Chunks {
  readonly split: TaskStore['split'];
  /** Called with each task that is known to be completed, so that its parent looks at once. */
  completed(taskId: string): void;
}

/** Creates what splits the tasks of a server. */
export function createChunks(database: Database, host: ChunkHost): Chunks {
  const wakers = new Map<string, Set<() => void>>();
  /** The chunks of a task after an id that are not completed, at most so many. */
  const childrenOf = async ({ window, server, shard, taskId }: Task, after: string, limit: number) => {
    const page = { window, server, shard, after: [after], limit };
    const [rows = []] = await readMany(database, outbox.page, [page]);
    return rows.filter((row) => findParentId(row.taskId) === taskId);
  };
  /** Offers the chunks of a task after an id that are not completed. */
  const offerAfter = async (parent: Task, begin: string) => {
    for (let after: string | undefined = begin; after !== undefined;) {
      const children = await childrenOf(parent, after, CHUNKS_READ);
      await host.offer(children.filter(isTask));
      after = children.length < CHUNKS_READ ? undefined : children.at(-1)?.taskId;
    }
  };
  /** Resolves when a chunk of a task is completed, or after a pause. */
  const nextLook = async (taskId: string, pause: number) => {
    const all = wakers.get(taskId) ?? new Set();
    wakers.set(taskId, all);
    const cancel = new AbortController();
    const wake = () => {
      cancel.abort();
    };
    all.add(wake);
    await sleep(pause, undefined, { signal: AbortSignal.any([cancel.signal, host.stopping]) }).catch(
      () => undefined,
    );
    all.delete(wake);
    if (all.size === 0) wakers.delete(taskId);
    host.stopping.throwIfAborted();
  };
  /** Resolves when no chunk of a task is left. */
  const allCompleted = async (parent: Task, isResumed: boolean) => {
    let losses = isResumed ? -1 : host.losses();
    // Each look begins before the first chunk that the last one has found: earlier ones are completed, and left tombstones.
    let after = `${parent.taskId}.`;
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, MAX_LOOK_MS)) {
      const [left] = await childrenOf(parent, after, 1);
      if (left === undefined) return;
      after = left.taskId.slice(0, -1);
      const now = host.losses();
      if (now !== losses) await offerAfter(parent, after);
      losses = now;
      await nextLook(parent.taskId, pause);
    }
  };

  return {
    async split(queued, waitOutside, name, plan) {
      const { task } = queued;
      const keep = async (split: Split) => {
        queued.checkpoint = JSON.stringify(split);
        await storeCheckpoint(database, task, queued.checkpoint);
      };
      const before = splitIn(queued.checkpoint);
      if (before?.done.includes(name)) return;
      const isResumed = before?.name === name;
      let now: Split = isResumed ? before : { done: before?.done ?? [], name, end: null, isPlanned: false };
      if (!now.isPlanned) {
        for await (const chunk of plan(now.end)) {
          host.stopping.throwIfAborted();
          const child = createChild(task, chunk);
          await storeTask(database, child);
          await host.offer([child]);
          now = { ...now, end: chunk.end, isPlanned: chunk.end === null };
          await keep(now);
        }
        if (!now.isPlanned) await keep((now = { ...now, isPlanned: true }));
      }
      await waitOutside(allCompleted(task, isResumed));
      await keep({ done: [...now.done, name], name: '', end: null, isPlanned: false });
    },
    completed(taskId) {
      for (const wake of wakers.get(findParentId(taskId) ?? '') ?? []) wake();
    },
  };
}

/**
 * The task of a chunk. Its id follows from what it does: if the plan is made again, the same chunk has the same id, and another
 * one has another id.
 */
function createChild(parent: Task, { kind, payload }: Chunk): Task {
  const text = JSON.stringify(payload);
  const hash = createHash('sha256').update(`${kind} ${text}`).digest('hex').slice(0, 24);
  return {
    ...parent,
    taskId: `${parent.taskId}.${hash}`,
    kind,
    payload: text,
    checkpoint: null,
    worker: ANYONE,
    createdAt: new Date(),
  };
}

/** The id of the task that a chunk belongs to; null for a task that is no chunk. */
function findParentId(taskId: string): string | null {
  const end = taskId.lastIndexOf('.');
  return end < 0 ? null : taskId.slice(0, end);
}
