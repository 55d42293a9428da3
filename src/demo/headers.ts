import type { HeadersOfVisitor, Visitor } from '../kit/graphiql/graphiql';
import { isLoopbackAddress, isLoopbackHost } from '../kit/config/address';
import type { Database } from '../kit/cassandra/database';
import { readMany } from '../kit/data/load';
import { users } from '../user/user.table';
import { createSigner } from '../viewer/sign';
import type { TokenSettings } from '../viewer/token';
import { ADA } from './network';

/** Header fields that proxies add: who sent the request is not who asks. */
const FORWARDING =
  /^(via|forwarded|x-forwarded(-.*)?|x-real-ip|x-client-ip|x-original-.*|x-cluster-client-ip|x-envoy-.*|true-client-ip|cf-.*|fastly-.*|x-azure-.*|x-amzn-.*)$/;

/**
 * Lets who opens GraphiQL ask as `ada` of the demo network, where she is: only at a server that signs for itself and
 * listens to this machine alone, and only from its own page on this machine. The ends of the connection decide, since
 * a sender cannot make them up.
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

/** Whether both ends of the connection are here, and nobody forwards. No browser speaks HTTP/1.0, but proxies that add no header do. */
function isOnThisMachine({ socket, headers, raw }: Visitor): boolean {
  return (
    isLoopbackAddress(socket.remoteAddress) &&
    isLoopbackAddress(socket.localAddress) &&
    raw.httpVersion !== '1.0' &&
    !Object.keys(headers).some((name) => FORWARDING.test(name))
  );
}

/** Whether the page asks that this server sends: another site may be open in the same browser, and may have made its name lead here. */
function isOfOwnPage({ hostname, headers }: Visitor): boolean {
  return isLoopbackHost(hostname) && (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin';
}
