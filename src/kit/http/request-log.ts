import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { compile } from '@fastify/proxy-addr';
import { LRUCache } from 'lru-cache';

/** The header field with the id of a request, in the answer and, from a trusted proxy, in the request. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** An id as proxies and tools make them: a UUID, a number, or another word of safe characters. */
const REQUEST_ID = /^[\w.:=+/-]{1,128}$/;

/**
 * Creates the function that gives each request an id: the one that a trusted proxy has given it, or a new one. Anybody else could make
 * the lines of other requests look like their own.
 */
export function createRequestIds(proxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxies.length === 0 ? () => false : compile([...proxies]);
  return ({ headers, socket }) => {
    const given = headers[REQUEST_ID_HEADER];
    const isTaken =
      typeof given === 'string' && REQUEST_ID.test(given) && isTrusted(socket.remoteAddress ?? '', 0);
    return isTaken ? given : randomUUID();
  };
}

/** How many hashes are kept, so that most need not be computed again. */
const MAX_KEPT_HASHES = 1000;
/** The characters of a hash in the log: enough to tell callers apart. */
const HASH_CHARACTERS = 16;

/**
 * Creates the function that names callers in the log without saying who they are: by a hash with a secret, because there are so few
 * addresses that each could be tried. Servers with the same secret give a caller the same name.
 */
export function createCallerHash(secret: string | null): (caller: string) => string {
  const key = secret ?? randomBytes(32);
  const hashes = new LRUCache<string, string>({
    max: MAX_KEPT_HASHES,
    memoMethod: (caller) =>
      createHmac('sha256', key).update(caller).digest('base64url').slice(0, HASH_CHARACTERS),
  });
  return (caller) => hashes.memo(caller);
}
