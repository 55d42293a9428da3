import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  buildSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
} from 'graphql';
import { printed } from '../src/kit/graphql/schema';
import { createSchema } from '../src/app';
import { follow, person, startHarness, tweet, type Harness } from './support/harness';
import { REQUIRED } from './support/required-schema';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([
    person('1', 'Ada'),
    person('2', 'bo'),
    follow('2', '1', 5),
    tweet('100', '1', 0, {
      location: { latitude: 1.5, longitude: -2, country: 'Chad' },
      likeCount: 7,
      hashtags: ['x'],
    }),
    tweet('101', '2', 0, { inReplyToId: '100' }),
    tweet('102', '2', 0, { sharedTweetId: '100' }),
    tweet('103', '2', 0, { quotedTweetId: '999' }),
  ]);
});
afterAll(() => server.close());

test('schema.graphql is what the classes say', () => {
  expect(readFileSync(join(__dirname, '..', 'schema.graphql'), 'utf8')).toBe(printed(createSchema()));
});

test('schema.graphql has what clients rely on, with the same types', () => {
  const required = buildSchema(REQUIRED);
  const committed = buildSchema(readFileSync(join(__dirname, '..', 'schema.graphql'), 'utf8'));
  const dangers = findDangerousChanges(required, committed).filter(
    ({ type }) => type === DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE,
  );
  expect([...findBreakingChanges(required, committed), ...dangers]).toEqual([]);
  // A field that is never null where it might be, and an input that may be left out, break nobody; yet they are other types.
  const wanted = typesOf(required);
  const found = typesOf(committed);
  expect(Object.fromEntries(Object.keys(wanted).map((field) => [field, found[field]]))).toEqual(wanted);
});

/** The type of each field, by schema coordinate. */
function typesOf(schema: GraphQLSchema): Record<string, string> {
  const types: Record<string, string> = {};
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const [name, field] of Object.entries<GraphQLField<unknown, unknown> | GraphQLInputField>(
      type.getFields(),
    ))
      if (!type.name.startsWith('__')) types[`${type.name}.${name}`] = String(field.type);
  }
  return types;
}

test('a user is found irrespective of case, with counts, and by Twitter account', async () => {
  const { data } = await server.query(`{
    user(username: "aDA") { userId username name followerCount followingCount tweetCount createdAt }
    userByTwitterAccount(twitterAccount: "ADA") { userId }
    nobody: user(username: "nobody") { userId }
    empty: user(username: "") { userId }
  }`);
  expect(data).toEqual({
    user: {
      userId: '1',
      username: 'Ada',
      name: 'The Ada',
      followerCount: 1,
      followingCount: 0,
      tweetCount: 1,
      createdAt: '2026-01-01T00:00:00.000Z',
    },
    userByTwitterAccount: { userId: '1' },
    nobody: null,
    empty: null,
  });
});

test('a tweet has its place, links and the counts of its original', async () => {
  const { data, errors } = await server.query(`{
    a: tweet(tweetId: "100") { content language location { latitude longitude country } hashtags mentions likeCount }
    b: tweet(tweetId: "101") { inReplyTo { tweetId } sharedTweet { tweetId } }
    c: tweet(tweetId: "102") { sharedTweet { author { username } } likeCount }
    d: tweet(tweetId: "103") { quotedTweet { tweetId } likeCount }
    none: tweet(tweetId: "0") { tweetId }
  }`);
  expect(errors).toEqual([]);
  expect(data).toEqual({
    a: {
      content: 'tweet 100',
      language: 'en',
      location: { latitude: 1.5, longitude: -2, country: 'Chad' },
      hashtags: ['x'],
      mentions: [],
      likeCount: 7,
    },
    b: { inReplyTo: { tweetId: '100' }, sharedTweet: null },
    c: { sharedTweet: { author: { username: 'Ada' } }, likeCount: 7 },
    d: { quotedTweet: null, likeCount: 0 },
    none: null,
  });
});

test('node and nodes give back what an id names, in order', async () => {
  const { data } = await server.query('{ user(username: "ada") { id } tweet(tweetId: "100") { id } }');
  const { user, tweet: found } = data as { user: { id: string }; tweet: { id: string } };
  const absent = Buffer.from('User:77').toString('base64url');
  const answer = await server.query(
    'query ($ids: [ID!]!, $id: ID!) { nodes(ids: $ids) { id __typename } node(id: $id) { ... on User { username } } }',
    { ids: [found.id, absent, user.id], id: user.id },
  );
  expect(answer.data).toEqual({
    nodes: [{ id: found.id, __typename: 'Tweet' }, null, { id: user.id, __typename: 'User' }],
    node: { username: 'Ada' },
  });
});

test('followers carry when they followed, and the users of a page are one request', async () => {
  const { data, reads } = await server.query(
    '{ user(username: "ada") { followers { edges { followedAt node { username } } nodes { userId } } } }',
  );
  expect(data).toEqual({
    user: {
      followers: {
        edges: [{ followedAt: '2026-01-01T00:05:00.000Z', node: { username: 'bo' } }],
        nodes: [{ userId: '2' }],
      },
    },
  });
  expect(reads.filter(({ statement }) => statement === 'users.get')).toHaveLength(1);
});

test('tweets of a day are newest first', async () => {
  const { data } = await server.query('{ tweetsOfDay(day: "2026-01-01") { nodes { tweetId } } }');
  expect(data).toEqual({
    tweetsOfDay: { nodes: ['103', '102', '101', '100'].map((tweetId) => ({ tweetId })) },
  });
});

test.each([
  ['first: 0', 'BAD_USER_INPUT'],
  ['first: 101', 'BAD_USER_INPUT'],
  ['first: 1000000', 'BAD_USER_INPUT'],
  ['first: 1, last: 1', 'BAD_USER_INPUT'],
  ['first: 1, before: "x"', 'BAD_USER_INPUT'],
  ['last: 1, after: "x"', 'BAD_USER_INPUT'],
  ['after: "broken"', 'BAD_USER_INPUT'],
])('a page of (%s) is %s', async (args, code) => {
  const { errors } = await server.query(`{ user(username: "ada") { tweets(${args}) { nodes { id } } } }`);
  expect(errors.map(({ extensions }) => extensions.code)).toEqual([code]);
});

test.each([
  ['nested braces', `{${'a{'.repeat(50_000)}`],
  ['many tokens', `{ ${'__typename '.repeat(10_001)}}`],
  ['many aliases', `{ ${Array.from({ length: 101 }, (_, n) => `a${n}: __typename`).join(' ')} }`],
  [
    'many nodes',
    '{ user(username: "a") { followers(first: 100) { nodes { followers(first: 100) { nodes { tweets(first: 100) { nodes { id } } } } } } } }',
  ],
  [
    'a deep query',
    `{ user(username: "a") { tweets { nodes ${'{ author { tweets { nodes '.repeat(5)} { id } ${'} } }'.repeat(5)} } } }`,
  ],
])('%s are refused as too large before anything is read', async (_name, source) => {
  const { errors, reads, status } = await server.query(source);
  expect(errors[0]?.extensions.code).toBe('QUERY_TOO_LARGE');
  expect(reads).toEqual([]);
  expect(status).toBe(400);
});

test.each([
  '',
  '{',
  '[]',
  '{}',
  '{"query":1}',
  '{"query":"{"}',
  '{"query":"{ nope }"}',
  '{"query":"{ __typename }","variables":"x"}',
])('the body %j is a client error', async (body) => {
  const { status, body: answer } = await server.post(body);
  expect(status).toBe(400);
  expect(answer).not.toMatch(/INTERNAL_SERVER_ERROR|node_modules|stack/);
});

test('any cursor, id or name is a right answer or a client error', async () => {
  const source = `query ($a: String!, $id: ID!) {
    user(username: $a) { id } userByTwitterAccount(twitterAccount: $a) { id } tweet(tweetId: $a) { id } node(id: $id) { id }
    ada: user(username: "ada") { tweets(after: $a) { nodes { id } } followers(before: $a) { nodes { id } } timeline(after: $a) { nodes { id } } }
  }`;
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.bigInt().map(String));
  await fc.assert(
    fc.asyncProperty(text, text, async (a, id) => {
      const { errors } = await server.query(source, { a, id });
      expect(errors.filter(({ extensions }) => extensions.code !== 'BAD_USER_INPUT')).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test('a body of another media type than JSON is refused, and the answer names both', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const headers = { 'content-type': type };
    const { statusCode, body } = await server.inject({
      method: 'POST',
      url: '/graphql',
      headers,
      payload: '{"query":"{ __typename }"}',
    });
    expect([statusCode, JSON.parse(body)]).toEqual([
      415,
      {
        errors: [
          {
            message: `The content-type must be application/json, but got: "${type}"`,
            extensions: { code: 'BAD_USER_INPUT' },
          },
        ],
      },
    ]);
  }
});

test('health tells that the server lives and is ready', async () => {
  expect(await server.get('/health/live')).toEqual({ status: 200, body: '{"status":"live"}' });
  expect(await server.get('/health/ready')).toEqual({
    status: 200,
    body: '{"status":"ready","writes":true}',
  });
});
