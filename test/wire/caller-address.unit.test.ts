import net from 'node:net';
import fc from 'fast-check';
import { findNetwork } from '../../src/kit/config/address';
import { createCallerAddress } from '../../src/kit/http/caller-address';

const PROXY = '10.0.0.1';
const addressOf = createCallerAddress(['10.0.0.0/8', 'fd00::/8', 'loopback']);
const behind = (headers: Record<string, string>, ip = PROXY) => addressOf({ ip, headers });

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['203.0.113.7:', PROXY],
  ['203.0.113.7:_p1', '203.0.113.7'],
  ['  203.0.113.7\t', '203.0.113.7'],
  ['"203.0.113.7:51234"', '203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['"[2001:db8::7]:443"', '2001:db8::7'],
  ['2001:db8:0:0:0:0:0:7:443', '2001:db8:0:0:0:0:0:7'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['[fe80::1%25eth0]:80', 'fe80::1%25eth0'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['198.51.100.1,203.0.113.7:1,10.0.0.2:99', '203.0.113.7'],
  ['198.51.100.1, 10.0.0.3, [fd00::1]:1, 10.0.0.2', '198.51.100.1'],
  [', ,203.0.113.7,,', '203.0.113.7'],
  ['10.0.0.9', '10.0.0.9'],
  // What cannot be read is the proxy that wrote it.
  ['unknown', PROXY],
  ['_hidden', PROXY],
  ['198.51.100.1, unknown', PROXY],
  ['198.51.100.1, unknown, 10.0.0.2', '10.0.0.2'],
  ['unknown, 203.0.113.7', '203.0.113.7'],
  ['203.0.113.7.', PROXY],
  ['203.0.113', PROXY],
  ['3405803783', PROXY],
  ['0xcb.0.113.7', PROXY],
  ['203.0.113.256', PROXY],
  ['203.0.113.7:port', PROXY],
  ['[2001:db8::7', PROXY],
  ['example.org', PROXY],
  ['', PROXY],
])('X-Forwarded-For: %s', (header, address) => {
  expect(behind({ 'x-forwarded-for': header })).toBe(address);
});

test.each([
  ['for=203.0.113.7', '203.0.113.7'],
  ['For="203.0.113.7:51234"', '203.0.113.7'],
  ['for=203.0.113.7:51234', '203.0.113.7'],
  ['for="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
  ['for=[2001:db8:cafe::17]', '2001:db8:cafe::17'],
  ['for=192.0.2.43, for="[2001:db8:cafe::17]"', '2001:db8:cafe::17'],
  ['for=192.0.2.43, FOR=10.0.0.2;proto=https;by=203.0.113.43', '192.0.2.43'],
  ['for=203.0.113.7;proto=http;by="[fd00::1]:80"', '203.0.113.7'],
  ['proto=http ; for=203.0.113.7', '203.0.113.7'],
  ['for="203.0.113.7:_port"', '203.0.113.7'],
  ['for=unknown', PROXY],
  ['for=_hidden', PROXY],
  ['for="_SEVKISEK"', PROXY],
  ['for="_gazonk:8080"', PROXY],
  ['for=198.51.100.1, for=unknown', PROXY],
  ['for=198.51.100.1, proto=https', PROXY],
  ['for="203.0.113.7', PROXY],
  ['for=', PROXY],
  ['203.0.113.7', PROXY],
  ['proto=https', PROXY],
  ['', PROXY],
])('Forwarded: %s', (header, address) => {
  expect(behind({ forwarded: header })).toBe(address);
});

test('both headers are believed if they name the same caller, and the proxy is the caller if not', () => {
  const both = (list: string, forwarded: string) => behind({ 'x-forwarded-for': list, forwarded });
  expect(both('203.0.113.7:1', 'for="203.0.113.7:1"')).toBe('203.0.113.7');
  expect(both('203.0.113.7', 'proto=https')).toBe('203.0.113.7');
  expect(both('203.0.113.7', 'for=198.51.100.1')).toBe(PROXY);
  expect(both('198.51.100.1', 'for=unknown')).toBe(PROXY);
});

test('nobody is believed whom the settings do not trust', () => {
  const headers = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
  expect(behind(headers, '192.0.2.1')).toBe('192.0.2.1');
  expect(behind(headers, '::ffff:192.0.2.1')).toBe('::ffff:192.0.2.1');
  expect(behind(headers, '::ffff:10.0.0.1')).toBe('203.0.113.7');
  expect(behind(headers, '::1')).toBe('203.0.113.7');
  expect(behind(headers, '')).toBe('');
  expect(createCallerAddress([])({ ip: PROXY, headers })).toBe(PROXY);
});

test('whatever a client sends before the proxy adds its entry, it is the same caller, or the proxy', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '203.0.113.7',
      '"',
      ',',
      ';',
      'for=',
      'for="',
      '[',
      ']',
      '\\',
      ' ',
      'unknown',
      '10.0.0.2',
    ),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const sent = parts.join('');
      const list = behind({ 'x-forwarded-for': `${sent}, 198.51.100.1:4242` });
      const forwarded = behind({ forwarded: `${sent}, for="198.51.100.1:4242"` });
      expect(list).toBe('198.51.100.1');
      expect(['198.51.100.1', PROXY]).toContain(forwarded);
    }),
    { numRuns: 2000 },
  );
});

test('an address that was found is found again', () => {
  const headers = { 'x-forwarded-for': '198.51.100.1, unknown, 10.0.0.3, 10.0.0.2' };
  const found = behind(headers);
  expect(found).toBe('10.0.0.3');
  expect(addressOf({ ip: found, headers })).toBe(found);
});

test('callers are told apart by IPv4 addresses and by /64 networks of IPv6', () => {
  const callers = (...entries: string[]) =>
    new Set(entries.map((entry) => findNetwork(behind({ 'x-forwarded-for': entry }))));
  expect(callers('203.0.113.7:1', '203.0.113.7:2', '::ffff:203.0.113.7', '[::ffff:cb00:7107]:3').size).toBe(
    1,
  );
  expect(callers('2001:db8::1', '[2001:db8::2]:443', '2001:DB8:0:0:ffff::').size).toBe(1);
  expect(callers('2001:db8::1', '2001:db8:0:1::1').size).toBe(2);
  expect(callers('fe80::1%eth0', 'fe80::1%eth1').size).toBe(1);
});

describe('of many entries that a client sends ahead', () => {
  const isIP = jest.spyOn(net, 'isIP');
  beforeEach(() => isIP.mockClear());
  afterAll(() => {
    isIP.mockRestore();
  });
  const many = (entry: string) => `${entry}, `.repeat(4000);
  const headers = {
    'x-forwarded-for': `${many('10.0.0.2')}203.0.113.7, 10.0.0.3`,
    forwarded: `${many('for=10.0.0.2')}for=203.0.113.7, for=10.0.0.3`,
  };

  test('only those are read that are believed', () => {
    expect(behind({ 'x-forwarded-for': headers['x-forwarded-for'] })).toBe('203.0.113.7');
    expect(behind({ forwarded: headers.forwarded })).toBe('203.0.113.7');
    expect(behind(headers)).toBe('203.0.113.7');
    expect(isIP.mock.calls.length).toBeLessThan(50);
  });

  test('none is read of whom nobody trusts', () => {
    expect(behind(headers, '192.0.2.1')).toBe('192.0.2.1');
    expect(isIP.mock.calls.length).toBeLessThan(10);
  });

  test('none is read again for the same request', () => {
    const request = { ip: PROXY, headers };
    expect(addressOf(request)).toBe('203.0.113.7');
    isIP.mockClear();
    expect(addressOf(request)).toBe('203.0.113.7');
    expect(isIP.mock.calls.length).toBe(0);
  });
});

test.each([
  ['for="203.0.113.7";by="a, b"', '203.0.113.7'],
  ['for=198.51.100.1, for="203.0.113.7";by="a\\", for=192.0.2.1"', '203.0.113.7'],
  // A quote that a client leaves open does not reach into what the proxy adds.
  ['for=", for=203.0.113.7', '203.0.113.7'],
])('Forwarded with quotes: %s', (header, address) => {
  expect(behind({ forwarded: header })).toBe(address);
});
