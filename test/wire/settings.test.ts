import { readConfig } from '../../src/config';
import { clientOptions } from '../../src/kit/cassandra/client-options';

const points = (text: string) => readConfig({ CASSANDRA_CONTACT_POINTS: text }).cassandra.contactPoints;

test.each([
  ['::1', ['::1']],
  ['[::1]', ['::1']],
  ['[::1]:9042', ['[::1]:9042']],
  ['[2001:db8::1]:9042, node2:9043,10.0.0.1', ['[2001:db8::1]:9042', 'node2:9043', '10.0.0.1']],
  ['2001:db8:0:0:0:0:0:1', ['2001:db8:0:0:0:0:0:1']],
  ['fe80::1%eth0', ['fe80::1%eth0']],
  ['[::ffff:10.0.0.1]:9042', ['[::ffff:10.0.0.1]:9042']],
])('nodes of a cluster may have IPv6 addresses: %s', (text, expected) => {
  expect(points(text)).toEqual(expected);
});

test.each([
  ['::1', 9042],
  ['2001:db8::10', 9042],
  ['[2001:db8::10]:9043', 9043],
  ['10.0.0.1', 9042],
  ['node2:9043', 9043],
])('the nodes of a cluster are looked for at the port of the first: %s', (text, port) => {
  const { cassandra } = readConfig({ CASSANDRA_CONTACT_POINTS: text });
  const { contactPoints, localDatacenter, readConsistency, writeConsistency } = cassandra;
  const options = { localDatacenter, readConsistency, writeConsistency, contactPoints: contactPoints ?? [] };
  expect(clientOptions(options).protocolOptions?.port).toBe(port);
});

test('the password of a cluster without its nodes is refused, because it would not be used', () => {
  const blank = { CASSANDRA_CONTACT_POINTS: ' ', CASSANDRA_USERNAME: 'ada', CASSANDRA_PASSWORD: 'x' };
  expect(() => readConfig(blank)).toThrow(
    'CASSANDRA_USERNAME needs CASSANDRA_CONTACT_POINTS, but that is not set.',
  );
});

test.each([
  '[::1',
  '::1]:9042',
  '[::1]:0',
  '[::1]:65536',
  '[::1]9042',
  '[node]:9042',
  '[10.0.0.1]:9042',
  '2001:db8:::1',
  'node:9042:1',
  ':9042',
  'a b',
])('the contact point %j is refused by name', (text) => {
  expect(() => points(text)).toThrow(/CASSANDRA_CONTACT_POINTS .* must be host or host:port/);
});

test.each([
  ['::1', '::1', 'everybody'],
  ['[::1]', '::1', 'everybody'],
  ['::', '::', 'nobody'],
  ['[2001:db8::1]', '2001:db8::1', 'nobody'],
  ['127.0.0.1', '127.0.0.1', 'everybody'],
  ['localhost', 'localhost', 'everybody'],
])('HOST=%s', (text, host, explain) => {
  expect(readConfig({ HOST: text })).toMatchObject({ host, explain });
});

test.each([
  ['[fd00::1], fd00::/8', ['fd00::1', 'fd00::/8']],
  ['fe80::1%eth0, ::ffff:10.0.0.1', ['fe80::1%eth0', '::ffff:10.0.0.1']],
])('proxies may have IPv6 addresses: %s', (text, expected) => {
  expect(readConfig({ TRUST_PROXY: text }).trustedProxies).toEqual(expected);
});

test.each([
  '0.0.0.0/0',
  '::/0',
  '10/8',
  '10.0.0.0/33',
  '10.0.0.1:80',
  '[fd00::1]:80',
  'true',
  '1',
  'proxy.example',
])('TRUST_PROXY=%s is refused by name', (text) => {
  expect(() => readConfig({ TRUST_PROXY: text })).toThrow(/TRUST_PROXY .* must be addresses/);
});

test('NATS, the keys of an issuer and origins may have IPv6 addresses', () => {
  const config = readConfig({
    NATS_URL: 'nats://[::1]:4222, nats://[2001:db8::1]',
    JWT_JWKS_URL: 'http://[::1]:8080/keys',
    CORS_ORIGIN: 'http://[::1]:3000',
  });
  expect(config.natsUrls).toEqual(['nats://[::1]:4222', 'nats://[2001:db8::1]']);
  expect(config.jwt.jwksUrl).toBe('http://[::1]:8080/keys');
  expect(config.corsOrigins).toEqual(['http://[::1]:3000']);
});

test('WORKERS is a number or auto, which is at least one', () => {
  expect(readConfig({ WORKERS: '3' }).workers).toBe(3);
  expect(readConfig({ WORKERS: ' ' }).workers).toBe(1);
  expect(readConfig({ WORKERS: 'auto' }).workers).toBeGreaterThanOrEqual(1);
  for (const wrong of ['0', '257', '1.5', 'all'])
    expect(() => readConfig({ WORKERS: wrong })).toThrow(
      `WORKERS is not usable: must be auto or a whole number from 1 to 256, but got: "${wrong}"`,
    );
});
