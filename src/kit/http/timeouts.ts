import type { FastifyInstance, FastifyRequest } from 'fastify';
import { attached } from '../base/attached';
import type { ServerConfig } from '../config/config';
import type { Gate, Pass } from '../reads/gate';
import { findNetwork, findWiderNetworks } from '../config/address';
import { createNetworkCounts } from './network-counts';

/** Milliseconds in which a request must arrive, with its body. */
const MAX_RECEIVING_MS = 30_000;
/** Milliseconds in which a connection must send its first headers, even if it sends nothing at all. */
const MAX_HEADERS_MS = 15_000;
/** Milliseconds between two checks of all connections for both. */
const CHECKING_MS = 5000;
/** Milliseconds in which a client must read an answer, or a part of a file. */
const MAX_SENDING_MS = 60_000;
/** Milliseconds without a byte after which a connection is closed, if the server is not working on a request of it. */
const MAX_SILENCE_MS = 30_000;
/** Milliseconds for which an idle connection is kept: more than the 60 s of most proxies, because the proxy should close it. */
const MAX_IDLE_MS = 72_000;
/** Each connection takes some kilobytes. */
const MAX_CONNECTIONS = 25_000;
/** Connections from one address, so that one host cannot take them all, nor one site. */
const MAX_CONNECTIONS_OF_ADDRESS = 2000;
/** How many times as many the IPv6 networks of a household and a site may have together. */
const CONNECTION_SHARES = [1, 2, 4];

/** The server options that keep clients from holding connections by sending nothing, or a byte now and then. */
export function timeouts({ limits }: Pick<ServerConfig, 'limits'>) {
  return {
    requestTimeout: MAX_RECEIVING_MS,
    // While the server works on a request, no bytes are sent in either direction.
    connectionTimeout: limits.milliseconds + MAX_SILENCE_MS,
    keepAliveTimeout: MAX_IDLE_MS,
    http: { headersTimeout: MAX_HEADERS_MS, connectionsCheckingInterval: CHECKING_MS },
  };
}

/**
 * Limits the connections of a server, the connections of one address and of its network (unless the server is behind a proxy), and the
 * time in which a client must read an answer.
 */
export function limitConnections(
  app: FastifyInstance,
  { trustedProxies }: Pick<ServerConfig, 'trustedProxies'>,
): void {
  app.server.maxConnections = MAX_CONNECTIONS;
  if (trustedProxies.length === 0) {
    const count = createNetworkCounts(
      MAX_CONNECTIONS_OF_ADDRESS,
      'connections',
      () => undefined,
      CONNECTION_SHARES,
    );
    app.server.on('connection', (socket) => {
      const { remoteAddress = '' } = socket;
      try {
        socket.once('close', count([findNetwork(remoteAddress), ...findWiderNetworks(remoteAddress)]));
      } catch {
        socket.destroy();
      }
    });
  }
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    done(null, payload);
    // If the client is gone, a timer would only keep the answer in memory.
    if (raw.destroyed) return;
    const timer = setTimeout(() => raw.destroy(), MAX_SENDING_MS).unref();
    // Only an answer that is sent in parts waits for the client to read one.
    raw.on('drain', () => {
      timer.refresh();
    });
    raw.once('close', () => {
      clearTimeout(timer);
    });
  });
}

/** Gives each request of a scope a pass, which is closed at the deadline, when the request is answered, or when its client is gone. */
export function enterRequests(
  scope: FastifyInstance,
  gate: Gate,
  { limits }: Pick<ServerConfig, 'limits'>,
): (request: FastifyRequest) => Pass {
  const passes = attached<Pass>();
  const passOf = (request: FastifyRequest) => {
    let pass = passes.get(request);
    if (pass === undefined)
      passes.set(request, (pass = gate.openPass(limits.milliseconds, limits.readBytes)));
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
