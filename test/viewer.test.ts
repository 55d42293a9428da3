import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose';
import { readConfig } from '../src/config';
import { createIdentify, signToken } from '../src/features/viewer/token';
import { tokenSettings } from '../src/features/viewer/sign';
import { signerFor } from '../src/token/tokens';
import { writeOf } from '../src/kit/cassandra/write';
import { usersByIdentity } from '../src/features/viewer/viewer.table';
import { findWarnings } from '../src/warnings';
import { follow, JWT_SECRET, person, startHarness, tweet, type Harness } from './support/harness';

const secret = new TextEncoder().encode(JWT_SECRET);
const inMinutes = (minutes: number) => Math.floor(Date.now() / 1000) + 60 * minutes;
const token = (claims: Record<string, unknown> = {}, key: Uint8Array | CryptoKey = secret, alg = 'HS256') =>
  new SignJWT({ sub: 'ada', iss: 'https://issuer.example', aud: 'here', exp: inMinutes(5), ...claims })
    .setProtectedHeader({ alg })
    .sign(key);

async function identify(environment: NodeJS.ProcessEnv, jwt: string, embedded = false) {
  return createIdentify(await tokenSettings(readConfig(environment), embedded))(`Bearer ${jwt}`);
}

const settings = { JWT_SECRET, JWT_ISSUER: 'https://issuer.example', JWT_AUDIENCE: 'here' };
const refused = { extensions: { code: 'UNAUTHENTICATED' } };

test('a good token tells the identity; one with the scope of services a service', async () => {
  await expect(identify(settings, await token())).resolves.toEqual({
    kind: 'person',
    issuer: 'https://issuer.example',
    subject: 'ada',
  });
  const scope = 'read machine';
  await expect(
    identify({ ...settings, JWT_SERVICE_SCOPE: 'machine' }, await token({ scope })),
  ).resolves.toMatchObject({ kind: 'service', issuer: 'https://issuer.example', subject: 'ada' });
  await expect(identify(settings, await token({ scope }))).resolves.toMatchObject({ kind: 'person' });
});

test.each([
  ['expired', () => token({ exp: inMinutes(-1) })],
  ['good for ever', () => token({ exp: undefined })],
  ['not yet good', () => token({ nbf: inMinutes(1) })],
  ['of another audience', () => token({ aud: 'elsewhere' })],
  ['of another issuer', () => token({ iss: 'https://elsewhere.example' })],
  ['signed with another secret', () => token({}, new TextEncoder().encode('another secret'))],
  ['without a subject', () => token({ sub: undefined })],
  ['of a subject that is a number', () => token({ sub: 5 as unknown as string })],
  ['of an issuer that is a list', () => token({ iss: ['a'] as unknown as string })],
  [
    'not signed',
    () => Promise.resolve(new UnsecuredJWT({ sub: 'ada', aud: 'here', exp: inMinutes(5) }).encode()),
  ],
  ['no token', () => Promise.resolve('a.b.c')],
])('a token is refused that is %s', async (_, make) => {
  await expect(identify(settings, await make())).rejects.toMatchObject(refused);
});

test('a token that never expires is good where a setting says so, and its refusal says why elsewhere', async () => {
  const endless = await token({ exp: undefined });
  const allowing = { ...settings, JWT_ALLOW_NO_EXPIRY: 'true' };
  await expect(identify(allowing, endless)).resolves.toMatchObject({ subject: 'ada' });
  await expect(identify(allowing, await token({ exp: inMinutes(-1) }))).rejects.toMatchObject(refused);
  await expect(identify(settings, endless)).rejects.toThrow('`exp`');
});

const cluster = { CASSANDRA_CONTACT_POINTS: '10.0.0.1', JWT_JWKS_URL: 'https://issuer.example/keys' };
const issuer = { JWT_ISSUER: 'https://issuer.example' };
test.each<[string, NodeJS.ProcessEnv, string[]]>([
  ['a cluster that names no issuer and no audience', cluster, ['JWT_ISSUER', 'JWT_AUDIENCE']],
  ['a cluster that names an issuer only', { ...cluster, ...issuer }, ['JWT_AUDIENCE']],
  ['a cluster that names both', { ...cluster, ...issuer, JWT_AUDIENCE: 'here' }, []],
  ['a cluster that takes no tokens', { CASSANDRA_CONTACT_POINTS: '10.0.0.1' }, []],
  ['an issuer on this machine', { JWT_JWKS_URL: 'http://127.0.0.1:8080/keys' }, []],
  ['an embedded server', { JWT_SECRET: 'x'.repeat(32) }, []],
  ['an embedded server with a short secret', { JWT_SECRET: 'short' }, ['JWT_SECRET']],
  [
    'a server whose earlier secret is short',
    { JWT_SECRET: 'x'.repeat(32), JWT_PREVIOUS_SECRET: 'short' },
    ['JWT_PREVIOUS_SECRET'],
  ],
])('a start says what is unsafe in the settings of %s', (_, environment, named) => {
  const warnings = findWarnings(readConfig(environment));
  expect(warnings.map((warning) => warning.split(' ')[0])).toEqual(named);
});

test.each<[string, NodeJS.ProcessEnv, boolean, 'service' | 'person']>([
  ['an embedded server', { JWT_SECRET }, true, 'service'],
  ['a cluster without an audience', { JWT_SECRET }, false, 'person'],
  ['a cluster with an audience', { JWT_SECRET, JWT_AUDIENCE: 'here' }, false, 'service'],
])('the scope of services makes a service on %s: %#', async (_, environment, embedded, kind) => {
  const jwt = await token({ scope: 'service' });
  await expect(identify(environment, jwt, embedded)).resolves.toMatchObject({ kind });
});

test('a token that the new or the previous secret has signed is good, and no other; new ones are signed with the new', async () => {
  const rotating = { ...settings, JWT_PREVIOUS_SECRET: 'the secret of last year, of 32 bytes' };
  const previous = (claims?: Record<string, unknown>) =>
    token(claims, new TextEncoder().encode(rotating.JWT_PREVIOUS_SECRET));
  await expect(identify(rotating, await token())).resolves.toMatchObject({ subject: 'ada' });
  await expect(identify(rotating, await previous())).resolves.toMatchObject({ subject: 'ada' });
  await expect(identify(settings, await previous())).rejects.toMatchObject(refused);
  await expect(identify(rotating, await previous({ exp: inMinutes(-1) }))).rejects.toThrow('has expired');
  await expect(identify(rotating, await token({ exp: inMinutes(-1) }))).rejects.toThrow('has expired');
  const third = await token({}, new TextEncoder().encode('another secret'));
  await expect(identify(rotating, third)).rejects.toMatchObject(refused);
  const signed = await (await signerFor(readConfig(rotating), 'others')).forService();
  await expect(identify(settings, signed)).resolves.toMatchObject({ kind: 'service' });
  expect(() => readConfig({ JWT_PREVIOUS_SECRET: 'alone' })).toThrow('JWT_PREVIOUS_SECRET needs JWT_SECRET');
});

test('an embedded server takes its own tokens beside those of the issuer; a named cluster does not', async () => {
  const own = await signToken(JWT_SECRET, { subject: '1', audience: 'here' }, 1);
  await expect(identify(settings, own, true)).resolves.toEqual({
    kind: 'person',
    issuer: 'murmuration',
    subject: '1',
  });
  await expect(identify(settings, await token(), true)).resolves.toMatchObject({ subject: 'ada' });
  await expect(
    identify(settings, await token({ iss: 'https://elsewhere.example' }), true),
  ).rejects.toMatchObject(refused);
  await expect(identify(settings, own)).rejects.toMatchObject(refused);
});

test('all that start at once on one folder have the same secret, and nobody else reads it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'murmuration-secret-'));
  try {
    const config = { ...readConfig({}), dataDir };
    const keys = await Promise.all(Array.from({ length: 20 }, () => tokenSettings(config, true)));
    const [first] = keys;
    expect(first?.key).toEqual({
      secret: expect.stringMatching(/^[\w-]{43}$/) as string,
      previousSecret: null,
    });
    for (const key of keys) expect(key).toEqual(first);
    expect(await readdir(dataDir)).toEqual(['jwt-secret']);
    expect((await stat(join(dataDir, 'jwt-secret'))).mode & 0o077).toBe(0);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test('without a key no token is good', async () => {
  await expect(identify({}, await token())).rejects.toMatchObject(refused);
});

describe('with the keys that an issuer publishes', () => {
  let published: Server;
  let address: string;
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  beforeAll(async () => {
    keys = await generateKeyPair('RS256', { extractable: true });
    const jwks = JSON.stringify({
      keys: [{ ...(await exportJWK(keys.publicKey)), alg: 'RS256', use: 'sig' }],
    });
    published = createServer(({ url = '' }, response) => {
      // The status and the body that the path names, or the keys.
      const [, status, body] = /^\/keys\/(\d+)\/(.*)$/.exec(decodeURI(url)) ?? [];
      response.writeHead(Number(status ?? 200)).end(body ?? jwks);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => published.once('listening', resolve));
    address = `http://127.0.0.1:${(published.address() as AddressInfo).port}/keys`;
  });
  afterAll(() => published.close());

  test('a token signed by one of them is good', async () => {
    const jwt = await token({}, keys.privateKey, 'RS256');
    await expect(identify({ JWT_JWKS_URL: address }, jwt)).resolves.toMatchObject({ subject: 'ada' });
  });

  test('a withdrawn key is refused after a minute, and while the issuer is away the last keys hold for ten', async () => {
    const publicKey = { ...(await exportJWK(keys.publicKey)), alg: 'RS256', use: 'sig' };
    let answer = { status: 200, keys: [publicKey] };
    const issuer = createServer((_request, response) => {
      response.writeHead(answer.status).end(JSON.stringify({ keys: answer.keys }));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => issuer.once('listening', resolve));
    const url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/`;
    const identifyBy = createIdentify(await tokenSettings(readConfig({ JWT_JWKS_URL: url }), false));
    const now = jest.spyOn(Date, 'now');
    const began = Date.now();
    /** How a token that was not seen before is answered, so many seconds later. */
    const after = async (seconds: number) => {
      const exp = Math.floor(began / 1000) + 3600 + seconds;
      const jwt = await token({ exp }, keys.privateKey, 'RS256');
      now.mockReturnValue(began + seconds * 1000);
      return identifyBy(`Bearer ${jwt}`).then(
        () => 'good',
        (error: unknown) => (error as { extensions: { code: string } }).extensions.code,
      );
    };
    try {
      const given = [await after(0)];
      answer = { status: 500, keys: [] };
      given.push(await after(70), await after(590), await after(610));
      answer = { status: 200, keys: [publicKey] };
      given.push(await after(650));
      answer = { status: 200, keys: [] };
      given.push(await after(690), await after(720));
      expect(given).toEqual(['good', 'good', 'good', 'UNAVAILABLE', 'good', 'good', 'UNAUTHENTICATED']);
    } finally {
      now.mockRestore();
      issuer.close();
    }
  });

  test('a token signed with a public key for a secret is refused', async () => {
    const pem = new TextEncoder().encode(await exportSPKI(keys.publicKey));
    await expect(identify({ JWT_JWKS_URL: address }, await token({}, pem))).rejects.toMatchObject(refused);
  });

  test('a token signed by another key is refused', async () => {
    const other = await generateKeyPair('RS256');
    const jwt = await token({}, other.privateKey, 'RS256');
    await expect(identify({ JWT_JWKS_URL: address }, jwt)).rejects.toMatchObject(refused);
  });

  test('an embedded server has no tokens of its own', async () => {
    const own = await signToken(JWT_SECRET, { subject: '1', audience: null }, 1);
    await expect(identify({ JWT_JWKS_URL: address }, own, true)).rejects.toMatchObject(refused);
    const config = readConfig({ JWT_JWKS_URL: address });
    await expect(tokenSettings(config, true)).resolves.toMatchObject({ signsItself: false });
  });

  test.each([
    ['nobody listens', () => 'http://127.0.0.1:9/keys'],
    ['the answer is an error', () => `${address}/500/{}`],
    ['the answer is no JSON', () => `${address}/200/no`],
    ['the answer has no keys', () => `${address}/200/{}`],
  ])('when the keys cannot be had, the token is not blamed: %s', async (_, url) => {
    const jwt = await token({}, keys.privateKey, 'RS256');
    await expect(identify({ JWT_JWKS_URL: url() }, jwt)).rejects.toMatchObject({
      extensions: { code: 'UNAVAILABLE' },
    });
  });
});

describe('a server', () => {
  let server: Harness;
  beforeAll(async () => {
    server = await startHarness();
    await server.store([person('1', 'ada'), person('2', 'bo'), follow('1', '2'), tweet('100', '2')]);
  });
  afterAll(() => server.close());

  const TIMELINE = '{ user(username: "ada") { name timeline { nodes { tweetId } } } }';
  const shown = { name: 'The ada', timeline: { nodes: [{ tweetId: '100' }] } };
  const hidden = { name: 'The ada', timeline: null };

  test('tells the viewer', async () => {
    const viewer = '{ viewer { username } }';
    expect((await server.query(viewer, {}, '1')).data).toEqual({ viewer: { username: 'ada' } });
    for (const who of [null, 'service', 'an identity without a user'])
      expect(await server.query(viewer, {}, who)).toMatchObject({ data: { viewer: null }, errors: [] });
  });

  test('takes the subject for a user of its own tokens only', async () => {
    const of = async (iss: string) => `Bearer ${await token({ sub: '1', iss, aud: undefined })}`;
    const viewer = '{ viewer { username } }';
    expect((await server.query(viewer, {}, await of('murmuration'))).data).toEqual({
      viewer: { username: 'ada' },
    });
    expect((await server.query(viewer, {}, await of('https://issuer.example'))).data).toEqual({
      viewer: null,
    });
  });

  test('remembers whose token it is, unless the user is new', async () => {
    const remembering = await startHarness({ CACHE_SECONDS: '2' }, server);
    await server.store([{ ...person('3', 'cy'), createdAt: new Date() }]);
    const isAsked = async (userId: string) => {
      const issuer = 'https://issuer.example';
      const { query, params } = writeOf(usersByIdentity, { issuer, subject: `of ${userId}`, userId });
      await server.database.write(query, params);
      const who = `Bearer ${await token({ sub: `of ${userId}`, iss: issuer, aud: undefined })}`;
      const { data, reads } = await remembering.query('{ viewer { userId } }', {}, who);
      expect(data).toEqual({ viewer: { userId } });
      return reads.some(({ statement }) => statement === 'users_by_identity.get');
    };
    expect([await isAsked('1'), await isAsked('1')]).toEqual([true, false]);
    expect([await isAsked('3'), await isAsked('3')]).toEqual([true, true]);
    const elsewhere = await token({ sub: 'of 1', iss: 'https://elsewhere.example', aud: undefined });
    expect((await remembering.query('{ viewer { userId } }', {}, `Bearer ${elsewhere}`)).data).toEqual({
      viewer: null,
    });
    await remembering.close();
  });

  test.each(['1', 'service'])('shows a timeline to its user and to services: %s', async (who) => {
    expect(await server.query(TIMELINE, {}, who)).toMatchObject({ data: { user: shown }, errors: [] });
  });

  test.each([null, '2', 'an identity without a user'])('hides a timeline from others: %s', async (who) => {
    const { data, errors } = await server.query(TIMELINE, {}, who);
    expect(data).toEqual({ user: hidden });
    expect(errors).toMatchObject([{ path: ['user', 'timeline'], extensions: { code: 'FORBIDDEN' } }]);
  });

  test('refuses a request whole, with 401, whose token is not good', async () => {
    const { status, data, errors } = await server.query(
      '{ user(username: "ada") { name } }',
      {},
      'Bearer a.b.c',
    );
    expect({ status, data }).toEqual({ status: 401, data: undefined });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    const { headers } = await server.inject({
      ...{ method: 'GET', url: '/graphql?query={__typename}' },
      headers: { authorization: 'Bearer a.b.c' },
    });
    expect(headers['www-authenticate']).toBe('Bearer');
  });
});
