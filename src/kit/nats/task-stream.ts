import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  DiscardPolicy,
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type Consumer,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { createFairSemaphore } from '../base/fair-semaphore';
import { LANES, type LaneName } from '../work/lane';
import { turnOf, type TaskMessage, type Receiver, type TaskQueue } from '../work/task-queue';
import type { Nats } from './connection';

/** A message in hand is given to another server if nothing is heard of it for this long. */
const ACK_WAIT_MS = 1500;
/** How often a server says that it still works on a message in hand. */
const WORKING_EVERY_MS = 400;
/** Messages with one id that are published within this time are one. */
const DUPLICATES_MS = 120_000;
/** How long a server waits for a message before it asks again. */
const PULL_MS = 2000;
const REQUEST_TIMEOUT_MS = 1000;
const RETRY_PAUSE_MS = 500;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;
/** How many messages the stream keeps. If it is full, servers run their tasks themselves. */
const MAX_MESSAGES = 1_000_000;
/** How many messages all servers together may have in hand. */
const MAX_IN_HAND = 20_000;

/** How many messages of growing tasks a server has in hand, more than it runs at once. */
const MAX_GROWING_IN_HAND = 16;
/** The beginning of the message of a failed task. The message of a completed task is its id. */
const FAILED = 'failed ';

/** The settings of a queue besides the connection. */
interface TaskStreamOptions {
  /** Servers with the same name share a queue: the keyspace. */
  readonly name: string;
  /** This server. */
  readonly instance: string;
  readonly logger: Logger;
}

/** The stream, as long as it is there. */
interface Ready {
  readonly js: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly consumers: Readonly<Record<LaneName, Consumer>>;
}

/** Creates a queue of messages in a work-queue stream of NATS JetStream, with a consumer for each lane. */
export function createTaskStream(nats: Nats, { name, instance, logger }: TaskStreamOptions): TaskQueue {
  const stream = `tasks_${name}`;
  const doneSubject = (server: string) => `${name}.done.${server}`;
  const stopping = new AbortController();
  const redelivered = new Map<string, number>();
  let ready: Ready | null = null;
  let created: string | undefined;
  let receiver: Receiver | undefined;
  let preparing: Promise<void> | undefined;

  const prepare = async (connection: NatsConnection) => {
    let isReported = false;
    while (ready === null && !stopping.signal.aborted && nats.current() === connection) {
      try {
        const found = await open(connection, stream, name);
        ready = found.ready;
        if (created !== undefined) receiver?.interrupted(created !== found.created);
        created = found.created;
        if (isReported) logger.info({ stream }, 'the stream of tasks can be used');
      } catch (error) {
        if (!isReported) logger.warn({ err: error, stream }, 'the stream of tasks cannot be used');
        isReported = true;
        await pause(RETRY_PAUSE_MS);
      }
    }
  };
  /** Called when the stream did not answer: it may have to be made again. */
  const reopen = () => {
    ready = null;
    const connection = nats.current();
    if (connection) preparing ??= prepare(connection).finally(() => (preparing = undefined));
  };
  const pause = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);

  const handle = async (message: JsMsg, taskMessage: TaskMessage, to: Receiver) => {
    const times = message.info.deliveryCount;
    if (times > 1) redelivered.set(taskMessage.kind, (redelivered.get(taskMessage.kind) ?? 0) + 1);
    const later = () => {
      message.nak(Math.min(FIRST_RETRY_MS * 2 ** Math.min(times, 10), MAX_RETRY_MS));
    };
    try {
      if (await to.receive(taskMessage, times)) message.ack();
      else later();
    } catch (error) {
      if (stopping.signal.aborted) {
        message.nak();
        return;
      }
      logger.warn(
        { err: error, kind: taskMessage.kind, task: taskMessage.taskId },
        'a task failed and will be retried',
      );
      later();
    }
  };
  const isStopping = () => stopping.signal.aborted;
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => {
      resolve();
    });
  });
  /** Handles a message in room that is taken for it; in a lane that takes turns, when it is its turn. */
  const handleInTurn = async (
    message: JsMsg,
    taskMessage: TaskMessage,
    to: Receiver,
    hasBegun: () => void,
  ) => {
    const working = setInterval(() => {
      message.working();
    }, WORKING_EVERY_MS).unref();
    const room = to.lanes[taskMessage.lane];
    const entry = { person: turnOf(taskMessage) };
    try {
      if (entry.person !== undefined) await Promise.race([room.take(entry), stopped]);
      hasBegun();
      if (isStopping()) message.nak();
      else await handle(message, taskMessage, to);
    } finally {
      clearInterval(working);
      if (entry.person !== undefined && !room.giveUp(entry)) room.release(entry);
    }
  };
  /**
   * Takes messages of a lane while there is room in it. Growing tasks let others go on, so some more of them are begun than there is room for.
   */
  const pull = async (lane: LaneName, to: Receiver) => {
    const room = lane === 'growing' ? createFairSemaphore(MAX_GROWING_IN_HAND) : to.lanes[lane];
    while (!isStopping()) {
      const consumer = ready?.consumers[lane];
      if (consumer === undefined) {
        reopen();
        await pause(RETRY_PAUSE_MS / 5);
        continue;
      }
      await room.take();
      const message = await consumer.next({ expires: PULL_MS }).catch(() => {
        reopen();
        return null;
      });
      const taskMessage = message && taskMessageIn(message);
      if (message === null) room.release();
      else if (taskMessage === null) {
        message.term('not the message of a task');
        room.release();
      } else
        await new Promise<void>((begun) => {
          void handleInTurn(message, taskMessage, to, begun).finally(() => {
            room.release();
          });
        });
    }
  };
  const listen = (connection: NatsConnection) => {
    connection.subscribe(doneSubject(instance), {
      callback: (error, message) => {
        if (error !== null) return;
        const text = message.string();
        if (text.startsWith(FAILED)) receiver?.ended(text.slice(FAILED.length), 'failed');
        else receiver?.ended(text, 'completed');
      },
    });
  };
  let listening: NatsConnection | undefined;
  nats.onUp((connection) => {
    // The subscriptions of a connection outlast its interruptions.
    if (connection !== listening) listen(connection);
    listening = connection;
    reopen();
  });
  nats.onDown(() => {
    ready = null;
    receiver?.interrupted(false);
  });

  return {
    start(given) {
      receiver = given;
      for (const lane of LANES) void pull(lane, given);
    },
    isUp: () => ready !== null,
    async publish(taskMessage) {
      if (ready === null) return false;
      const subject = `${name}.tasks.${taskMessage.lane}.${taskMessage.kind}`;
      try {
        await ready.js.publish(subject, JSON.stringify(taskMessage), {
          msgID: taskMessage.id,
          timeout: REQUEST_TIMEOUT_MS,
          retries: 1,
          expect: { streamName: stream },
        });
        return true;
      } catch (error) {
        // A refusal, as by a stream that is full, does not end the stream.
        if (!(error instanceof JetStreamApiError)) reopen();
        return false;
      }
    },
    publishOutcome({ from, taskId }, outcome) {
      if (from !== null) nats.publish(doneSubject(from), outcome === 'failed' ? FAILED + taskId : taskId);
    },
    async isEmpty() {
      const info = await ready?.manager.streams.info(stream).catch(reopen);
      return info?.state.messages === 0;
    },
    redelivered: () => redelivered,
    stop() {
      stopping.abort();
      return Promise.resolve();
    },
  };
}

/** Makes sure that the stream and its consumers are there. */
async function open(
  connection: NatsConnection,
  stream: string,
  name: string,
): Promise<{ readonly ready: Ready; readonly created: string }> {
  const manager = await jetstreamManager(connection, { timeout: REQUEST_TIMEOUT_MS });
  const js = jetstream(connection, { timeout: REQUEST_TIMEOUT_MS });
  // An existing stream is used as it is, because an operator may have given it replicas.
  const { created } = await manager.streams.info(stream).catch(
    unlessAbsent(() =>
      manager.streams.add({
        name: stream,
        subjects: [`${name}.tasks.>`],
        retention: RetentionPolicy.Workqueue,
        storage: StorageType.File,
        discard: DiscardPolicy.New,
        max_msgs: MAX_MESSAGES,
        duplicate_window: nanos(DUPLICATES_MS),
      }),
    ),
  );
  const consumerOf = async (lane: LaneName) => {
    await manager.consumers.info(stream, lane).catch(
      unlessAbsent(() =>
        manager.consumers.add(stream, {
          durable_name: lane,
          filter_subject: `${name}.tasks.${lane}.>`,
          ack_policy: AckPolicy.Explicit,
          ack_wait: nanos(ACK_WAIT_MS),
          max_deliver: -1,
          max_ack_pending: MAX_IN_HAND,
        }),
      ),
    );
    return js.consumers.get(stream, lane);
  };
  const consumers = {
    short: await consumerOf('short'),
    long: await consumerOf('long'),
    growing: await consumerOf('growing'),
  };
  return { ready: { js, manager, consumers }, created };
}

/** Handles the error of a look for something that is not there by creating it. */
function unlessAbsent<T>(create: () => Promise<T>): (error: unknown) => Promise<T> {
  return (error) => {
    const absent: readonly number[] = [JetStreamApiCodes.StreamNotFound, JetStreamApiCodes.ConsumerNotFound];
    if (error instanceof JetStreamApiError && absent.includes(error.code)) return create();
    throw error;
  };
}

/** The message in a message; null if there is none, as in a message of another program. */
function taskMessageIn(message: JsMsg): TaskMessage | null {
  try {
    const { window, server, shard, taskId, kind, lane, from, isSettled, keepStored, id } =
      message.json<Partial<TaskMessage>>();
    if (typeof window !== 'number' || typeof server !== 'number' || typeof shard !== 'number') return null;
    if (typeof taskId !== 'string' || typeof kind !== 'string' || typeof id !== 'string') return null;
    if (lane === undefined || !LANES.includes(lane)) return null;
    return {
      window,
      server,
      shard,
      taskId,
      kind,
      lane,
      id,
      from: from ?? null,
      isSettled: isSettled === true,
      keepStored: keepStored === true,
    };
  } catch {
    return null;
  }
}
