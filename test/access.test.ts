import pino from 'pino';
import { readConfig } from '../src/config';
import { createServer } from '../src/server';
import { freePorts } from '../src/tools/embedded/ports';
import { codesOf } from '../src/tools/testing/testing';
import { authorization, person, startHarness, type Harness } from './support/harness';

const QUERY = '{ user(username: "ada") { name } }';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada')]);
});
afterAll(() => server.close());

test('the pages can be turned off, and the server then says where GraphQL is', async () => {
  const statusOf = async (from: Harness, url: string) => [url, (await from.get(url)).status];
  for (const url of ['/model', '/graphiql/page.json'])
    expect(await statusOf(server, url)).toEqual([url, 200]);
  expect(await statusOf(server, '/')).toEqual(['/', 302]);
  const bare = await startHarness({ GRAPHIQL: 'false', MODEL: 'false' }, server);
  for (const url of ['/model', '/graphiql', '/graphiql/page.json', '/graphiql/headers.json'])
    expect(await statusOf(bare, url)).toEqual([url, 404]);
  const front = await bare.get('/');
  expect(front).toMatchObject({ status: 200, body: expect.stringContaining('/graphql') as string });
  expect(await bare.query(QUERY)).toMatchObject({ errors: [] });
  await bare.close();
});

describe('introspection that is turned off', () => {
  let closed: Harness;
  beforeAll(async () => {
    closed = await startHarness({ INTROSPECTION: 'false' }, server);
  });
  afterAll(() => closed.close());

  test.each([
    '{ __schema { queryType { name } } }',
    '{ ... { __type(name: "User") { name } } }',
    '{ ...F } fragment F on Query { ... { __schema { queryType { name } } } }',
  ])('is refused to everybody but services: %s', async (source) => {
    for (const who of [null, '1']) {
      const { status, body } = await closed.post(JSON.stringify({ query: source }), who);
      expect(status).toBe(400);
      expect(JSON.parse(body)).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
      expect(codesOf(await server.query(source, {}, who))).toEqual([]);
    }
    expect(codesOf(await closed.query(source, {}, 'service'))).toEqual([]);
  });

  test('leaves the names of types in answers, and texts that look like it', async () => {
    const source = '{ __typename user(username: "__schema") { __typename } }';
    expect(await closed.query(source, {}, null)).toMatchObject({
      data: { __typename: 'Query', user: null },
      errors: [],
    });
  });
});

test('metrics and health can have a port of their own, and are only there while the server runs', async () => {
  const port = (await freePorts(['127.0.0.1'])).native;
  const apart = await startHarness({ OPERATIONS_PORT: String(port) }, server);
  const own = await apart.listen();
  const paths = ['/health/live', '/health/ready', '/metrics'];
  const statusOf = async (url: string) => (await fetch(url)).status;
  for (const path of paths) {
    expect([path, await statusOf(`http://127.0.0.1:${port}${path}`)]).toEqual([path, 200]);
    expect([path, await statusOf(`${own}${path}`)]).toEqual([path, 404]);
    const deleted = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'DELETE' });
    expect([path, deleted.status, deleted.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
  }
  expect(await statusOf(`http://127.0.0.1:${port}/graphql`)).toBe(404);
  const late = await startHarness({ OPERATIONS_PORT: String(port) }, server);
  await expect(late.listen()).rejects.toThrow(`OPERATIONS_PORT ${port} of HOST 127.0.0.1 cannot be used`);
  await late.close();
  await apart.close();
  await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow();
});

describe('reads', () => {
  const isShown = async (by: Harness, who: string | null) =>
    (await by.query(QUERY, {}, who)).reads.length > 0;

  test.each([
    ['nobody', 'false', []],
    ['services', 'true', ['service']],
    ['everybody', 'everybody', ['service', '1', null]],
  ] as const)('are shown to %s if EXPLAIN says so', async (_, setting, shown) => {
    const explaining = await startHarness({ EXPLAIN: setting }, server);
    const asked = ['service', '1', null] as const;
    const areShown = await Promise.all(asked.map((who) => isShown(explaining, who)));
    expect(asked.filter((_who, index) => areShown[index])).toEqual(shown);
    await explaining.close();
  });

  test('are refused with the reason to others who ask for them', async () => {
    const refusalOf = async (setting: string, who: string | null) => {
      const explaining = await startHarness({ EXPLAIN: setting }, server);
      const { body } = await explaining.post(JSON.stringify({ query: QUERY }), who);
      await explaining.close();
      const { extensions } = JSON.parse(body) as { extensions?: Record<string, unknown> };
      return extensions?.['explainRefused'];
    };
    expect(await refusalOf('false', 'service')).toContain('explains to nobody');
    expect(await refusalOf('true', '1')).toContain('explains to services only');
    expect(await refusalOf('true', 'service')).toBeUndefined();
  });

  test('and bounds are refused alike to those who ask for bounds only, and then nothing is done', async () => {
    const explaining = await startHarness({ EXPLAIN: 'true' }, server);
    const askedBy = async (who: string | null) => {
      const { body } = await explaining.inject({
        method: 'POST',
        url: '/graphql',
        headers: {
          'content-type': 'application/json',
          'x-explain': 'only',
          ...(who !== null && { authorization: await authorization(who) }),
        },
        payload: JSON.stringify({ query: QUERY }),
      });
      return JSON.parse(body) as unknown;
    };
    for (const who of ['1', null]) {
      const answer = await askedBy(who);
      expect(answer).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
      expect(JSON.stringify(answer)).not.toContain('bound');
    }
    expect(await askedBy('service')).toMatchObject({
      data: null,
      extensions: { cost: { bound: expect.any(Number) as number } },
    });
    await explaining.close();
  });

  test.each<[string, NodeJS.ProcessEnv, string]>([
    ['an embedded server of this machine alone', {}, 'everybody'],
    ['an embedded server of this machine by another name', { HOST: 'localhost' }, 'everybody'],
    ['an embedded server that others reach', { HOST: '0.0.0.0' }, 'nobody'],
    ['a cluster', { CASSANDRA_CONTACT_POINTS: '127.0.0.1' }, 'nobody'],
  ])('are shown by %s, without a setting, to the right callers', (_, environment, whom) => {
    expect(readConfig(environment).explain).toBe(whom);
  });
});

describe('a line of the log', () => {
  /** Sends requests to a server with these settings, and gives the log's line and the id in the answer of each. */
  async function logOf(
    settings: NodeJS.ProcessEnv,
    ...requests: readonly Readonly<Record<string, string>>[]
  ): Promise<{ line: Record<string, unknown>; id: unknown; text: string }[]> {
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const config = { ...server.config, ...pickLogged(readConfig(settings)) };
    const app = await createServer(server.writeServices, config, logger, { embedded: true });
    const logged = [];
    for (const headers of requests) {
      lines.length = 0;
      const { headers: answered } = await app.inject({
        ...{ method: 'POST', url: '/graphql', headers, payload: { query: QUERY } },
      });
      const text = lines.find((line) => line.includes('"msg":"graphql"')) ?? '{}';
      logged.push({ line: JSON.parse(text) as Record<string, unknown>, id: answered['x-request-id'], text });
    }
    await app.close();
    return logged;
  }
  const pickLogged = ({ trustedProxies, logCallerSecret }: ReturnType<typeof readConfig>) => ({
    trustedProxies,
    logCallerSecret,
  });

  test('names the caller by a hash, the same on servers with the same secret', async () => {
    const [ada, bo] = [await authorization('1'), await authorization('2')];
    const requests = [
      { authorization: ada },
      { authorization: bo },
      { authorization: ada },
      {},
      { authorization: 'Bearer a.b.c' },
    ];
    const callersBy = async (settings: NodeJS.ProcessEnv) =>
      (await logOf(settings, ...requests)).map(({ line }) => line['caller']);
    const secret = { LOG_CALLER_SECRET: 'a secret of the logs' };
    const callers = await callersBy(secret);
    const [first, second, again, address, forged] = callers;
    for (const caller of callers) expect(caller).toMatch(/^[\w-]{16}$/);
    expect(again).toBe(first);
    // Who sends a token that is none is known by its address only.
    expect(forged).toBe(address);
    expect(new Set([first, second, address]).size).toBe(3);
    expect(await callersBy(secret)).toEqual(callers);
    const others = await callersBy({});
    expect(others[0]).toBe(others[2]);
    expect(others.filter((caller) => callers.includes(caller))).toEqual([]);
  });

  test('has the id of the request, as the answer does: one that a trusted proxy has given, or a new one', async () => {
    const given = ['ab12-cd.34', '49963e3bac27e112556cc9351a2d3168', 'A/b+c=:_'];
    const odd = ['', 'a b', 'a\tb', 'é', 'x'.repeat(129), 'a,b', '"a"', 'a;b', '{}', '<a>'];
    const requests = [...given, ...odd].map((id) => ({ 'x-request-id': id }));
    const idsBy = async (settings: NodeJS.ProcessEnv) => {
      const logged = await logOf(settings, ...requests);
      for (const { line, id } of logged) expect(line['request']).toBe(id);
      return logged.map(({ id }) => String(id));
    };
    const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
    const trusting = await idsBy({ TRUST_PROXY: 'loopback' });
    expect(trusting.slice(0, given.length)).toEqual(given);
    for (const id of trusting.slice(given.length)) expect(id).toMatch(uuid);
    for (const settings of [{}, { TRUST_PROXY: '10.0.0.0/8' }]) {
      const ids = await idsBy(settings);
      for (const id of ids) expect(id).toMatch(uuid);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});

test.each([
  ['EXPLAIN', 'all', /EXPLAIN is not usable: must be true, false or everybody/],
  ['GRAPHIQL', 'off-ish', /GRAPHIQL is not usable/],
  ['OPERATIONS_PORT', '4000', /OPERATIONS_PORT must differ from PORT/],
  ['SHED_HEAP_BYTES', '-1', /SHED_HEAP_BYTES is not usable/],
  ['CORS_ORIGIN', 'example.org', /CORS_ORIGIN is not usable: must be origins/],
  ['CORS_ORIGIN', 'https://example.org/', /CORS_ORIGIN is not usable: must be origins/],
  ['CASSANDRA_SERIAL_CONSISTENCY', 'QUORUM', /CASSANDRA_SERIAL_CONSISTENCY is not usable/],
])('an error about a setting names it: %s', (name, value, message) => {
  expect(() => readConfig({ [name]: value })).toThrow(message);
});
