import type { LaneName } from './lane';

/** A part of a long task: a task of its own, which any server can run. */
export interface Chunk {
  readonly kind: string;
  readonly payload: Payload;
  /** The position at which it ends. After a crash, the chunks after it are planned from there; null for the last one. */
  readonly end: string | null;
}

/** The values that a handler gets with a task, besides the payload. */
export interface TaskRun {
  readonly createdAt: Date;
  /** The last checkpoint, from any server that has run the task before; null if there is none, or the task has split. */
  readonly checkpoint: string | null;
  /** Whether the task has begun to split, on any server. Then it goes on with that. */
  readonly hasSplit: boolean;
  /** How many other servers there are, as this one last saw: chunks are worth their cost only if somebody helps. */
  readonly helpers: number;
  /** Whether the mutation that enqueued the task has done its own part, so that only the rest is left to do. */
  readonly isSettled: boolean;
  /** How many milliseconds the task waited for its first run while this server ran; 0 if it was begun before, by any server. */
  readonly waitedMs: number;
  /** Stores a checkpoint, so that another server can go on from there. */
  readonly saveCheckpoint: (checkpoint: string) => Promise<void>;
  /**
   * Cuts work into chunks, which all servers run at once, and resolves when all are completed. `plan` yields the chunks after
   * a position, or all for null. A task that has split has no checkpoints of its own any more. It may split several times, each
   * time under another name.
   */
  readonly split: (name: string, plan: (from: string | null) => AsyncIterable<Chunk>) => Promise<void>;
  /** Waits for something that others do, while other tasks of this server have the room. */
  readonly waitOutside: (event: Promise<unknown>) => Promise<void>;
}

/** How much work a task is, and whose. Its lane follows from this. */
export interface Work {
  readonly lane: LaneName;
  /**
   * The most rows that a run reads and writes before it ends or, in the lane `growing`, before its next checkpoint. Rows that one act of
   * one person needs, such as the words of a tweet, are not counted.
   */
  readonly rows: number;
  /**
   * The person whose task this is, by its payload; undefined if it is nobody's. People take turns in a lane, and the tasks of one take
   * at most half of it.
   */
  readonly person: (payload: Payload) => string | undefined;
  /**
   * Returns the name of what the task makes equal to the truth, by its payload. If tasks of one kind with the same name wait on one server,
   * only one of them runs. The others are completed with it, because it has not begun and so sees what they would have seen. The `rest`
   * that `enqueueAndRun` and `runInBackground` get for such a task must do all that is left of the others, too.
   */
  readonly sameAs?: (payload: Payload) => string;
}

/** The payload of a task. */
export type Payload = Readonly<Record<string, string>>;

/**
 * Runs one kind of task. A task may be interrupted anywhere and run again, so a handler must make derived rows match their
 * source, whatever was written before.
 */
export interface Handler {
  (payload: Payload, task: TaskRun): Promise<void>;
}

/** A handler that says how much work its tasks are, and whose. */
export interface DeclaredHandler extends Handler {
  readonly work: Work;
}

/** The handlers of an application, by the kind of their tasks. */
export type Handlers = Readonly<Record<string, DeclaredHandler>>;

/** Declares a handler of short tasks. */
export function shortTask(work: Omit<Work, 'lane'>, handler: Handler): DeclaredHandler {
  return declare({ ...work, lane: 'short' }, handler);
}

/** Declares a handler of tasks that may take seconds. */
export function longTask(work: Omit<Work, 'lane'>, handler: Handler): DeclaredHandler {
  return declare({ ...work, lane: 'long' }, handler);
}

/**
 * Declares a handler of tasks that may take minutes, because their work grows with what is stored. It must store checkpoints: after each,
 * such a task waits for its person's next turn.
 */
export function growingTask(work: Omit<Work, 'lane'>, handler: Handler): DeclaredHandler {
  return declare({ ...work, lane: 'growing' }, handler);
}

/** The `person` of tasks that belong to nobody. */
export const NOBODY: Work['person'] = () => undefined;

function declare(work: Work, handler: Handler): DeclaredHandler {
  return Object.assign((payload: Payload, task: TaskRun) => handler(payload, task), { work });
}
