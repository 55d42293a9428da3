import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The address by which rate limits tell callers apart: an IPv4 address itself, or the /64 network of an IPv6 address, in which a host can take any. */
export function findNetwork(address: string): string {
  // These need no parsing, which would take a hundredth of the time of a small request.
  if (isIPv4(address) || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4 ? parsed.toString() : nameNetwork(parsed, 64);
}

/** The larger networks of an IPv6 address that one household or one site may have, /56 and /48; none of an IPv4 address. */
export function findWiderNetworks(address: string): string[] {
  if (isIPv4(address) || !ipaddr.isValid(address)) return [];
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4 ? [] : [nameNetwork(parsed, 56), nameNetwork(parsed, 48)];
}

/** Names the network of the first bits of an address. */
function nameNetwork({ parts }: ipaddr.IPv6, bits: number): string {
  const groups = parts.slice(0, Math.ceil(bits / 16));
  const rest = bits % 16;
  const own = groups.map((group, n) =>
    n === groups.length - 1 && rest > 0 ? group & -(1 << (16 - rest)) : group,
  );
  return `${own.map((group) => group.toString(16)).join(':')}::/${bits}`;
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
