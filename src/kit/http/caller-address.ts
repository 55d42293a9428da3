import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import parseForwarded from 'forwarded-parse';
import { attached } from '../base/attached';
import { findNetwork, withoutBrackets } from '../config/address';

/** The end of an address that names a port, or hides it as RFC 7239 allows (section 6.3). */
const PORT = /:(\d{1,5}|_[\w.-]+)$/;
/** A value of `Forwarded` that holds a colon or brackets. It should stand in quotes, but some proxies leave them out. */
const UNQUOTED = /\bfor=([^\s",;=:[\]]*[:[\]][^\s",;]*)/gi;

/** Matches a `Forwarded` header that tells an address. Others tell the protocol only. */
const TELLS_ADDRESS = /\bfor=/i;

/** The end of a connection, and what the request says. */
interface Sender {
  readonly ip: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Creates the function that finds the address from which a request came. If trusted proxies passed it on, they tell the address in
 * `X-Forwarded-For` or `Forwarded` (RFC 7239): from the last entry on, each is believed as long as a trusted proxy wrote it. If an entry
 * cannot be read, the address is that of the proxy that wrote it. The same holds if both headers are there and differ, because a proxy
 * writes one of them and may pass on the other as the client sent it.
 *
 * Entries that nobody believes are not read: a client may send thousands, which would take longer than the rest of its request. The result
 * is kept on the request.
 */
export function createCallerAddress(proxies: readonly string[]): (sender: Sender) => string {
  if (proxies.length === 0) return ({ ip }) => ip;
  const isTrusted = compile([...proxies]);
  /** The address that a header tells to a proxy which is trusted; undefined if it tells of none. */
  const walk = (ip: string, entries: Iterable<string | null>) => {
    let address: string | undefined;
    let distance = 0;
    for (const entry of entries) {
      address ??= ip;
      if (entry === null) break;
      address = entry;
      if (!isTrusted(address, ++distance)) break;
    }
    return address;
  };
  const find = ({ ip, headers }: Sender) => {
    if (!isTrusted(ip, 0)) return ip;
    const told = [
      walk(ip, entriesOfList(headers['x-forwarded-for'])),
      walk(ip, entriesOfForwarded(headers.forwarded)),
    ];
    const [address = ip, other = address] = told.filter((one) => one !== undefined);
    return findNetwork(address) === findNetwork(other) ? address : ip;
  };
  const found = attached<string>();
  return (sender) => {
    let address = found.get(sender);
    if (address === undefined) found.set(sender, (address = find(sender)));
    return address;
  };
}

/** The addresses in `X-Forwarded-For`, the last one first, null for what is none. */
function* entriesOfList(header: string | readonly string[] | undefined): Iterable<string | null> {
  const text = String(header ?? '');
  for (let end = text.length; end >= 0;) {
    const comma = end === 0 ? -1 : text.lastIndexOf(',', end - 1);
    const entry = text.slice(comma + 1, end).trim();
    if (entry !== '') yield addressIn(entry);
    end = comma;
  }
}

/** The addresses in `Forwarded`, the last one first, null for what is none; nothing if it tells of none. */
function* entriesOfForwarded(header: string | undefined): Iterable<string | null> {
  if (header === undefined || !TELLS_ADDRESS.test(header)) return;
  for (const element of elementsOf(header)) yield addressOfElement(element);
}

/** The elements of `Forwarded`, the last one first. Commas in quotes divide none. */
function* elementsOf(header: string): Iterable<string> {
  let end = header.length;
  let isQuoted = false;
  for (let at = end - 1; at >= 0; at--) {
    if (header[at] === '"' && !isEscaped(header, at)) isQuoted = !isQuoted;
    else if (header[at] === ',' && !isQuoted) {
      yield header.slice(at + 1, end);
      end = at;
    }
  }
  yield header.slice(0, end);
}

/** Whether an odd number of backslashes stands before a character. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

function addressOfElement(text: string): string | null {
  try {
    const [element] = parseForwarded(text.trim().replace(UNQUOTED, 'for="$1"'));
    return addressIn(element?.['for'] ?? '');
  } catch {
    return null;
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
