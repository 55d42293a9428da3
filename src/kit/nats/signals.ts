import type { NatsConnection } from '@nats-io/transport-node';
import type { Nats } from './connection';

/** Tells all servers that something has happened, by topics. A signal may be lost: it only makes others look at once. */
export interface Signals {
  /** Tells all servers, this one included, of topics. */
  publish(topics: readonly string[]): void;
  /** Calls `wake` whenever a topic is published, until the function that this returns is called. */
  on(topic: string, wake: () => void): () => void;
}

/** The most characters of a topic. Longer ones are not sent. */
const MAX_TOPIC_LENGTH = 200;
/** The most bytes of a message. More topics are sent in several. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/** Creates signals between the servers of one `name` (the keyspace) over a connection to NATS, without JetStream. */
export function natsSignals(nats: Nats, name: string): Signals {
  const subject = `${name}.signals`;
  const listeners = new Map<string, Set<() => void>>();
  const wake = (topic: string) => {
    for (const listener of listeners.get(topic) ?? []) listener();
  };
  let listening: NatsConnection | undefined;
  nats.onUp((connection) => {
    // The subscriptions of a connection outlast its interruptions.
    if (connection === listening) return;
    listening = connection;
    connection.subscribe(subject, {
      callback(error, message) {
        if (error !== null || message.data.length > MAX_MESSAGE_BYTES) return;
        for (const topic of message.string().split('\n')) wake(topic);
      },
    });
  });
  return {
    publish(topics) {
      const connection = nats.current();
      const sendable = topics.filter((topic) => topic.length <= MAX_TOPIC_LENGTH && !topic.includes('\n'));
      // Without NATS, the listeners of this server are told all the same.
      if (connection === null) for (const topic of sendable) wake(topic);
      else for (const message of messagesOf(sendable)) connection.publish(subject, message);
    },
    on(topic, listener) {
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(listener));
      return () => {
        all.delete(listener);
        if (all.size === 0 && listeners.get(topic) === all) listeners.delete(topic);
      };
    },
  };
}

/** Joins topics to messages of bounded size. */
function* messagesOf(topics: readonly string[]): Iterable<string> {
  let joined: string[] = [];
  let bytes = 0;
  for (const topic of topics) {
    const added = Buffer.byteLength(topic) + 1;
    if (bytes + added > MAX_MESSAGE_BYTES) {
      yield joined.join('\n');
      [joined, bytes] = [[], 0];
    }
    joined.push(topic);
    bytes += added;
  }
  if (joined.length > 0) yield joined.join('\n');
}
