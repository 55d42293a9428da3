import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApolloServer } from '@apollo/server';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pino from 'pino';
import { readConfig } from '../src/config';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { createServer } from '../src/server';
import {
  authorization,
  follow,
  JWT_SECRET,
  person,
  startHarness,
  tweet,
  type Harness,
} from './support/harness';
import { act } from './support/mutations';

const user =
  'query User($name: String!, $n: Int) { user(username: $name) { name tweets(first: $n) { nodes { content createdAt likeCount author { id } } } } }';
const two = 'query One { user(username: "ada") { userId } } query Two { user(username: "bo") { name } }';
const home = '{ user(username: "ada") { name timeline { nodes { id } } } }';
const schema = '{ __schema { queryType { name } } }';
const like = 'mutation Like($id: ID!) { likeTweet(id: $id) { tweet { likeCount } } }';

const folder = mkdtempSync(join(tmpdir(), 'known-'));
const asked = jest.spyOn(ApolloServer.prototype, 'executeHTTPGraphQLRequest');
const apps: FastifyInstance[] = [];
let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([
    person('1', 'ada'),
    person('2', 'bo'),
    follow('1', '2'),
    tweet('100', '1'),
    tweet('101', '2', 1),
  ]);
  writeFileSync(join(folder, 'user.graphql'), user);
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly logged: unknown;
  /** Whether Apollo has answered. */
  readonly byApollo: boolean;
}

/** Starts a server with these settings on the network of ada and bo; gives what sends a request to it. */
async function start(settings: NodeJS.ProcessEnv = {}): Promise<(request: InjectOptions) => Promise<Sent>> {
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const keyspace = server.config.cassandra.keyspace;
  const config = readConfig({
    JWT_SECRET,
    CACHE_SECONDS: '0',
    ...process.env,
    CASSANDRA_KEYSPACE: keyspace,
    ...settings,
  });
  const app = await createServer(server.writeServices, config, logger, { embedded: true });
  apps.push(app);
  return async (request) => {
    const calls = asked.mock.calls.length;
    lines.length = 0;
    const reply = await app.inject({ url: '/graphql', method: 'POST', ...request });
    const { date: _date, 'x-request-id': _id, ...headers } = reply.headers;
    const logged = lines.map((line) => {
      const { operation, status, errors, msg } = JSON.parse(line) as Record<string, unknown>;
      return { operation, status, errors, msg };
    });
    return {
      status: reply.statusCode,
      headers,
      body: reply.body,
      logged,
      byApollo: asked.mock.calls.length > calls,
    };
  };
}

/** Sends a request as somebody, by Apollo alone and after that twice without the header that asks for Apollo. */
async function oneOfEachKind(
  send: (request: InjectOptions) => Promise<Sent>,
  request: InjectOptions,
  who: readonly string[],
) {
  const sent: Sent[] = [];
  // The value `false` explains nothing, but such a request is left to Apollo.
  for (const [n, more] of [{ 'x-explain': 'false' }, {}, {}].entries()) {
    const token = who[n] ?? who[0] ?? '';
    const headers = {
      ...request.headers,
      ...more,
      ...(token && { authorization: await authorization(token) }),
    };
    sent.push(await send({ ...request, headers }));
  }
  return sent.map(({ byApollo, ...answer }) => ({ answer, byApollo }));
}

const asJson = { accept: 'application/json' };

// Both ways run an operation by one function. What differs is how the answer is written, and who takes what is not data alone.
test.each<[string, boolean, InjectOptions, NodeJS.ProcessEnv?, string?]>([
  ['with variables', true, { payload: { query: user, variables: { name: 'ada', n: 1 } } }],
  [
    'with extensions',
    true,
    { payload: { query: two, operationName: 'Two', extensions: { client: 'x' }, more: 1 } },
  ],
  ['of nobody', true, { payload: { query: user, variables: { name: 'none' } } }, {}, ''],
  ['for JSON', true, { payload: { query: two, operationName: 'One' }, headers: asJson }],
  [
    'for a media type of GraphQL',
    true,
    {
      payload: { query: two, operationName: 'One' },
      headers: { accept: 'application/graphql-response+json, application/json;q=0.9' },
    },
  ],
  [
    'for a compressed answer',
    true,
    {
      payload: {
        query: `{ ${Array.from({ length: 90 }, (_, n) => `a${n}: user(username: "ada") { userId createdAt }`).join(' ')} }`,
      },
      headers: { 'accept-encoding': 'gzip' },
    },
  ],
  [
    'for a trusted document',
    true,
    { payload: { documentId: 'user', variables: { name: 'ada' } } },
    { TRUSTED_DOCUMENTS: folder, TRUSTED_ONLY: 'true' },
    '1',
  ],
  [
    'that likes again',
    true,
    { payload: { query: like, variables: { id: encodeNodeId('Tweet', '101') } } },
    {},
    '1',
  ],
  ['that likes nothing', false, { payload: { query: like, variables: { id: 'x' } } }, {}, '1'],
  [
    'that must not ask for the schema',
    false,
    { payload: { query: schema } },
    { INTROSPECTION: 'false' },
    '1',
  ],
  ['with a wrong variable', false, { payload: { query: user, variables: { name: 7 } } }],
  [
    'with a wrong variable, for JSON',
    false,
    { payload: { query: user, variables: { name: 7 } }, headers: asJson },
  ],
  ['with a wrong operation name', false, { payload: { query: two, operationName: 'Three' } }],
  ['that may not read a field', false, { payload: { query: home } }, {}, '2'],
  [
    'that costs too much by a variable',
    false,
    { payload: { query: user, variables: { name: 'ada', n: 100 } } },
    { LIMIT_ROWS: '1000' },
  ],
  [
    'with an answer that is too large',
    false,
    { payload: { query: user, variables: { name: 'ada' } } },
    { LIMIT_ANSWER_BYTES: '50' },
  ],
])(
  'a request %s gets the same answer without Apollo',
  async (_, isShort, request, settings = {}, who = 'service') => {
    if (who === '1') await act(server, '1', 'likeTweet', { id: encodeNodeId('Tweet', '101') });
    const send = await start(settings);
    const [full, first, second] = await oneOfEachKind(send, request, [who]);
    // What is left of a limit differs from request to request: see below.
    const same = ({ headers: { ratelimit: _, ...headers }, ...answer }: Omit<Sent, 'byApollo'>) => ({
      ...answer,
      headers,
    });
    expect(full && first && second && [same(first.answer), same(second.answer)]).toEqual(
      full && [same(full.answer), same(full.answer)],
    );
    expect([first?.byApollo, second?.byApollo]).toEqual([second?.byApollo, !isShort]);
  },
);

/** An answer without how long to wait, because the answers to compare come at different times. */
function withoutSeconds(answer: object): string {
  return JSON.stringify(answer).replace(/(\bt=|Try again in |retryAfter\\":|retry-after":")\d+/g, '$1');
}

test('both ways charge a caller and give back alike, refuse it alike, and count a refusal once', async () => {
  const send = await start({ RATE_POINTS_PER_MINUTE: '40' });
  const request = { payload: { query: user, variables: { name: 'ada', n: 2 } } };
  await send(request);
  const answers: Omit<Sent, 'byApollo'>[][] = [];
  for (const [caller, headers] of [
    ['7', { 'x-explain': 'false' }],
    ['8', {}],
  ] as const) {
    const own: Omit<Sent, 'byApollo'>[] = [];
    for (let n = 0; n < 12; n++) {
      const token = { authorization: await authorization(caller) };
      const { byApollo, ...answer } = await send({ ...request, headers: { ...headers, ...token } });
      if (answer.status === 200) expect(byApollo).toBe(caller === '7');
      own.push(answer);
    }
    answers.push(own);
  }
  expect(answers[0]?.map(({ status }) => status)).toContain(429);
  expect(answers[0]?.map(({ status }) => status)).toContain(200);
  expect(answers[1]?.map(withoutSeconds)).toEqual(answers[0]?.map(withoutSeconds));
  const metrics = await send({ method: 'GET', url: '/metrics' });
  const refusals = answers.flat().filter(({ status }) => status === 429).length;
  expect(metrics.body).toMatch(new RegExp(`reason="points"\\S* ${refusals}\\n`));
});

test('a cached row is used, unless the request asks for fresh ones', async () => {
  const send = await start({ CACHE_SECONDS: '5' });
  const ask = (headers: Readonly<Record<string, string>> = {}) =>
    send({ payload: { query: '{ node(id: "VHdlZXQ6MTAw") { ... on Tweet { likeCount } } }' }, headers });
  await ask();
  await ask();
  const id = encodeNodeId('Tweet', '100');
  await act(server, '2', 'likeTweet', { id });
  const counts: unknown[] = [];
  for (const headers of [{}, { 'cache-control': 'no-cache' }]) {
    const { body, byApollo } = await ask(headers);
    counts.push([JSON.parse(body), byApollo]);
  }
  expect(counts).toEqual([0, 1].map((likeCount) => [{ data: { node: { likeCount } } }, false]));
});
