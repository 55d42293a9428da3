import type { InjectOptions } from 'fastify';
import { buildSchema, parse } from 'graphql';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { isPublic } from '../../src/kit/graphql/public-documents';
import { createSchema } from '../../src/app';
import { authorization } from '../support/harness';
import { ada, byName, startApp, two, write } from './trusting-server';

const documents = {
  ada,
  byName,
  two,
  page: 'query ($after: String) { user(username: "ada") { tweets(after: $after) { nodes { id } } } }',
  viewer: '{ viewer { name } }',
  liked:
    '{ user(username: "ada") { ...Likes } } fragment Likes on User { tweets { nodes { viewerHasLiked } } }',
  timeline: 'query ($id: ID!) { node(id: $id) { ... on User { timeline { nodes { id } } } } }',
  like: 'mutation ($id: ID!) { likeTweet(id: $id) { tweet { id } } }',
  mixed:
    'query One { user(username: "ada") { name } } mutation Two($id: ID!) { likeTweet(id: $id) { tweet { id } } }',
  follow: 'subscription { timelineTweet { cursor } }',
};
const names = Object.keys(documents);
const publicNames = ['ada', 'byName', 'two', 'page'];

type Send = (
  documentId: string,
  more?: InjectOptions & { variables?: object; operationName?: string },
) => ReturnType<typeof request>;
let send: Send;
const start = async (settings: NodeJS.ProcessEnv = {}): Promise<Send> => {
  const files = Object.fromEntries(
    Object.entries(documents).map(([name, text]) => [`${name}.graphql`, text]),
  );
  const app = await startApp({ TRUSTED_DOCUMENTS: write(files), CACHE_SECONDS: '3', ...settings });
  return (documentId, { variables, operationName, ...more } = {}) =>
    request(app, documentId, variables, operationName, more);
};
const request = async (
  app: Awaited<ReturnType<typeof startApp>>,
  documentId: string,
  variables: object | undefined,
  operationName: string | undefined,
  more: InjectOptions,
) => {
  const query = {
    documentId,
    ...(variables && { variables: JSON.stringify(variables) }),
    ...(operationName !== undefined && { operationName }),
  };
  const { statusCode, headers, body } = await app.inject({ method: 'GET', url: '/graphql', query, ...more });
  const vary = String(headers['vary']).split(', ').toSorted();
  return {
    status: statusCode,
    cache: headers['cache-control'],
    tag: headers['etag'],
    // A 304 that says 0 would make caches think that the answer is empty.
    length: headers['content-length'],
    vary,
    body,
  };
};
beforeEach(async () => {
  send = await start();
});

const NOT_SHARED = { cache: undefined, tag: undefined };
const asked = { byName: { variables: { name: 'bo' } }, two: { operationName: 'One' }, page: {}, ada: {} };

test.each(Object.entries(asked))(
  'a document that everybody gets the same answer to may be kept: %s',
  async (name, more) => {
    const first = await send(name, more);
    expect(first).toMatchObject({
      status: 200,
      cache: 'public, max-age=3',
      tag: expect.stringMatching(/^W\/"[\w-]{27}"$/) as string,
      vary: expect.arrayContaining(['accept', 'authorization', 'x-explain']) as string[],
    });
    expect(await send(name, more)).toEqual(first);
    const tag = String(first.tag);
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, ` ${tag} ,W/"x"`, '*'])
      expect(await send(name, { ...more, headers: { 'if-none-match': known } })).toEqual({
        ...first,
        status: 304,
        length: undefined,
        body: '',
      });
    for (const known of ['"other"', 'W/"x"', '', tag.slice(0, -2)])
      expect(await send(name, { ...more, headers: { 'if-none-match': known } })).toEqual(first);
  },
);

test('with a token, an answer is kept for nobody else, and asked for again each time', async () => {
  const plain = await send('ada');
  const headers = { authorization: await authorization('1') };
  const own = await send('ada', { headers });
  expect(own).toEqual({ ...plain, cache: 'private, no-cache' });
  expect(await send('ada', { headers: { ...headers, 'if-none-match': String(own.tag) } })).toMatchObject({
    status: 304,
    cache: 'private, no-cache',
    body: '',
  });
});

test('another answer has another tag', async () => {
  const tags = await Promise.all(
    ['ada', 'bo'].map(async (name) => (await send('byName', { variables: { name } })).tag),
  );
  expect(new Set(tags).size).toBe(2);
});

test('what depends on the caller, has errors or is explained is not kept', async () => {
  const cases: [string, Parameters<Send>[1]][] = [
    ['viewer', {}],
    ['liked', {}],
    ['timeline', { variables: { id: encodeNodeId('User', '1') } }],
    ['like', { variables: { id: encodeNodeId('Tweet', '1') } }],
    ['mixed', { operationName: 'One' }],
    ['follow', {}],
    ['unknown', {}],
    ['page', { variables: { after: 'x' } }],
    ['byName', {}],
    ['byName', { variables: { name: 'a'.repeat(1000) } }],
    ['two', {}],
    ['ada', { headers: { 'x-explain': 'only' } }],
    ['ada', { headers: { 'x-explain': 'false' } }],
    ['ada', { headers: { authorization: 'Bearer x' } }],
    ['ada', { query: { query: '{ user(username: "ada") { name } }' } }],
  ];
  for (const [name, more] of cases) {
    expect({ name, ...(await send(name, more)) }).toMatchObject({ name, ...NOT_SHARED });
    const headers = { ...more?.headers, 'if-none-match': '*' };
    expect((await send(name, { ...more, headers })).status).not.toBe(304);
  }
  expect(await send('ada', { method: 'POST', payload: { documentId: 'ada' } })).toMatchObject({
    status: 200,
    ...NOT_SHARED,
  });
});

test('without a cache of its own, a server lets others keep nothing unasked', async () => {
  expect(await (await start({ CACHE_SECONDS: '0' }))('ada')).toMatchObject({ cache: 'public, max-age=0' });
});

test('a document is public only if all of its operations are queries of fields that need no caller', () => {
  const schema = createSchema();
  const found = names.filter((name) => isPublic(schema, parse(documents[name as keyof typeof documents])));
  expect(found).toEqual(publicNames);
  // What the schema does not know might need the caller.
  expect(isPublic(buildSchema('type Query { a: Int }'), parse('{ b }'))).toBe(false);
});
