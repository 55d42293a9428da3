/** What a handler gets of the task that it runs, besides the payload. */
interface TaskRun {
  readonly createdAt: Date;
  /** The last checkpoint, from any server that has run the task before; null if there is none. */
  readonly progress: string | null;
  /** Stores a checkpoint, so that another server can go on from there. */
  readonly checkpoint: (progress: string) => Promise<void>;
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
