import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { checkIdentity } from '../base/server-identity';
import { withoutBrackets } from '../config/address';

/** How long a connection may take, and how long this waits between two attempts. */
const CONNECT_TIMEOUT_MS = 2000;
const RETRY_PAUSE_MS = 500;
/** How long the last messages may take when the connection is closed. */
const FLUSH_MS = 500;
/** A connection without an answer to a ping for twice this long is broken. */
const PING_EVERY_MS = 3000;

/** The connection of this process to NATS. It is made again whenever it breaks; nothing waits for it. */
export interface Nats {
  /** The connection; null while NATS is away. */
  current(): NatsConnection | null;
  /** Publishes a message, if NATS is there and takes it. Returns whether it was sent. */
  publish(subject: string, message: string): boolean;
  /** Calls back now if NATS is there, and whenever it is there again. */
  onUp(listener: (connection: NatsConnection) => void): void;
  /** Calls back whenever NATS goes away. */
  onDown(listener: () => void): void;
  close(): Promise<void>;
}

/**
 * Connects to NATS servers, given as `nats://` or `tls://` addresses. The first may name a user and a password, or a token, for
 * all of them.
 */
export function connectNats(addresses: readonly string[], logger: Logger): Nats {
  const up = new Set<(connection: NatsConnection) => void>();
  const down = new Set<() => void>();
  const closing = new AbortController();
  let connection: NatsConnection | null = null;
  let isUp = false;
  const connected = (made: NatsConnection) => {
    if (isUp) return;
    isUp = true;
    logger.info({ server: made.getServer() }, 'connected to NATS');
    for (const listener of up) listener(made);
  };
  const disconnected = () => {
    if (!isUp) return;
    isUp = false;
    if (!closing.signal.aborted)
      logger.warn('NATS is away: servers share their work through the database only');
    for (const listener of down) listener();
  };
  const watch = async (made: NatsConnection) => {
    connected(made);
    for await (const { type } of made.status()) {
      if (type === 'reconnect') connected(made);
      else if (type === 'disconnect' || type === 'staleConnection' || type === 'close') disconnected();
    }
    disconnected();
  };
  const isClosing = () => closing.signal.aborted;
  const keep = async () => {
    let isKnown = false;
    while (!isClosing()) {
      try {
        const made = await connect(connectionOptions(addresses));
        connection = made;
        if (isClosing()) await made.close();
        else await watch(made);
      } catch (error) {
        if (!isKnown) logger.warn({ err: error }, 'cannot connect to NATS yet');
        isKnown = true;
      }
      connection = null;
      await sleep(RETRY_PAUSE_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  };
  const kept = keep();
  return {
    current: () => (isUp ? connection : null),
    publish(subject, message) {
      try {
        if (!isUp || connection === null) return false;
        connection.publish(subject, message);
        return true;
      } catch (error) {
        // Then the connection has just closed, or the message is larger than the server allows.
        logger.debug({ err: error, subject }, 'a message was not sent');
        return false;
      }
    },
    onUp(listener) {
      up.add(listener);
      if (isUp && connection) listener(connection);
    },
    onDown(listener) {
      down.add(listener);
    },
    async close() {
      closing.abort();
      // The last acknowledgements and returns must still arrive.
      if (isUp && connection)
        await Promise.race([connection.flush(), sleep(FLUSH_MS)]).catch(() => undefined);
      await connection?.close();
      await kept;
    },
  };
}

function credentialsIn({ username, password }: URL): NodeConnectionOptions {
  if (username === '') return {};
  if (password === '') return { token: decodeURIComponent(username) };
  return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}

/**
 * How servers are recognised: the certificate must be for one of the hosts that the settings name. The library gives Node no name
 * for a host that is an address, and Node then expects a certificate for `localhost`.
 */
function tlsOptions(
  urls: readonly URL[],
): NonNullable<NodeConnectionOptions['tls']> & Pick<ConnectionOptions, 'checkServerIdentity'> {
  const hosts = urls.map(({ hostname }) => withoutBrackets(hostname));
  return { checkServerIdentity: (_, certificate) => checkIdentity(hosts, certificate, 'NATS_URL') };
}

function connectionOptions(addresses: readonly string[]): NodeConnectionOptions {
  const urls = addresses.map((address) => new URL(address));
  const [first] = urls;
  return {
    servers: urls.map(({ host }) => host),
    name: 'murmuration',
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_PAUSE_MS,
    pingInterval: PING_EVERY_MS,
    ...(first && credentialsIn(first)),
    ...(first?.protocol === 'tls:' && { tls: tlsOptions(urls) }),
  };
}
