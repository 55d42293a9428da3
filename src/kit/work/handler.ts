/** A part of a long task: a task of its own, which any server can run. */
export interface Chunk {
  readonly kind: string;
  readonly payload: Readonly<Record<string, string>>;
  /** Where it ends. After a crash, the chunks after it are planned from there; null for the last one. */
  readonly end: string | null;
}

/** What a handler gets of the task that it runs, besides the payload. */
export interface TaskRun {
  readonly createdAt: Date;
  /** The last checkpoint, from any server that has run the task before; null if there is none, or the task has split. */
  readonly progress: string | null;
  /** Whether the task has begun to split, on any server. Then it goes on with that. */
  readonly hasSplit: boolean;
  /** How many other servers there are, as this one last saw: chunks are worth their cost only if somebody helps. */
  readonly helpers: number;
  /** Whether the mutation that enqueued the task has done its own part, so that only the rest is left to do. */
  readonly isSettled: boolean;
  /** For how many milliseconds the task waited for its first run while this server ran; 0 if it was begun before, by any server. */
  readonly waitedMs: number;
  /** Stores a checkpoint, so that another server can go on from there. */
  readonly checkpoint: (progress: string) => Promise<void>;
  /**
   * Cuts work into chunks, which all servers run at once, and resolves when all are completed. `plan` yields the chunks after
   * a position, or all for null. A task that has split has no checkpoints of its own any more. It may split several times, each
   * time under another name.
   */
  readonly split: (name: string, plan: (from: string | null) => AsyncIterable<Chunk>) => Promise<void>;
  /** Waits for something that others do, while other tasks of this server have the room. */
  readonly waitOutside: (event: Promise<unknown>) => Promise<void>;
}

/**
 * Runs one kind of task. A task may be interrupted anywhere and run again, so a handler must make derived rows match their
 * source, whatever was written before.
 */
export interface Handler {
  (payload: Readonly<Record<string, string>>, task: TaskRun): Promise<void>;
  /** Whether its tasks may take minutes. Short tasks do not wait for long ones. */
  readonly isLong?: boolean;
}

/** The handlers of an application, by the kind of their tasks. */
export type Handlers = Readonly<Record<string, Handler>>;

/** Marks a handler that may take minutes. */
export function longTask(handler: Handler): Handler {
  return Object.assign(handler, { isLong: true });
}
