import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from '../config/config';
import { findNetwork, findWiderNetworks } from '../config/address';
import { createCallerAddress } from './caller-address';
import { createNetworkCounts } from './network-counts';

/** A browser that opens GraphiQL asks for some thirty files. */
const MAX_PAGES_AT_ONCE = 100;

/**
 * Bounds the requests of each address to a scope that are not answered, or whose answers it has not read: each may hold an open file, or all
 * metrics. `refused` is called for each that is refused. Pages cost no points, because whoever opens them has asked nothing yet.
 */
export function limitPages(
  scope: FastifyInstance,
  { trustedProxies }: Pick<ServerConfig, 'trustedProxies'>,
  refused: () => void,
): void {
  const addressOf = createCallerAddress(trustedProxies);
  const count = createNetworkCounts(MAX_PAGES_AT_ONCE, 'pages', refused);
  const enter = (address: string) => count([findNetwork(address), ...findWiderNetworks(address)]);
  scope.addHook('onRequest', (request, { raw }, done) => {
    try {
      raw.once('close', enter(addressOf(request)));
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}
