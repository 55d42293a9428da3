import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { checkIdentity } from '../base/server-identity';
import { withoutBrackets } from '../config/address';

/** How the nodes of a cluster are recognised. */
export interface TlsSettings {
  /** The certificate authority, in PEM format. Only certificates that it has signed are accepted. */
  readonly ca: string;
  /** Names that a node's certificate may have, besides the address of the node and the names of the contact points. */
  readonly serverNames: readonly string[];
}

/**
 * The options of a connection that is only made to the nodes that are meant. The driver connects to addresses, also for contact
 * points with names, and knows the other nodes by their addresses only. So a certificate must have the address of the node, or one
 * of the names by which the settings know the cluster. Nothing is sent to a node before its certificate is checked.
 */
export function tlsOptions(
  { ca, serverNames }: TlsSettings,
  contactPoints: readonly string[],
): ConnectionOptions {
  const names = [
    ...new Set([...contactPoints.map(hostOf).filter((host) => isIP(host) === 0), ...serverNames]),
  ];
  return {
    ca: [ca],
    // The driver's own default accepts every certificate.
    rejectUnauthorized: true,
    checkServerIdentity: (address, certificate) =>
      checkIdentity([address, ...names], certificate, 'CASSANDRA_TLS_SERVER_NAMES'),
  };
}

/** The host of a contact point, which is `host:port`, without the brackets of IPv6. */
function hostOf(contactPoint: string): string {
  return isIP(contactPoint) !== 0 ? contactPoint : withoutBrackets(contactPoint.replace(/:\d+$/, ''));
}
