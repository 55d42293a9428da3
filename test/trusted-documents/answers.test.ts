import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { getIntrospectionQuery } from 'graphql';
import { authorization } from '../support/harness';
import { ada, byName, sha256, start, two, write } from './trusting-server';

const mutation = 'mutation Like($id: ID!) { likeTweet(id: $id) { tweet { id } } }';
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

const data = (user: object) => ({ status: 200, data: { user } });
const refusal = (message: string, code = 'BAD_USER_INPUT') => ({
  status: 400,
  errors: [{ message, extensions: { code } }],
});

test.each([
  [
    'Relay and GraphQL Code Generator write',
    { 'm.json': { [md5(byName)]: byName, other: ada } },
    md5(byName),
  ],
  [
    'Apollo writes',
    {
      'm.json': {
        format: 'apollo-persisted-query-manifest',
        version: 1,
        operations: [{ id: sha256(byName), name: 'ByName', type: 'query', body: byName }],
      },
    },
    sha256(byName),
  ],
  ['is a document, by the name of its file', { 'by-name.graphql': byName }, 'by-name'],
  ['is a document, by its hash', { 'x.gql': byName }, `sha256:${sha256(byName)}`],
])('a file that %s is read', async (_, files, documentId) => {
  const path = write(files);
  for (const at of [path, join(path, Object.keys(files)[0] ?? '')]) {
    const send = await start({ TRUSTED_DOCUMENTS: at });
    for (const id of [documentId, `sha256:${sha256(byName)}`])
      expect(await send({ payload: { documentId: id, variables: { name: 'bo' } } })).toEqual(
        data({ username: 'bo' }),
      );
  }
});

test('a folder is read with its folders, and answers POST and GET', async () => {
  const send = await start({
    TRUSTED_DOCUMENTS: write({
      'a/b/ada.graphql': ada,
      'a/relay.json': { one: byName },
      'two.gql': two,
      'like.graphql': mutation,
      'README.md': 'no document',
    }),
  });
  expect(await send({ payload: { documentId: 'ada' } })).toEqual(data({ name: 'The ada' }));
  expect(await send({ payload: { documentId: 'ada', query: '' } })).toEqual(data({ name: 'The ada' }));
  for (const [operationName, user] of [
    ['One', { userId: '1' }],
    ['Two', { username: 'ada' }],
  ] as const)
    expect(await send({ payload: { documentId: 'two', operationName } })).toEqual(data(user));
  const get = (query: Record<string, string>) => send({ method: 'GET', query });
  const variables = JSON.stringify({ name: 'bo' });
  expect(await get({ documentId: 'one', variables })).toEqual(data({ username: 'bo' }));
  expect(await get({ documentId: `sha256:${sha256(byName)}`, variables })).toEqual(data({ username: 'bo' }));
  expect(await get({ documentId: 'two', operationName: 'One' })).toEqual(data({ userId: '1' }));
  expect(await get({ documentId: 'like', variables: '{"id":"x"}' })).toMatchObject({ status: 405 });
  // Without TRUSTED_ONLY, any query is answered beside them.
  expect(await send({ payload: { query: '{ user(username: "bo") { name } }' } })).toEqual(
    data({ name: 'The bo' }),
  );
});

test('the hash that clients of Apollo send names a document, and an unknown one makes them send the text', async () => {
  const send = await start({ TRUSTED_DOCUMENTS: write({ 'ada.graphql': ada }) });
  const extensions = { persistedQuery: { version: 1, sha256Hash: sha256(ada) } };
  expect(await send({ payload: { extensions } })).toEqual(data({ name: 'The ada' }));
  expect(await send({ method: 'GET', query: { extensions: JSON.stringify(extensions) } })).toEqual(
    data({ name: 'The ada' }),
  );
  const unknown = { persistedQuery: { version: 1, sha256Hash: sha256('{ no }') } };
  expect(await send({ payload: { extensions: unknown } })).toMatchObject({
    errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'BAD_USER_INPUT' } }],
  });
});

test('an id that names nothing, or comes with a query, is refused', async () => {
  const trusting = await start({ TRUSTED_DOCUMENTS: write({ 'ada.graphql': ada }) });
  const unknown = refusal('documentId must name a trusted document, but got: "bo"');
  const cases: [unknown, object][] = [
    [{ documentId: 'bo' }, unknown],
    [{ documentId: 'ada', query: ada }, refusal('A request has documentId or query, but this one has both.')],
    [{ documentId: 5 }, refusal('documentId must be text, but got: number')],
    [{ documentId: ['ada'] }, refusal('documentId must be text, but got: object')],
    [{ documentId: 'a'.repeat(201) }, refusal('documentId must have at most 200 characters, but got: 201')],
  ];
  for (const [payload, answer] of cases)
    expect(await trusting({ payload: JSON.stringify(payload), headers: json })).toEqual(answer);
  expect(await trusting({ method: 'GET', query: { documentId: 'bo' } })).toEqual(unknown);
  expect(
    await trusting({ payload: { documentId: 'bo' }, headers: { accept: 'application/json' } }),
  ).toMatchObject({ status: 200 });
  expect(await (await start({}))({ payload: { documentId: 'bo' } })).toEqual(unknown);
});

const json = { 'content-type': 'application/json' };

test('the limits hold for what a trusted document asks with its variables', async () => {
  const many =
    'query($n: Int) { user(username: "ada") { followers(first: $n) { nodes { tweets(first: $n) { nodes { author { tweets(first: $n) { edges { cursor } } } } } } } } }';
  const send = await start({ TRUSTED_DOCUMENTS: write({ 'many.graphql': many }) });
  expect(await send({ payload: { documentId: 'many', variables: { n: 2 } } })).toMatchObject({ status: 200 });
  expect(await send({ payload: { documentId: 'many', variables: { n: 100 } } })).toMatchObject({
    errors: [{ extensions: { code: 'QUERY_TOO_LARGE' } }],
  });
});

test('TRUSTED_ONLY refuses every other query, introspection and GraphiQL, unless a service asks', async () => {
  const send = await start({ TRUSTED_DOCUMENTS: write({ 'ada.graphql': ada }), TRUSTED_ONLY: 'true' });
  const refused = refusal('This server answers trusted documents only, named by documentId.', 'FORBIDDEN');
  const user = { authorization: await authorization('1') };
  const service = { authorization: await authorization('service') };
  const query = '{ user(username: "bo") { name } }';
  const escaped = '%7Buser(username:%22bo%22)%7Bname%7D%7D';
  for (const headers of [{}, user]) {
    for (const payload of [
      { query },
      { query: ada },
      { query: getIntrospectionQuery() },
      { query, extensions: { persistedQuery: { version: 1, sha256Hash: sha256(ada) } } },
      { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(query) } } },
      { variables: {} },
      [{ query }],
    ])
      expect(await send({ payload: JSON.stringify(payload), headers: { ...json, ...headers } })).toEqual(
        refused,
      );
    for (const search of [`query=${escaped}`, `%71uery=${escaped}`, `query=&query=${escaped}`, ''])
      expect(await send({ method: 'GET', url: `/graphql?${search}`, headers })).toEqual(refused);
    // The address of a POST says nothing.
    expect(await send({ url: `/graphql?query=${escaped}`, payload: { documentId: 'ada' }, headers })).toEqual(
      data({ name: 'The ada' }),
    );
    expect(await send({ url: '/graphql?documentId=ada', payload: { query }, headers })).toEqual(refused);
    expect(await send({ payload: { documentId: 'ada' }, headers })).toEqual(data({ name: 'The ada' }));
  }
  expect(await send({ payload: { query }, headers: service })).toEqual(data({ name: 'The bo' }));
  expect(await send({ payload: { query: getIntrospectionQuery() }, headers: service })).toMatchObject({
    data: { __schema: { queryType: { name: 'Query' } } },
  });
  for (const url of ['/graphiql', '/graphiql/page.json', '/graphiql/headers.json'])
    expect(await send({ method: 'GET', url })).toMatchObject({ status: 404 });
});
