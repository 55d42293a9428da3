import type { NatsConnection } from '@nats-io/transport-node';
import { createSignals, type Signals } from '../live/signals';
import type { Nats } from './connection';

/** The most characters of a topic. Longer ones are not sent. */
const MAX_TOPIC_LENGTH = 200;
/** The most bytes of a message. More topics are sent in several. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/** Creates signals between the servers of one `name` (the keyspace) over a connection to NATS, without JetStream. */
export function natsSignals(nats: Nats, name: string): Signals {
  const subject = `${name}.signals`;
  const own = createSignals();
  let listening: NatsConnection | undefined;
  nats.onUp((connection) => {
    // The subscriptions of a connection outlast its interruptions.
    if (connection === listening) return;
    listening = connection;
    connection.subscribe(subject, {
      callback(error, message) {
        if (error !== null || message.data.length > MAX_MESSAGE_BYTES) return;
        own.publish(message.string().split('\n'));
      },
    });
  });
  return {
    publish(topics) {
      const sendable = topics.filter((topic) => topic.length <= MAX_TOPIC_LENGTH && !topic.includes('\n'));
      // NATS sends them to this server, too. What it does not take is told to this server's listeners all the same.
      for (const joined of messagesOf(sendable))
        if (!nats.publish(subject, joined.join('\n'))) own.publish(joined);
    },
    on: own.on,
  };
}

/** Divides topics among messages of bounded size. */
function* messagesOf(topics: readonly string[]): Iterable<string[]> {
  let joined: string[] = [];
  let bytes = 0;
  for (const topic of topics) {
    const added = Buffer.byteLength(topic) + 1;
    if (bytes + added > MAX_MESSAGE_BYTES) {
      yield joined;
      [joined, bytes] = [[], 0];
    }
    joined.push(topic);
    bytes += added;
  }
  if (joined.length > 0) yield joined;
}
