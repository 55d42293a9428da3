import type { NatsConnection } from '@nats-io/transport-node';
import { createSignals, type Signals } from '../subscriptions/signals';
import type { Nats } from './connection';

/** The most characters of a topic or an item. Longer ones are not sent. */
const MAX_LINE_LENGTH = 200;
/** The most bytes of a message: a topic in each line, and perhaps the item in the last. More topics are sent in several. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** How the line of an item begins. */
const ITEM = 'item ';

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
        const lines = message.string().split('\n');
        const item = lines.at(-1)?.startsWith(ITEM) === true ? lines.pop()?.slice(ITEM.length) : undefined;
        own.publish(lines, item);
      },
    });
  });
  return {
    publish(topics, item) {
      const sendable = topics.filter(isSendable);
      // NATS sends them to this server, too. What it does not take is told to this server's listeners all the same.
      for (const joined of packTopics(sendable)) {
        const lines = item !== undefined && isSendable(item) ? [...joined, ITEM + item] : joined;
        if (!nats.publish(subject, lines.join('\n'))) own.publish(joined, item);
      }
    },
    on: own.on,
  };
}

function isSendable(line: string): boolean {
  return line.length <= MAX_LINE_LENGTH && !line.includes('\n');
}

/** Divides topics among messages of bounded size. */
function* packTopics(topics: readonly string[]): Iterable<string[]> {
  let joined: string[] = [];
  let bytes = 4 * MAX_LINE_LENGTH;
  for (const topic of topics) {
    const added = Buffer.byteLength(topic) + 1;
    if (bytes + added > MAX_MESSAGE_BYTES) {
      yield joined;
      [joined, bytes] = [[], 4 * MAX_LINE_LENGTH];
    }
    joined.push(topic);
    bytes += added;
  }
  if (joined.length > 0) yield joined;
}
