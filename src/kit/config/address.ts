import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** How many groups of an IPv6 address name a subscriber's network (/64). Within it a host can take any address. */
const NETWORK_GROUPS = 4;

/** The address by which rate limits tell callers apart: an IPv4 address itself, or the /64 network of an IPv6 address. */
export function findNetwork(address: string): string {
  // What needs no parsing, which would take a hundredth of a small request.
  if (isIPv4(address) || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** Whether an address is a loopback address of this machine, which no other machine can send from. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** A host without the brackets in which URLs write IPv6 addresses. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Whether a host, as a URL or a setting writes it, is reachable from this machine only. */
export function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isLoopbackAddress(withoutBrackets(host));
}
