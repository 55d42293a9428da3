import type { HeadersOfVisitor } from '../kit/graphiql/graphiql';
import type { Database } from '../kit/cassandra/database';
import { readMany } from '../kit/load';
import { users } from '../user/user.table';
import { createSigner } from '../viewer/sign';
import type { TokenSettings } from '../viewer/token';
import { ADA } from './network';

/**
 * Lets who opens GraphiQL ask as `ada` of the demo network, where she is: only at a server that signs for itself and
 * listens to this machine alone, and only from its own page. Another site may be open in the same browser, and may have
 * made its name lead to this machine.
 */
export function createDemoHeaders(
  database: Database,
  host: string,
  tokens: TokenSettings | null,
): HeadersOfVisitor {
  const signer = tokens?.signsItself && isLoopback(host) ? createSigner(tokens) : null;
  return async ({ hostname, headers }) => {
    const site = headers['sec-fetch-site'] ?? 'same-origin';
    if (signer === null || !isLoopback(hostname) || site !== 'same-origin') return {};
    const [ada] = await readMany(database, users.get, [{ userId: ADA }]);
    return ada ? { authorization: `Bearer ${await signer.forUser(ADA)}` } : {};
  };
}

function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host);
}
