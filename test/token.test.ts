import { decodeJwt } from 'jose';
import { readConfig } from '../src/config';
import { requireAllTokens, signerFor, tokensOfUsers } from '../src/token/tokens';
import { tokenSettings, type Signer } from '../src/features/viewer/sign';
import { createIdentify } from '../src/features/viewer/token';
import { JWT_SECRET, person, startHarness, type Harness } from './support/harness';

const cluster = { CASSANDRA_CONTACT_POINTS: '10.0.0.1' };
const elsewhere = { JWT_ISSUER: 'https://issuer.example', JWT_AUDIENCE: 'here' };

/** Whom a server of these settings takes the bearer of a token for. */
async function callerOf(environment: NodeJS.ProcessEnv, token: string) {
  const config = readConfig(environment);
  const settings = await tokenSettings(config, config.cassandra.contactPoints === null);
  return createIdentify(settings)(`Bearer ${token}`);
}

describe.each([
  ['an embedded server', { JWT_SECRET }],
  ['an embedded server with an issuer', { JWT_SECRET, ...elsewhere }],
  ['a cluster', { JWT_SECRET, ...cluster, JWT_AUDIENCE: 'here' }],
  ['a cluster with an issuer', { JWT_SECRET, ...cluster, ...elsewhere, JWT_SERVICE_SCOPE: 'robot' }],
])('%s', (_, environment) => {
  const others = () => signerFor(readConfig(environment), 'others');

  test('takes the tokens that are made for services', async () => {
    const token = await (await others()).forService();
    await expect(callerOf(environment, token)).resolves.toMatchObject({ kind: 'service' });
  });

  test('takes each new token for another identity, which is no number', async () => {
    const signer = await others();
    const [one, two] = [await signer.forNewIdentity(), await signer.forNewIdentity()];
    const caller = await callerOf(environment, one);
    expect(caller).toMatchObject({ kind: 'person', subject: expect.stringMatching(/\D/) as string });
    await expect(callerOf(environment, two)).resolves.not.toEqual(caller);
  });
});

test('tokens are good for 30 days', async () => {
  const token = await (await signerFor(readConfig({ JWT_SECRET }), 'others')).forService();
  const { iat = 0, exp = 0 } = decodeJwt(token);
  expect(exp - iat).toBe(30 * 24 * 60 * 60);
});

test.each([
  ['without a secret', cluster, 'others', /JWT_SECRET/],
  ['for a user of a cluster', { JWT_SECRET, ...cluster }, 'users', /createUser/],
  ['where an issuer publishes its keys', { JWT_JWKS_URL: 'https://10.0.0.1/' }, 'users', /JWT_JWKS_URL/],
  ['for a service there', { JWT_JWKS_URL: 'https://10.0.0.1/' }, 'others', /JWT_JWKS_URL/],
] as const)('no token is made %s', async (_, environment, whom, message) => {
  await expect(signerFor(readConfig(environment), whom)).rejects.toThrow(message);
});

test('no token is made for a service of a cluster without an audience', async () => {
  const signer = await signerFor(readConfig({ JWT_SECRET, ...cluster }), 'others');
  await expect(signer.forService()).rejects.toThrow('JWT_AUDIENCE must be set');
});

test('a folder that can have no secret is named with the reason', async () => {
  const signer = signerFor(readConfig({ DATA_DIR: '/proc/data' }), 'others');
  await expect(signer).rejects.toThrow(/^DATA_DIR must be a folder .*mkdir '\/proc/);
});

describe('users of an embedded database', () => {
  let server: Harness;
  let signer: Signer;
  beforeAll(async () => {
    server = await startHarness(elsewhere);
    await server.store([person('1', 'Ada'), person('2', 'bo')]);
    signer = await signerFor(readConfig({ JWT_SECRET, ...elsewhere }), 'users');
  });
  afterAll(() => server.close());

  async function seenBy(token: string | null | undefined): Promise<unknown> {
    return (await server.query('{ viewer { username } }', {}, `Bearer ${token ?? ''}`)).data;
  }

  test('each get a token of their own, irrespective of case', async () => {
    const [bo, ada] = await tokensOfUsers(server.database, signer, ['BO', 'ada']);
    expect(await seenBy(bo)).toEqual({ viewer: { username: 'bo' } });
    expect(await seenBy(ada)).toEqual({ viewer: { username: 'Ada' } });
  });

  test('get theirs in its place beside unknown usernames, which are named, with the folder of the database', async () => {
    const names = ['nobody', 'ada', ''];
    const tokens = await tokensOfUsers(server.database, signer, names);
    expect(tokens).toEqual([null, expect.any(String) as string, null]);
    expect(await seenBy(tokens[1])).toEqual({ viewer: { username: 'Ada' } });
    expect(() => {
      requireAllTokens(names, tokens, '/some/data');
    }).toThrow('"nobody", "", in the database in /some/data');
  });
});
