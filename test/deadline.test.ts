import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import pino from 'pino';
import { model } from '../src/model';
import { jsonBytes } from '../src/kit/graphql/answer-size';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { createHttpServer } from '../src/kit/http/server';
import { codesOf } from '../src/tools/testing/testing';
import { createServer } from '../src/server';
import { follow, person, startHarness, tweet, type Harness } from './support/harness';
import { startProxy, type Proxy } from './support/proxy';

/** Long enough for what is not held back, on a busy machine. */
const LIMIT = 3000;
const PAST = `This was not done within ${LIMIT} ms, the time limit of a request. It may be tried again.`;

let plain: Harness;
let proxy: Proxy;
let server: Harness;
beforeAll(async () => {
  plain = await startHarness();
  await plain.store([
    person('1', 'ada'),
    person('2', 'slowpoke'),
    ...Array.from({ length: 150 }, (_, n) => [
      person(String(100 + n), `fan${n}`),
      follow(String(100 + n), '2', n),
      tweet(String(1000 + n), String(100 + n)),
    ]).flat(),
  ]);
  proxy = await startProxy(process.env['CASSANDRA_CONTACT_POINTS'] ?? '');
  const settings = { CASSANDRA_CONTACT_POINTS: proxy.address, LIMIT_MILLISECONDS: String(LIMIT) };
  server = await startHarness(settings, plain);
});
afterEach(() => {
  proxy.release();
});
afterAll(async () => {
  await server.close();
  await proxy.close();
});

const FANS = '{ followers(first: 100) { nodes { username tweets(first: 1) { nodes { content } } } } }';

/** Whether the statements that are sent meanwhile have some of what follows once the person of `FANS` is known. */
async function readsOn(work: () => Promise<unknown>): Promise<boolean> {
  const before = proxy.sent.length;
  await work();
  return proxy.sent.slice(before).some((text) => /followers_by_user|tweets_by_author/.test(text));
}

/** Whatever follows of a read that was held is sent before the last of this. */
async function releaseAndWait() {
  proxy.release();
  for (let n = 0; n < 3; n++) await server.query('{ user(username: "ada") { name } }');
}

test('past the deadline the fields that are done are answered, the others say so, and nothing more is read', async () => {
  proxy.hold('slowpoke');
  const answer = await server.query(
    `query ($id: ID!) { done: node(id: $id) { ... on User { name } } late: user(username: "slowpoke") ${FANS} }`,
    { id: encodeNodeId('User', '1') },
  );
  expect(answer).toMatchObject({
    status: 200,
    data: { done: { name: 'The ada' }, late: null },
    errors: [{ path: ['late'], extensions: { code: 'UNAVAILABLE' } }],
  });
  expect(await readsOn(releaseAndWait)).toBe(false);
  // It would have been read.
  expect(await readsOn(() => server.query(`{ user(username: "slowpoke") ${FANS} }`))).toBe(true);
});

test('a page past its deadline fails alone, also if it was to show that its user exists', async () => {
  const ids = ['100', '101'].map((id) => encodeNodeId('User', id));
  // The bytes of the first user's id, in the statement that reads both pages.
  proxy.hold('\0\0\0\0\0\0\0\x64');
  const pages = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on User { tweets { nodes { content } } } } }';
  expect(await server.query(pages, { ids })).toMatchObject({
    data: { nodes: [null, null] },
    errors: ids.map((_, n) => ({ path: ['nodes', n, 'tweets'], extensions: { code: 'UNAVAILABLE' } })),
  });
});

test('a page that is refused does not hide that its user cannot be read', async () => {
  proxy.hold('\0\0\0\0\0\0\0\x66');
  const page = 'query ($id: ID!) { node(id: $id) { ... on User { timeline { nodes { content } } } } }';
  expect(await server.query(page, { id: encodeNodeId('User', '102') }, null)).toMatchObject({
    data: { node: null },
    errors: [{ path: ['node'], extensions: { code: 'UNAVAILABLE' } }],
  });
});

test('a mutation past its deadline says so and goes on after the answer; the later ones of the document do not begin', async () => {
  const before = await server.query('{ user(username: "ada") { tweets { nodes { content } } } }');
  expect(before.data).toEqual({ user: { tweets: { nodes: [] } } });
  proxy.hold('kept back');
  const { data, errors } = await server.query(
    `mutation {
      first: createTweet(input: { content: "kept back" }) { tweet { content } }
      second: createTweet(input: { content: "never begun" }) { tweet { content } }
    }`,
    {},
    '1',
  );
  expect(data).toEqual({ first: null, second: null });
  expect(errors.map(({ message }) => message)).toContain(
    `${PAST} This mutation may still complete: repeat it with the same idempotencyKey if it takes one.`,
  );
  proxy.release();
  for (;;) {
    const answer = await plain.query('{ user(username: "ada") { tweets { nodes { content } } } }');
    const { user } = answer.data as { user: { tweets: { nodes: { content: string }[] } } };
    if (user.tweets.nodes.length === 0) continue;
    expect(user.tweets.nodes).toEqual([{ content: 'kept back' }]);
    break;
  }
});

test('a request of which the database answers nothing is 503, with and without Apollo; with some data it is 294', async () => {
  const settings = { CASSANDRA_CONTACT_POINTS: proxy.address, LIMIT_MILLISECONDS: String(LIMIT) };
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const hasty = await startHarness(settings, plain);
  const app = await createServer(hasty.writeServices, hasty.config, logger, { embedded: true });
  const send = async (query: string, more: Readonly<Record<string, string>> = {}) => {
    lines.length = 0;
    const headers = { accept: 'application/graphql-response+json', ...more };
    const reply = await app.inject({ method: 'POST', url: '/graphql', headers, payload: { query } });
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const errors = logged.find(({ msg }) => msg === 'graphql')?.['errors'];
    const { data } = JSON.parse(reply.body) as { data: unknown };
    return { status: reply.statusCode, retryAfter: reply.headers['retry-after'], data, errors };
  };
  const some = '{ __typename user(username: "slowpoke") { name } }';
  const none = '{ tweetsOfDay(day: "2026-01-01") { nodes { id } } }';
  // Then these documents are known, and answered without Apollo.
  for (const query of [some, none])
    expect(await send(query)).toMatchObject({ status: 200, errors: undefined });
  // Every statement.
  proxy.hold(/^/);
  const unavailable = { status: 503, retryAfter: '2', data: null, errors: ['UNAVAILABLE'] };
  const ways = [{}, { 'x-explain': 'false' }, { accept: 'application/json' }] as const;
  for (const way of ways) expect(await send(none, way)).toEqual(unavailable);
  expect(await send(some)).toEqual({
    status: 294,
    retryAfter: undefined,
    data: { __typename: 'Query', user: null },
    errors: ['UNAVAILABLE'],
  });
  await app.close();
  proxy.release();
  await hasty.close();
});

test('when its client has gone nothing more is read for a request', async () => {
  const app = await createServer(server.writeServices, server.config, pino({ level: 'silent' }), {
    embedded: true,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  proxy.hold('slowpoke');
  const closed = new Promise((resolve) =>
    app.server.once('connection', (socket) => socket.once('close', resolve)),
  );
  const client = httpRequest({
    port: (app.server.address() as AddressInfo).port,
    path: '/graphql',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  client.on('error', () => undefined);
  client.end(JSON.stringify({ query: `{ user(username: "slowpoke") ${FANS} }` }));
  await proxy.held(1);
  client.destroy();
  await closed;
  expect(await readsOn(releaseAndWait)).toBe(false);
  await app.close();
});

test('the time in which a token is checked counts too', async () => {
  const issuer = createTcpServer(() => undefined).listen(0, '127.0.0.1');
  await once(issuer, 'listening');
  const jwks = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/keys`;
  const settings = { LIMIT_MILLISECONDS: '300', JWT_SECRET: '', JWT_JWKS_URL: jwks };
  const slow = await startHarness(settings, plain);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'RS256', kid: 'some' })}.${part({ sub: '1' })}.${part({})}`;
  const answer = await slow.query('{ __typename }', {}, `Bearer ${token}`);
  expect([answer.status, codesOf(answer)]).toEqual([503, ['UNAVAILABLE']]);
  expect(answer.errors[0]?.message).toContain('300 ms');
  await slow.close();
  issuer.close();
});

test('a small query is answered while a heavy one still has reads waiting, of which no more are in flight than may be', async () => {
  // Of tables that nothing reads but queries.
  const ofQueries =
    /FROM (users|users_by_username|profiles_by_username|user_counts|followers_by_user|tweets_by_author) /;
  const front = await startProxy(process.env['CASSANDRA_CONTACT_POINTS'] ?? '', ofQueries);
  const settings = {
    CASSANDRA_CONTACT_POINTS: front.address,
    READS_IN_FLIGHT: '1',
    READS_IN_FLIGHT_PER_REQUEST: '1',
  };
  const narrow = await startHarness(settings, plain);
  const others = Array.from({ length: 60 }, (_, n) => `a${n}: user(username: "fan${n}") { tweetCount }`);
  const heavySource = `{ ${others.join(' ')} user(username: "slowpoke") ${FANS} }`;
  const lightSource = '{ user(username: "ada") { userId } }';
  await narrow.query(lightSource);
  const before = front.sent.length;
  await narrow.query(heavySource);
  const heavyReads = front.sent.length - before;
  const order: string[] = [];
  const start = front.sent.length;
  front.hold('fan0');
  const heavy = narrow.query(heavySource).then(() => order.push('heavy'));
  await front.held(1);
  const light = narrow.query(lightSource).then(() => {
    order.push('light');
    return front.sent.length - start;
  });
  // Once this later request is answered, the light query waits for its read.
  await narrow.query('{ __typename }');
  front.release();
  const sentByThen = await light;
  await heavy;
  expect(order).toEqual(['light', 'heavy']);
  expect(sentByThen).toBeLessThan(heavyReads);
  expect(front.maxInFlight()).toBe(1);
  await narrow.close();
  await front.close();
});

test('an answer of more bytes than the limit is refused, which says so; one of as many is sent', async () => {
  const source = '{ user(username: "slowpoke") { followers(first: 100) { nodes { name } } } }';
  const ask = async (of: Harness) => {
    const headers = { 'content-type': 'application/json' };
    const payload = JSON.stringify({ query: source });
    const { statusCode, body } = await of.inject({ method: 'POST', url: '/graphql', headers, payload });
    return { status: statusCode, body: JSON.parse(body) as unknown };
  };
  const bytes = Buffer.byteLength(JSON.stringify((await ask(plain)).body));
  const limited = (most: number) => startHarness({ LIMIT_ANSWER_BYTES: String(most) }, plain);
  const enough = await limited(bytes);
  expect(await ask(enough)).toMatchObject({ status: 200, body: { data: { user: {} } } });
  // What explains an answer is part of it.
  expect(codesOf(await enough.query(source))).toEqual(['QUERY_TOO_LARGE']);
  await enough.close();
  const small = await limited(bytes - 1);
  expect(await ask(small)).toEqual({
    status: 400,
    body: {
      errors: [
        {
          message: `An answer may have ${bytes - 1} bytes, but this one has more: ask for fewer fields or shorter pages.`,
          extensions: { code: 'QUERY_TOO_LARGE' },
        },
      ],
    },
  });
  await small.close();
});

test('past the deadline an answer of too many errors is one of them', async () => {
  const settings = {
    CASSANDRA_CONTACT_POINTS: proxy.address,
    LIMIT_MILLISECONDS: '800',
    LIMIT_ANSWER_BYTES: '150',
  };
  const small = await startHarness(settings, plain);
  proxy.hold('slowpoke');
  expect(await small.query('{ user(username: "slowpoke") { name } }')).toMatchObject({
    status: 503,
    data: null,
    errors: [{ message: PAST.replace(String(LIMIT), '800'), extensions: { code: 'UNAVAILABLE' } }],
  });
  await small.close();
});

test('the size of an answer is that of its JSON, without making it', () => {
  const value = fc.object({
    key: fc.stringMatching(/^[_A-Za-z]\w*$/),
    values: [
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constantFrom(null, undefined),
    ],
    maxDepth: 4,
  });
  fc.assert(
    fc.property(value, (answer) => {
      const bytes = Buffer.byteLength(JSON.stringify(answer));
      expect(jsonBytes(answer, Infinity)).toBe(bytes);
      expect(jsonBytes(answer, bytes - 1)).toBeGreaterThan(bytes - 1);
    }),
    { numRuns: 300 },
  );
});

test('a request that was answered does not keep what was read for it', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const requests: object[] = [];
  const loads: WeakRef<object>[] = [];
  const app = await createHttpServer({
    ...{ model, database: plain.database, config: plain.config, logger: pino({ level: 'silent' }) },
    page: { title: '', tabs: [], emptyTab: '' },
    contextOf(load, request) {
      requests.push(request);
      loads.push(new WeakRef(load));
      return {};
    },
  });
  const payload = { query: '{ user(username: "ada") { name } }' };
  for (let n = 0; n < 5; n++) await app.inject({ method: 'POST', url: '/graphql', payload });
  // A WeakRef keeps its target until the turn is over.
  await new Promise(setImmediate);
  collect();
  expect(requests).toHaveLength(5);
  expect(loads.filter((load) => load.deref() !== undefined)).toEqual([]);
  await app.close();
});
