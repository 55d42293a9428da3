import type { LaneName, Lanes } from './lane';
import type { Task } from './outbox.table';

/** Tells a server which task waits, and how it is to be run. The task itself is in the outbox. */
export interface TaskMessage extends Pick<Task, 'window' | 'server' | 'shard' | 'taskId' | 'kind'> {
  readonly lane: LaneName;
  /** The server that wants to know when the task is completed; null if none does. */
  readonly from: string | null;
  readonly isSettled: boolean;
  readonly keepStored: boolean;
  /** Messages with the same id, published within some minutes, are one. */
  readonly id: string;
}

/**
 * Returns the name under which the task of a message takes its turn in its lane: a growing task has a turn of its own after each checkpoint.
 * The server that publishes messages decides how many a person has.
 */
export function turnOf({ lane, taskId }: TaskMessage): string | undefined {
  return lane === 'growing' ? taskId : undefined;
}

/** The end of a task. */
type TaskOutcome = 'completed' | 'failed';

/** The functions by which a server takes messages. */
export interface Receiver {
  /** The room for tasks. The queue takes room for a message, as `turnOf` says, and gives it back when the message is dealt with. */
  readonly lanes: Lanes;
  /**
   * Runs the task of a message that is delivered for the nth time. If this rejects, or resolves to false because the server has the
   * task already, the message is delivered again later, to any server.
   */
  receive(taskMessage: TaskMessage, times: number): Promise<boolean>;
  /** Called when another server has completed a task that this one has published, or has failed and will try again. */
  ended(taskId: string, outcome: TaskOutcome): void;
  /** Called when the queue goes away, when it is back, and when it has begun anew: `isAll` says that all messages are gone. */
  interrupted(isAll: boolean): void;
}

/**
 * A queue of messages that all servers share. It may lose everything at any time: that costs only latency, because each task is in
 * the outbox.
 */
export interface TaskQueue {
  /** Begins to receive messages. */
  start(receiver: Receiver): void;
  /** Whether the queue is there, as far as is known. */
  isUp(): boolean;
  /** Adds a message, unless one with the same id was added. Resolves to false if the queue is away. */
  publish(taskMessage: TaskMessage): Promise<boolean>;
  /** Tells the server that published a message what became of its task. */
  publishOutcome(taskMessage: TaskMessage, outcome: TaskOutcome): void;
  /** Whether no messages wait and none is in hand anywhere; false if the queue is away. */
  isEmpty(): Promise<boolean>;
  /** How many messages of each kind were delivered to this server after another delivery. */
  redelivered(): ReadonlyMap<string, number>;
  /** Receives no more messages. The receiver must reject the messages that are in hand. */
  stop(): Promise<void>;
}
