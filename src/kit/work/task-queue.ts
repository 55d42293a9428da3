import type { LaneName, Lanes } from './lane';
import type { Task } from './outbox.table';

/** Tells a server which task waits, and how it is to be run. The task itself is in the outbox. */
export interface Hint extends Pick<Task, 'window' | 'server' | 'shard' | 'taskId' | 'kind'> {
  readonly lane: LaneName;
  /** The server that wants to know when the task is completed; null if none does. */
  readonly from: string | null;
  readonly isSettled: boolean;
  readonly keepStored: boolean;
  /** Hints with the same id, published within some minutes, are one. */
  readonly id: string;
}

/**
 * Returns the name under which the task of a hint takes its turn in its lane: a growing task has a turn of its own after each checkpoint.
 * The server that publishes hints decides how many a person has.
 */
export function turnOf({ lane, taskId }: Hint): string | undefined {
  return lane === 'growing' ? taskId : undefined;
}

/** The end of a task. */
type TaskOutcome = 'completed' | 'failed';

/** The functions by which a server takes hints. */
export interface Receiver {
  /** The room for tasks. The queue takes room for a hint, as `turnOf` says, and gives it back when the hint is dealt with. */
  readonly lanes: Lanes;
  /**
   * Runs the task of a hint that is delivered for the nth time. If this rejects, or resolves to false because the server has the
   * task already, the hint is delivered again later, to any server.
   */
  receive(hint: Hint, times: number): Promise<boolean>;
  /** Called when another server has completed a task that this one has published, or has failed and will try again. */
  ended(taskId: string, outcome: TaskOutcome): void;
  /** Called when the queue goes away, when it is back, and when it has begun anew: `isAll` says that all hints are gone. */
  interrupted(isAll: boolean): void;
}

/**
 * A queue of hints that all servers share. It may lose everything at any time: that costs only latency, because each task is in
 * the outbox.
 */
export interface TaskQueue {
  /** Begins to receive hints. */
  start(receiver: Receiver): void;
  /** Whether the queue is there, as far as is known. */
  isUp(): boolean;
  /** Adds a hint, unless one with the same id was added. Resolves to false if the queue is away. */
  publish(hint: Hint): Promise<boolean>;
  /** Tells the server that published a hint what became of its task. */
  publishOutcome(hint: Hint, outcome: TaskOutcome): void;
  /** Whether no hints wait and none is in hand anywhere; false if the queue is away. */
  isEmpty(): Promise<boolean>;
  /** How many hints of each kind were delivered to this server after another delivery. */
  redelivered(): ReadonlyMap<string, number>;
  /** Receives no more hints. The receiver must reject the hints that are in hand. */
  stop(): Promise<void>;
}
