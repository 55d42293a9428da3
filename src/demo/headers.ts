import type { HeadersOfVisitor, Visitor } from '../tools/graphiql/graphiql';
import { isLoopbackAddress, isLoopbackHost } from '../kit/config/address';
import type { Database } from '../kit/cassandra/database';
import { readMany } from '../kit/reads/load';
import { users } from '../features/user/user.table';
import { createSigner } from '../features/viewer/sign';
import type { TokenSettings } from '../features/viewer/token';
import { ADA } from './network';

/** Header fields that proxies add: they show that the sender of the request is not the visitor. */
const FORWARDING =
  /^(via|forwarded|x-forwarded(-.*)?|x-real-ip|x-client-ip|x-original-.*|x-cluster-client-ip|x-envoy-.*|true-client-ip|cf-.*|fastly-.*|x-azure-.*|x-amzn-.*)$/;

/**
 * Creates the function that gives visitors of GraphiQL the token of `ada` of the demo network, if she exists. It does so
 * only if the server signs its own tokens and listens only to this machine, and only for requests of its own page on this
 * machine. The addresses of the connection decide that, because a sender cannot forge them.
 */
export function createDemoHeaders(
  database: Database,
  host: string,
  tokens: TokenSettings | null,
): HeadersOfVisitor {
  const signer = tokens?.signsItself && isLoopbackHost(host) ? createSigner(tokens) : null;
  return async (visitor) => {
    if (signer === null || !isOnThisMachine(visitor) || !isOfOwnPage(visitor)) return {};
    const [ada] = await readMany(database, users.get, [{ userId: ADA }]);
    return ada ? { authorization: `Bearer ${await signer.forUser(ADA)}` } : {};
  };
}

/**
 * Whether both ends of the connection are on this machine and no proxy forwards the request. Browsers do not use HTTP/1.0,
 * but proxies that add no header do.
 */
function isOnThisMachine({ socket, headers, raw }: Visitor): boolean {
  return (
    isLoopbackAddress(socket.remoteAddress) &&
    isLoopbackAddress(socket.localAddress) &&
    raw.httpVersion !== '1.0' &&
    !Object.keys(headers).some((name) => FORWARDING.test(name))
  );
}

/**
 * Whether the request comes from a page of this server. Another site may be open in the same browser, and its name may
 * resolve to this machine (DNS rebinding).
 */
function isOfOwnPage({ hostname, headers }: Visitor): boolean {
  return isLoopbackHost(hostname) && (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin';
}
