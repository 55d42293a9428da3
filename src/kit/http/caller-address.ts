import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import parseForwarded from 'forwarded-parse';
import { findNetwork, withoutBrackets } from '../config/address';

/** The end of an address that names a port, or hides it as RFC 7239 allows (section 6.3). */
const PORT = /:(\d{1,5}|_[\w.-]+)$/;
/** A value of `Forwarded` that holds a colon or brackets. It should stand in quotes, but some proxies leave them out. */
const UNQUOTED = /\bfor=([^\s",;=:[\]]*[:[\]][^\s",;]*)/gi;

/** The end of a connection, and what the request says. */
interface Sender {
  readonly ip: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Creates the function that finds the address from which a request came. If trusted proxies passed it on, they tell the address in
 * `X-Forwarded-For` or `Forwarded` (RFC 7239): from the last entry on, each is believed as long as a trusted proxy wrote it. Where
 * an entry cannot be read, the address is that of the proxy that wrote it. It is so, too, if both headers are there and differ,
 * because a proxy writes one of them and may pass on the other as the client sent it.
 */
export function createCallerAddress(proxies: readonly string[]): (sender: Sender) => string {
  if (proxies.length === 0) return ({ ip }) => ip;
  const isTrusted = compile([...proxies]);
  const walk = (ip: string, entries: readonly (string | null)[]) => {
    let [address, distance] = [ip, 0];
    for (const entry of entries.toReversed()) {
      if (entry === null || !isTrusted(address, distance++)) break;
      address = entry;
    }
    return address;
  };
  return ({ ip, headers }) => {
    const told = [entriesOfList(headers['x-forwarded-for']), entriesOfForwarded(headers.forwarded)];
    const [address = ip, other = address] = told.flatMap((entries) => (entries ? [walk(ip, entries)] : []));
    return findNetwork(address) === findNetwork(other) ? address : ip;
  };
}

/** The addresses in `X-Forwarded-For`, null for what is none; undefined if it has none. */
function entriesOfList(header: string | readonly string[] | undefined): (string | null)[] | undefined {
  const entries = String(header ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.length === 0 ? undefined : entries.map(addressIn);
}

/** The addresses in `Forwarded`, null for what is none; undefined if it tells of none. */
function entriesOfForwarded(header: string | undefined): (string | null)[] | undefined {
  if (header === undefined) return undefined;
  try {
    const elements = parseForwarded(header.replace(UNQUOTED, 'for="$1"'));
    if (elements.every((element) => element['for'] === undefined)) return undefined;
    return elements.map((element) => addressIn(element['for'] ?? ''));
  } catch {
    return [null];
  }
}

/** The address in an entry as proxies write it: with a port, in brackets, in quotes. Null if it is `unknown`, hidden, or no address. */
function addressIn(entry: string): string | null {
  const text = entry.replace(/^"(.*)"$/, '$1').trim();
  for (const candidate of [text, text.replace(PORT, '')]) {
    const address = withoutBrackets(candidate);
    if (isIP(address) !== 0) return address;
  }
  return null;
}
