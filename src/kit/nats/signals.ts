import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { createSignals, type Signals } from '../subscriptions/signals';
import type { Nats } from './connection';

/** The most characters of a topic or an item. Longer ones are not sent. */
const MAX_LENGTH = 200;

/**
 * Creates signals between the servers of one `name` (the keyspace) over a connection to NATS, without JetStream. Each topic is a subject, to
 * which a server subscribes while somebody on it waits for the topic: so a server gets no signals that nobody there waits for.
 */
export function natsSignals(nats: Nats, name: string): Signals {
  const own = createSignals();
  /** How many wait for a topic, and the subscription to its subject on the present connection. */
  const awaited = new Map<string, { waiting: number; subscription: Subscription | undefined }>();
  let listening: NatsConnection | undefined;
  const subscribe = (topic: string) => {
    // A connection that was refused is closed for good. The next one brings all subscriptions.
    if (listening === undefined || listening.isClosed()) return undefined;
    return listening.subscribe(subjectOf(name, topic), {
      callback(error, message) {
        if (error !== null || message.data.length > 4 * MAX_LENGTH) return;
        own.publish([topic], message.data.length === 0 ? undefined : message.string());
      },
    });
  };
  nats.onUp((connection) => {
    // The subscriptions of a connection outlast its interruptions.
    if (connection === listening) return;
    listening = connection;
    for (const [topic, one] of awaited) one.subscription = subscribe(topic);
  });
  return {
    publish(topics, item = '') {
      for (const topic of topics) {
        if (!isSendable(topic)) continue;
        const message = isSendable(item) ? item : '';
        // NATS sends the message to this server, too. If NATS does not take it, this server's listeners are told all the same.
        if (!nats.publish(subjectOf(name, topic), message)) own.publish([topic], message || undefined);
      }
    },
    on(topic, wake) {
      const stop = own.on(topic, wake);
      const one = awaited.get(topic) ?? { waiting: 0, subscription: subscribe(topic) };
      awaited.set(topic, one);
      one.waiting++;
      let isStopped = false;
      return () => {
        stop();
        if (isStopped) return;
        isStopped = true;
        if (--one.waiting > 0) return;
        one.subscription?.unsubscribe();
        awaited.delete(topic);
      };
    },
  };
}

function isSendable(text: string): boolean {
  return text.length <= MAX_LENGTH;
}

/** The subject of a topic. It is encoded, because subjects have no spaces, and a dot or a star in them has a meaning. */
function subjectOf(name: string, topic: string): string {
  return `${name}.signals.${Buffer.from(topic).toString('base64url')}`;
}
