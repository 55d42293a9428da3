import ipaddr from 'ipaddr.js';

/** Groups of an IPv6 address that name a subscriber's network (/64): within it a host takes what addresses it likes. */
const NETWORK_GROUPS = 4;

/** One caller's address as rate limits tell callers apart: IPv4 as it is, IPv6 by its /64. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** Whether an address is this machine's own, which nobody else can have as a sender. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** Whether a host, as a URL or a setting names it, is this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'));
}
