/** A task, as its handler sees it. */
interface TaskRun {
  readonly createdAt: Date;
  /** The last checkpoint, of whichever server ran the task before; null where there is none. */
  readonly progress: string | null;
  /** Stores how far the task has come, so that another server can go on from there. */
  readonly checkpoint: (progress: string) => Promise<void>;
}

/**
 * Runs a kind of task. A task may run again after it was interrupted anywhere, so a handler makes what is derived equal to
 * what it is derived from, whatever is there already.
 */
export interface Handler {
  (payload: Readonly<Record<string, string>>, task: TaskRun): Promise<void>;
  /** Whether it may take minutes. Short tasks do not wait for long ones. */
  readonly isLong?: boolean;
}

/** The handlers of an application, by the kind of their tasks. */
export type Handlers = Readonly<Record<string, Handler>>;

/** Marks a handler that may take minutes. */
export function longTask(handler: Handler): Handler {
  return Object.assign(handler, { isLong: true });
}
