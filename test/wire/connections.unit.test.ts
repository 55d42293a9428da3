import { EventEmitter } from 'node:events';
import { limitConnections } from '../../src/kit/http/timeouts';

/** How many of some connections from addresses are kept, each of which stays open. */
function kept(addresses: readonly string[]): number {
  const server = new EventEmitter();
  limitConnections({ server, addHook: () => undefined } as never, { trustedProxies: [] });
  let destroyed = 0;
  for (const remoteAddress of addresses)
    server.emit(
      'connection',
      Object.assign(new EventEmitter(), { remoteAddress, destroy: () => destroyed++ }),
    );
  return addresses.length - destroyed;
}

/** So many connections from each of some networks. */
const from = (networks: readonly string[], count: number) =>
  networks.flatMap((network) => Array.from({ length: count }, (_, n) => `${network}${n % 250}`));
const hexadecimal = (count: number) =>
  Array.from({ length: count }, (_, n) => n.toString(16).padStart(2, '0'));

test.each<[string, readonly string[], number]>([
  ['2,000 of an address', Array.from({ length: 3000 }, () => '192.0.2.1'), 2000],
  ['those of many addresses', from(['192.0.2.', '198.51.100.'], 3000), 6000],
  ['2,000 of a /64 of IPv6', from(['2001:db8::'], 3000), 2000],
  [
    '4,000 of a /56',
    from(
      hexadecimal(10).map((n) => `2001:db8:0:1${n}::`),
      1000,
    ),
    4000,
  ],
  [
    '8,000 of a /48',
    from(
      hexadecimal(20).map((n) => `2001:db8:0:${n}00::`),
      1000,
    ),
    8000,
  ],
])('a server keeps %s', (_, addresses, expected) => {
  expect(kept(addresses)).toBe(expected);
});

test('a connection that is closed leaves room for another', () => {
  const server = new EventEmitter();
  limitConnections({ server, addHook: () => undefined } as never, { trustedProxies: [] });
  const destroy = jest.fn();
  const open = () => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress: '192.0.2.1', destroy });
    server.emit('connection', socket);
    return socket;
  };
  const sockets = Array.from({ length: 2000 }, open);
  sockets[0]?.emit('close');
  open();
  expect(destroy).not.toHaveBeenCalled();
  open();
  expect(destroy).toHaveBeenCalledTimes(1);
});
