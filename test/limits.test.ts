import type { FastifyInstance } from 'fastify';
import { getIntrospectionQuery } from 'graphql';
import pino from 'pino';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { createServer } from '../src/server';
import { person, startHarness, type Harness } from './support/harness';

let server: Harness;
let app: FastifyInstance;
beforeAll(async () => {
  server = await startHarness();
  app = await createServer(server.writeServices, server.config, pino({ level: 'silent' }), {
    embedded: true,
  });
  await server.store([person('1', 'ada')]);
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const ids = (length: number) => Array.from({ length }, () => encodeNodeId('User', '1'));
const deep = (levels: number) =>
  `{ user(username: "ada") ${'{ tweets { nodes { author '.repeat(levels)} { id } ${'} } }'.repeat(levels)} }`;
/** The same, each level by a fragment in a fragment of its own, as clients write that have one for each component. */
const deepByFragments = (levels: number) =>
  [
    '{ user(username: "ada") { ...Outer0 } }',
    ...Array.from(
      { length: levels },
      (_, n) =>
        `fragment Outer${n} on User { ...Inner${n} } fragment Inner${n} on User { tweets { nodes { author { ...Outer${n + 1} } } } }`,
    ),
    `fragment Outer${levels} on User { id }`,
  ].join(' ');

test.each([
  ['tokens', `{ ${'a '.repeat(12_344)}}`, 'A query may have 10000 tokens, but this one has more.'],
  [
    'tokens, of which comments are some,',
    `{ a }${'#\n'.repeat(10_000)}`,
    'A query may have 10000 tokens, but this one has more.',
  ],
  ['brackets', '{a'.repeat(300), 'Brackets may be nested 200 deep, but here they are 300 deep.'],
  ['depth', deep(4), 'A query may be 12 deep, but this one is 14.'],
  ['depth by fragments', deepByFragments(4), 'A query may be 12 deep, but this one is 14.'],
  ['depth beyond that of introspection', deep(12), 'A query may be 12 deep, but this one is 38.'],
  [
    'introspection',
    `{ __schema { types { ${'ofType { '.repeat(40)} name ${'}'.repeat(40)} } } }`,
    'Introspection may be 30 deep, but this query is 43.',
  ],
  [
    'fields to be merged',
    `{ user(username: "ada") { ${'tweets(first: 1) { nodes { id } } '.repeat(200)} } }`,
    'A query asks for the same fields in too many places: ask for each in one place.',
  ],
  [
    'fragments to be merged',
    `{ user(username: "ada") { ${Array.from({ length: 300 }, (_, n) => `...F${n}`).join(' ')} } } ${Array.from({ length: 300 }, (_, n) => `fragment F${n} on User { a${n}: id }`).join(' ')}`,
    'A query asks for the same fields in too many places: ask for each in one place.',
  ],
  [
    'aliases of the schema',
    '{ __schema { types { ...T } } } fragment T on __Type { a: fields { name } }',
    'A query may ask for the schema without aliases only.',
  ],
  [
    'aliases',
    `{ ${Array.from({ length: 123 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
    'A query may have 100 aliases, but this one has 123.',
  ],
  [
    'nodes',
    '{ user(username: "ada") { followers(first: 100) { nodes { tweets(last: 100) { nodes { author { tweets(first: 6) { edges { cursor } } } } } } } } }',
    'A query may return at most 50000 nodes, but this one could return 70100: ask for smaller pages.',
  ],
  [
    'ids',
    `{ user(username: "ada") { id } nodes(ids: ${JSON.stringify(ids(101))}) { id } }`,
    'nodes.ids must have at most 100 items, but got 101.',
  ],
])('the limit on %s says itself and the count, before anything is read', async (_name, source, message) => {
  const { status, errors, reads } = await server.query(source);
  expect(errors.map(({ message: said, extensions }) => [said, extensions.code])).toEqual([
    [message, 'QUERY_TOO_LARGE'],
  ]);
  expect(reads).toEqual([]);
  expect(status).toBe(400);
});

test('a query of so many fields that it is not compiled is answered as a small one is', async () => {
  const fields = `id userId username name description createdAt followerCount followingCount tweetCount
    tweets(first: $n) @include(if: $all) { edges { cursor node { id } } pageInfo { hasNextPage } } isViewer: viewerIsFollowing`;
  const queryOf = (users: number) => `query ($name: String! = "ada", $n: Int = 2, $all: Boolean = true) {
    ${Array.from({ length: users }, (_, n) => `a${n}: user(username: $name) { ...U }`).join(' ')}
  } fragment U on User { ${fields} }`;
  for (const variables of [
    {},
    { name: 'nobody', n: null },
    { all: false },
    { n: 1000 },
    { n: 'x' },
    { name: null },
  ]) {
    const [small, large] = [
      await server.query(queryOf(1), variables),
      await server.query(queryOf(40), variables),
    ];
    const [{ data, errors, status }, one] = [large, small];
    expect(status).toBe(one.status);
    expect(errors.map(({ message }) => message)).toEqual(
      Array.from({ length: data === undefined || data === null ? 1 : 40 }).flatMap(() =>
        one.errors.map(({ message }) => message),
      ),
    );
    const users = Object.values(data ?? {});
    for (const user of users) expect(user).toEqual((one.data as { a0: unknown }).a0);
    expect(users).toHaveLength(data === undefined || data === null ? 0 : 40);
  }
});

test('fragments make a query no deeper', async () => {
  expect(await server.query(deepByFragments(3))).toMatchObject({ status: 200, errors: [] });
});

test('a field of an input that nobody knows is refused before its value is looked at, however deep that is', async () => {
  const query =
    'query ($a: AreaInput!, $t: DateTime!) { tweetsInArea(area: $a, from: $t, to: $t) { nodes { id } } }';
  const deepest = `${'['.repeat(90_000)}${']'.repeat(90_000)}`;
  const area = `{"south":0,"west":0,"north":1,"${'x'.repeat(200)}":${deepest}}`;
  const { status, body } = await server.post(
    `{"query":${JSON.stringify(query)},"variables":{"a":${area},"t":"2026-01-01T00:00:00Z"}}`,
  );
  expect({ status, ...(JSON.parse(body) as object) }).toMatchObject({
    status: 400,
    errors: [
      {
        message: `tweetsInArea.area has no field "${'x'.repeat(100)}".`,
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ],
  });
});

test('a variable that only another operation has is not looked at', async () => {
  const query =
    'query A { user(username: "ada") { name } } query B($x: Int) { user(username: "ada") { tweets(first: $x) { nodes { id } } } }';
  const deep = `${'['.repeat(90_000)}${']'.repeat(90_000)}`;
  const { status, body } = await server.post(
    `{"query":${JSON.stringify(query)},"operationName":"A","variables":{"x":${deep}}}`,
  );
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ data: { user: { name: 'The ada' } } });
});

test('a variable that a mutation does not declare is not looked at, however deep it is', async () => {
  const deep = `${'['.repeat(45_000)}${']'.repeat(45_000)}`;
  const { status, body } = await server.post(
    `{"query":"mutation { __typename }","variables":{"x":${deep}}}`,
    '1',
  );
  expect({ status, ...(JSON.parse(body) as object) }).toMatchObject({
    status: 200,
    data: { __typename: 'Mutation' },
  });
});

test('an answer of too many values is refused before anything is read', async () => {
  const minutes = (count: number) =>
    `{ tweetFrequency(from: "2026-01-01T00:00:00Z", to: "2026-01-01T${String(Math.floor(count / 60)).padStart(2, '0')}:00:00Z", unit: MINUTE, language: "en") { ${Array.from({ length: 99 }, (_, n) => `a${n}: count`).join(' ')} } }`;
  const bounded = await startHarness({ LIMIT_VALUES: '15000' }, server);
  expect(await bounded.query(minutes(120))).toMatchObject({ errors: [] });
  const { data, errors } = await bounded.query(minutes(180));
  expect(data).toBeUndefined();
  expect(errors).toMatchObject([
    {
      message:
        'An answer may have at most 15000 values, but this one could have 17821: ask for fewer fields or smaller pages.',
      extensions: { code: 'QUERY_TOO_LARGE' },
    },
  ]);
});

test('the names of types are values of an answer, too', async () => {
  const bounded = await startHarness({ LIMIT_VALUES: '15000' }, server);
  const names = Array.from({ length: 99 }, (_, n) => `a${n}: __typename`).join(' ');
  const period = 'from: "2026-01-01T00:00:00Z", to: "2026-01-01T03:00:00Z", unit: MINUTE, language: "en"';
  const { errors } = await bounded.query(`{ tweetFrequency(${period}) { ${names} } }`);
  expect(errors).toMatchObject([
    {
      message: expect.stringMatching(/^An answer may have at most 15000 values, but .* 17821:/) as string,
      extensions: { code: 'QUERY_TOO_LARGE' },
    },
  ]);
  await bounded.close();
});

test('a word that x-explain does not know is refused, and nothing is done', async () => {
  const ask = async (word: string) => {
    const headers = { 'content-type': 'application/json', 'x-explain': word };
    const { statusCode, body } = await server.inject({
      method: 'POST',
      url: '/graphql',
      headers,
      payload: JSON.stringify({ query: '{ user(username: "ada") { name } }' }),
    });
    return [statusCode, body.trim()];
  };
  expect(await ask('Only')).toEqual([
    400,
    '{"errors":[{"message":"x-explain must be true, only, false, but got: \\"Only\\"","extensions":{"code":"BAD_USER_INPUT"}}]}',
  ]);
  expect(await ask('false')).toEqual([200, '{"data":{"user":{"name":"The ada"}}}']);
});

test('a null for an argument that may not be null is refused', async () => {
  const query = 'query ($name: String = "ada") { user(username: $name) { id } }';
  expect(await server.query(query, { name: null })).toMatchObject({
    status: 400,
    errors: [
      {
        message: 'Argument "username" of non-null type "String!" must not be null.',
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ],
  });
});

test('a short text that fragments make a huge query is refused, however deep a query may be', async () => {
  const deeper = await startHarness({ LIMIT_DEPTH: '40' }, server);
  const fragments = Array.from({ length: 9 }, (_, n) => {
    const links = ['inReplyTo', 'quotedTweet', 'sharedTweet'].map((field) => `${field} { ...F${n + 1} }`);
    return `fragment F${n} on Tweet { id ${n < 8 ? links.join(' ') : ''} }`;
  });
  const { errors, reads } = await deeper.query(`{ tweet(tweetId: "1") { ...F0 } } ${fragments.join(' ')}`);
  expect(errors.map(({ message, extensions }) => [message, extensions.code])).toEqual([
    [
      'A query may have 10000 fields with all its fragments filled in, but this one has more.',
      'QUERY_TOO_LARGE',
    ],
  ]);
  expect(reads).toEqual([]);
  await deeper.close();
});

test('100 ids and the introspection of tools are within the limits', async () => {
  const { errors } = await server.query('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
    ids: ids(100),
  });
  expect(errors).toEqual([]);
  const options = {
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  };
  expect((await server.query(getIntrospectionQuery(options))).errors).toEqual([]);
});

test('a limit cannot be passed by a smaller query that was let through before', async () => {
  const query = `query ($big: Boolean!, $n: Int, $ids: [ID!]!) {
    user(username: "ada") { followers(first: 100) @include(if: $big) { nodes { tweets(first: 100) { nodes { author { tweets(first: $n) { edges { cursor } } } } } } } }
    nodes(ids: $ids) { id }
  }`;
  const errorsOf = async (variables: Readonly<Record<string, unknown>>) =>
    (await server.query(query, variables)).errors.map(({ extensions }) => extensions.code);
  expect(await errorsOf({ big: false, n: 6, ids: [] })).toEqual([]);
  expect(await errorsOf({ big: true, n: 1, ids: [] })).toEqual([]);
  expect(await errorsOf({ ' n': 6, big: true, n: 1, ids: [] })).toEqual([]);
  expect(await errorsOf({ big: true, n: 6, ids: [] })).toEqual(['QUERY_TOO_LARGE']);
  expect(await errorsOf({ ' ': 'x', big: true, n: 6, ids: [] })).toEqual(['QUERY_TOO_LARGE']);
  expect(await errorsOf({ big: false, n: 6, ids: ids(101) })).toEqual(['QUERY_TOO_LARGE']);
});

test('a variable of a type that is not null may have a default', async () => {
  const source =
    'query ($name: String! = "ada", $yes: Boolean! = true) { user(username: $name) { username @include(if: $yes) } }';
  expect((await server.query(source)).data).toEqual({ user: { username: 'ada' } });
  expect((await server.query(source, { yes: false })).data).toEqual({ user: {} });
});

test('what is wrong in a variable is told by its own name and path, also when the query has run before', async () => {
  const source = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
  expect((await server.query(source, { ids: [] })).errors).toEqual([]);
  const { errors } = await server.query(source, { ids: ['a', null] });
  expect(errors.map(({ message }) => message)).toEqual([
    'nodes.ids: Variable "$ids" got invalid value null at "ids[1]"; Expected non-nullable type "ID!" not to be null.',
  ]);
});

// GraphQL over HTTP, September 2026: a client that reads application/json only is told by the body, others by the status.
const json = 'application/json';
const response = 'application/graphql-response+json';
test.each([
  ['that cannot be parsed', '{"query":"{"}', 400],
  ['that is not valid', '{"query":"{ nope }"}', 422],
  ['with an unknown operation', '{"query":"{ __typename }","operationName":"a"}', 422],
  ['that is a subscription while there are none', '{"query":"subscription { __typename }"}', 422],
  ['that lacks a variable', '{"query":"query ($a: String!) { user(username: $a) { id } }"}', 422],
  [
    'with a variable of another type',
    '{"query":"query ($a: Date!) { tweetsOfDay(day: $a) { nodes { id } } }","variables":{"a":"x"}}',
    422,
  ],
  ['too large', JSON.stringify({ query: `{ ${'a '.repeat(12_344)}}` }), 422],
])('a query %s is refused by status, and 200 for who reads JSON only', async (_name, payload, status) => {
  const statusFor = async (accept?: string) => {
    const headers = { 'content-type': json, ...(accept !== undefined && { accept }) };
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/graphql', headers, payload });
    expect(JSON.parse(body)).toEqual({
      errors: [
        expect.objectContaining({
          extensions: expect.objectContaining({
            code: expect.stringMatching('BAD_USER_INPUT|QUERY_TOO_LARGE') as string,
          }) as unknown,
        }),
      ],
    });
    return statusCode;
  };
  expect(await statusFor()).toBe(400);
  expect(await statusFor(response)).toBe(status);
  expect(await statusFor(`${response}, ${json};q=0.9`)).toBe(status);
  expect(await statusFor('*/*')).toBe(400);
  expect(await statusFor(json)).toBe(200);
});

test.each([
  ['{"query":""}', 422],
  ['{"variables":{}}', 422],
  ['[]', 422],
  ['{', 400],
  ['"x"', 422],
])('the body %s is 400, or %d for who reads the newer type', async (payload, status) => {
  const statusFor = async (accept: string) => {
    const headers = { 'content-type': json, accept };
    return (await app.inject({ method: 'POST', url: '/graphql', headers, payload })).statusCode;
  };
  expect(await statusFor(json)).toBe(400);
  expect(await statusFor(response)).toBe(status);
});

test.each([
  ['variables=%7B', 400],
  ['extensions=%7B', 400],
  ['variables=%5B1%5D', 422],
  ['operationName=unknown', 422],
])('a GET with %s is %d for who reads the newer type', async (more, status) => {
  const { statusCode } = await app.inject({
    url: `/graphql?query=${encodeURIComponent('{ __typename }')}&${more}`,
    headers: { accept: response },
  });
  expect(statusCode).toBe(status);
});

test('data with errors are 294 for who reads the newer type, and 200 for others', async () => {
  const query = '{ __typename tweetsOfDay(day: "2026-01-01", first: 0) { nodes { id } } }';
  const payload = JSON.stringify({ query });
  for (const [accept, status] of [
    [json, 200],
    ['*/*', 200],
    [response, 294],
  ] as const) {
    const headers = { 'content-type': json, accept };
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/graphql', headers, payload });
    const { data, errors } = JSON.parse(body) as { data: unknown; errors: unknown };
    expect([data !== undefined, errors]).toEqual([true, [expect.anything()]]);
    expect(statusCode).toBe(status);
  }
});

test('a browser that opens /graphql is sent no page that loads from elsewhere', async () => {
  const { body } = await app.inject({ method: 'GET', url: '/graphql', headers: { accept: 'text/html' } });
  expect(body).not.toMatch(/https?:/);
});
