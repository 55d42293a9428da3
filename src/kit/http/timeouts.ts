import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServerConfig } from '../config/config';
import type { Gate, Pass } from '../data/gate';
import { networkOf } from '../config/address';
import { createCounts } from '../rate-limits/counts';

/** Milliseconds that a request has to come in, with its body. */
const MAX_RECEIVING_MS = 30_000;
/** Milliseconds that a connection may take to send its first headers, also one that says nothing. */
const MAX_HEADERS_MS = 15_000;
/** How often connections are looked at for both. */
const CHECKING_MS = 5000;
/** Milliseconds that a client has to read an answer. */
const MAX_SENDING_MS = 60_000;
/** Milliseconds without a byte after which a connection is cut where neither side works on anything. */
const MAX_SILENCE_MS = 30_000;
/** Milliseconds that a connection is kept for another request: more than the 60 s of most proxies, who are to end it. */
const MAX_IDLE_MS = 72_000;
/** Each costs some kilobytes. */
const MAX_CONNECTIONS = 10_000;
/** Connections from one address, so that one host cannot take them all. */
const MAX_CONNECTIONS_OF_ADDRESS = 2000;

/** The options of a server whose connections clients cannot hold by doing nothing, or a byte now and then. */
export function timeouts({ limits }: Pick<ServerConfig, 'limits'>) {
  return {
    requestTimeout: MAX_RECEIVING_MS,
    // While a request is worked on nothing comes or goes.
    connectionTimeout: limits.milliseconds + MAX_SILENCE_MS,
    keepAliveTimeout: MAX_IDLE_MS,
    http: { headersTimeout: MAX_HEADERS_MS, connectionsCheckingInterval: CHECKING_MS },
  };
}

/**
 * Limits the connections of a server, those of one address where no proxy stands before it, and the time that each answer
 * may take to be read.
 */
export function limitConnections(
  app: FastifyInstance,
  { trustProxy }: Pick<ServerConfig, 'trustProxy'>,
): void {
  app.server.maxConnections = MAX_CONNECTIONS;
  if (trustProxy === false) {
    const open = createCounts(MAX_CONNECTIONS_OF_ADDRESS);
    app.server.on('connection', (socket) => {
      const address = networkOf(socket.remoteAddress ?? '');
      if (!open.add(address)) socket.destroy();
      else
        socket.once('close', () => {
          open.remove(address);
        });
    });
  }
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    done(null, payload);
    // The client has gone: a timer would only keep the answer in memory.
    if (raw.destroyed) return;
    const timer = setTimeout(() => raw.destroy(), MAX_SENDING_MS).unref();
    raw.once('close', () => {
      clearTimeout(timer);
    });
  });
}

/** Gives each request of a scope a pass, closed when its time is over, when it is answered, or when its client goes. */
export function enterRequests(
  scope: FastifyInstance,
  gate: Gate,
  { limits }: Pick<ServerConfig, 'limits'>,
): (request: FastifyRequest) => Pass {
  const passes = new WeakMap<object, Pass>();
  const passOf = (request: FastifyRequest) => {
    let pass = passes.get(request);
    if (pass === undefined) passes.set(request, (pass = gate.enter(limits.milliseconds)));
    return pass;
  };
  scope.addHook('onRequest', (request, { raw }, done) => {
    const pass = passOf(request);
    raw.once('close', () => {
      pass.close();
    });
    done();
  });
  return passOf;
}
