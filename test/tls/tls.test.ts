import { connect } from 'node:net';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import pino from 'pino';
import { readConfig } from '../../src/config';
import type { DatabaseOptions } from '../../src/kit/cassandra/client-options';
import { connectDatabase, type Database } from '../../src/kit/cassandra/database';
import { connectNats } from '../../src/kit/nats/connection';
import { createIdentify, signToken } from '../../src/features/viewer/token';
import { createAuthority, type Authority, type Identity, type Wanted } from './certificates';
import { cassandra, issuer, nats, startFakeServer, type FakeServer, type Script } from './fake-server';

const SECRET = 'a password that only the right server may see';
const loopback: Wanted = { names: [{ type: 'ip', value: '127.0.0.1' }] };
const named = (...names: string[]): Wanted => ({ names: names.map((value) => ({ type: 'dns', value })) });

let ours: Authority;
let theirs: Authority;
beforeAll(async () => {
  ours = await createAuthority('Nodes');
  // Of the same name, as anybody can make one.
  theirs = await createAuthority('Nodes');
});

const fakes: FakeServer[] = [];
afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.close();
});
async function start(identity: Identity | null, script: Script, clientsOf?: string): Promise<FakeServer> {
  const fake = await startFakeServer(identity, script, clientsOf);
  fakes.push(fake);
  return fake;
}

/** A certificate, and by what the settings name the node. */
interface Case {
  readonly from?: 'theirs';
  readonly wanted: Wanted;
  readonly contact?: string;
  readonly serverNames?: readonly string[];
  /** The certificate of the server that connects. */
  readonly identity?: Identity;
}

function connectTo(
  port: number,
  { contact = '127.0.0.1', serverNames = [], identity }: Case,
): Promise<Database> {
  const options: DatabaseOptions = {
    contactPoints: [`${contact}:${port}`],
    localDatacenter: 'datacenter1',
    credentials: { username: 'ada', password: SECRET },
    tls: { ca: ours.ca, serverNames, ...(identity && { identity }) },
    readConsistency: 'LOCAL_ONE',
    writeConsistency: 'LOCAL_ONE',
  };
  return connectDatabase(options);
}

const signerOf = ({ from }: Case): Authority => (from === 'theirs' ? theirs : ours);

describe('A node of Cassandra is sent no user and no password', () => {
  test.each<[string, RegExp, Case]>([
    ['signed by another authority of the same name', /certificate/, { from: 'theirs', wanted: loopback }],
    ['has expired', /expired/, { wanted: { ...loopback, validForDays: -1 } }],
    ['is for another address', /127\.0\.0\.2/, { wanted: { names: [{ type: 'ip', value: '127.0.0.2' }] } }],
    ['is for nobody', /it is for nothing/, { wanted: { names: [] } }],
    ['is for a name that no setting has', /DNS:db\.example/, { wanted: named('db.example') }],
    ['has an address as a name', /DNS:127\.0\.0\.1/, { wanted: named('127.0.0.1') }],
    [
      'is for a part of a name in the settings',
      /DNS:db\.example/,
      { wanted: named('db.example'), serverNames: ['a.db.example'] },
    ],
    [
      'has a wildcard for two labels',
      /DNS:\*\.example/,
      { wanted: named('*.example'), serverNames: ['a.db.example'] },
    ],
    [
      'is for another name than the contact point',
      /localhost/,
      { wanted: named('db.example'), contact: 'localhost' },
    ],
  ])('if its certificate %s', async (_, why, given) => {
    const fake = await start(await signerOf(given).sign(given.wanted), cassandra);
    const error: unknown = await connectTo(fake.port, given).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ extensions: { code: 'UNAVAILABLE' }, originalError: { message: why } });
    expect(fake.received()).toBe('');
  });

  test('if it speaks without encryption', async () => {
    const fake = await start(null, cassandra);
    await expect(connectTo(fake.port, { wanted: loopback })).rejects.toThrow();
    expect(fake.received()).not.toContain(SECRET);
  });
});

test('A node of Cassandra that wants to know who connects is shown the certificate of the server', async () => {
  const fake = await start(await ours.sign(loopback), cassandra, ours.ca);
  const known = { wanted: loopback, identity: await ours.sign(loopback) };
  await expect(connectTo(fake.port, known)).rejects.toThrow();
  expect(fake.received()).toContain(SECRET);
  const strangers = [{ wanted: loopback }, { wanted: loopback, identity: await theirs.sign(loopback) }];
  for (const stranger of strangers) {
    const strict = await start(await ours.sign(loopback), cassandra, ours.ca);
    await expect(connectTo(strict.port, stranger)).rejects.toThrow();
    expect(strict.received()).toBe('');
  }
});

describe('A node of Cassandra is trusted', () => {
  test.each<[string, Case]>([
    ['is for its address', { wanted: loopback }],
    ['is for the name of the contact point', { wanted: named('localhost'), contact: 'localhost' }],
    ['is for a name in the settings', { wanted: named('a.db.example'), serverNames: ['x', 'a.db.example'] }],
    ['has a wildcard for a name', { wanted: named('*.db.example'), serverNames: ['a.db.example'] }],
  ])('if its certificate %s', async (_, given) => {
    const fake = await start(await ours.sign(given.wanted), cassandra);
    await expect(connectTo(fake.port, given)).rejects.toThrow();
    expect(fake.received()).toContain(SECRET);
  });

  test('and answers what it is asked', async () => {
    const [host = '', port] = (process.env['CASSANDRA_CONTACT_POINTS'] ?? '').split(',')[0]?.split(':') ?? [];
    const sockets = new WeakMap<object, ReturnType<typeof connect>>();
    const relay: Script = {
      answer(data, client) {
        let node = sockets.get(client);
        if (node === undefined) {
          node = connect(Number(port), host);
          sockets.set(client, node);
          const opened = node;
          opened.pipe(client);
          opened.on('error', () => client.destroy());
          client.on('close', () => opened.destroy());
        }
        node.write(data);
      },
    };
    const fake = await start(await ours.sign(loopback), relay);
    const database = await connectTo(fake.port, { wanted: loopback });
    expect(await database.read('SELECT key FROM system.local', [])).toHaveLength(1);
    await database.close();
  });
});

describe('Servers of NATS and issuers of tokens', () => {
  const before = getCACertificates();
  afterEach(() => {
    setDefaultCACertificates(before);
  });

  const natsCases: [string, boolean, () => Promise<Identity>][] = [
    ['of an unknown authority', true, () => theirs.sign(loopback)],
    ['for another address', true, () => ours.sign(named('db.example'))],
    ['for this machine by name', true, () => ours.sign(named('localhost'))],
    ['that is right', false, () => ours.sign(loopback)],
  ];
  test.each(natsCases)('NATS, with a certificate %s: is sent nothing: %s', async (_, isNothing, identity) => {
    setDefaultCACertificates([...before, ours.ca]);
    const fake = await start(await identity(), nats(true));
    const connection = connectNats(
      [`tls://ada:${encodeURIComponent(SECRET)}@127.0.0.1:${fake.port}`],
      pino({ level: 'silent' }),
    );
    await fake.refusedTimes(2);
    await connection.close();
    if (isNothing) expect(fake.received()).toBe('');
    else expect(fake.received()).toContain(SECRET);
  });

  test('NATS that does not offer encryption is sent nothing', async () => {
    const fake = await start(null, nats(false));
    const connection = connectNats([`tls://ada:s@127.0.0.1:${fake.port}`], pino({ level: 'silent' }));
    await fake.refusedTimes(2);
    await connection.close();
    expect(fake.received()).toBe('');
  });

  test.each<[string, boolean, () => Promise<Identity>]>([
    ['of an unknown authority', true, () => theirs.sign(loopback)],
    ['for another address', true, () => ours.sign(named('db.example'))],
    ['that is right', false, () => ours.sign(loopback)],
  ])('issuer, with a certificate %s: is asked nothing: %s', async (_, isNothing, identity) => {
    setDefaultCACertificates([...before, ours.ca]);
    const fake = await start(await identity(), issuer);
    const identify = createIdentify({
      key: { jwksUrl: `https://127.0.0.1:${fake.port}/keys` },
      issuer: null,
      audience: null,
      allowNoExpiry: false,
      signsItself: false,
      serviceScope: 'service',
    });
    const token = await signToken('no key of the issuer', { subject: 'ada', audience: null }, 1);
    // One signed with a secret is refused before keys are asked for, so this one says that it is signed with a key.
    const [, ...rest] = token.split('.');
    const head = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'a' })).toString('base64url');
    const code = isNothing ? 'UNAVAILABLE' : 'UNAUTHENTICATED';
    await expect(identify(`Bearer ${[head, ...rest].join('.')}`)).rejects.toMatchObject({
      extensions: { code },
    });
    if (isNothing) expect(fake.received()).toBe('');
    else expect(fake.received()).toContain('GET /keys');
  });
});

describe('A setting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  const file = (content: string, name = 'ca.pem') => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const cluster = { CASSANDRA_CONTACT_POINTS: 'db.example', JWT_SECRET: 'a secret' };

  test('names the certificate of the server, and its key', async () => {
    const { cert, key } = await ours.sign(loopback);
    const paths = { CASSANDRA_TLS_CERT: file(cert, 'cert.pem'), CASSANDRA_TLS_KEY: file(key, 'key.pem') };
    const config = readConfig({ ...cluster, CASSANDRA_TLS_CA: file(ours.ca), ...paths });
    expect(config.cassandra.tls).toEqual({ ca: ours.ca, serverNames: [], identity: { cert, key } });
    expect(() => readConfig({ ...cluster, ...paths })).toThrow('CASSANDRA_TLS_CERT needs CASSANDRA_TLS_CA');
    for (const name of ['CASSANDRA_TLS_CERT', 'CASSANDRA_TLS_KEY'])
      expect(() => readConfig({ ...cluster, CASSANDRA_TLS_CA: file(ours.ca), ...paths, [name]: '' })).toThrow(
        'must be set together',
      );
    const other = file((await ours.sign(loopback)).key, 'other.pem');
    const mixed = { ...cluster, CASSANDRA_TLS_CA: file(ours.ca), ...paths, CASSANDRA_TLS_KEY: other };
    expect(() => readConfig(mixed)).toThrow('must be the key of CASSANDRA_TLS_CERT');
    expect(() => readConfig({ ...mixed, CASSANDRA_TLS_KEY: file(cert, 'no-key.pem') })).toThrow(
      'with a private key',
    );
  });

  test('names the authority and the names of nodes', () => {
    const config = readConfig({
      ...cluster,
      CASSANDRA_TLS_CA: file(ours.ca),
      CASSANDRA_TLS_SERVER_NAMES: 'a.example, b.example',
    });
    expect(config.cassandra.tls).toEqual({ ca: ours.ca, serverNames: ['a.example', 'b.example'] });
  });

  test.each<[string, () => NodeJS.ProcessEnv, RegExp]>([
    ['CASSANDRA_TLS_CA', () => ({ CASSANDRA_TLS_CA: file('no certificate') }), /with a certificate/],
    ['CASSANDRA_TLS_SERVER_NAMES', () => ({ CASSANDRA_TLS_SERVER_NAMES: 'a.example' }), /CASSANDRA_TLS_CA/],
    ['CASSANDRA_TLS_SERVER_NAMES', () => ({ CASSANDRA_TLS_SERVER_NAMES: 'https://a.example' }), /names of/],
    ['NATS_URL', () => ({ NATS_URL: 'tls://a:4222,nats://ada:secret@b:4222' }), /all tls:/],
  ])('%s that cannot be right is refused', (_, settings, why) => {
    expect(() => readConfig({ ...cluster, ...settings() })).toThrow(why);
  });
});
