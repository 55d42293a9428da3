import type { IncomingMessage, Server } from 'node:http';

/** A request target with a scheme and a host (absolute form of RFC 9112, section 3.2.2): the host, and the rest. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Tells which requests become WebSockets: those that offer it to `path`. Every other `Upgrade`, such as to HTTP/2 without TLS, is
 * ignored, as every server may do (RFC 9110, section 7.8).
 */
export function isSocketTo(path: string): (request: IncomingMessage) => boolean {
  return ({ method, headers, url = '', httpVersion }) => {
    const [asked] = (ABSOLUTE.exec(url)?.[2] ?? url).split('?', 1);
    const isSocket =
      asked === path && method === 'GET' && httpVersion !== '1.0' && offersSocket(headers.upgrade);
    // The only one of the offered protocols that `ws` is to see.
    if (isSocket) headers.upgrade = 'websocket';
    return isSocket;
  };
}

/**
 * Makes a server answer requests with an unknown `Expect` header as if they had none; Node would answer 417. Node itself sends `100
 * Continue`.
 */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
}

/** The target of a request without scheme and host, which it may have as for a proxy. The host replaces the Host header, as RFC 9112 says. */
export function withoutHost({ url = '/', headers }: IncomingMessage): string {
  const [, host, rest] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined || rest === undefined) return url;
  headers.host = host;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Whether a list of protocols, the preferred one first, has WebSocket. */
function offersSocket(upgrade = ''): boolean {
  return upgrade.split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket');
}
