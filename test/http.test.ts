import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { check, startClient, type Client } from './support/client';
import { oddText, oddValue, prototypeKeys } from './support/documents';

let client: Client;
beforeAll(async () => {
  client = await startClient();
});
afterAll(() => client.close());

const queryOfBody = fc.oneof(
  fc.constantFrom(
    '{ __typename }',
    'query a { __typename } query b { user(username: "ada") { id } }',
    '{',
    '',
  ),
  oddValue,
);

test('any body is answered or refused', async () => {
  const body = fc.oneof(
    fc.record(
      {
        query: queryOfBody,
        variables: oddValue,
        operationName: fc.oneof(fc.constantFrom('a', 'b', 'none'), oddValue),
        extensions: oddValue,
        id: oddValue,
      },
      { requiredKeys: [] },
    ),
    fc.array(fc.record({ query: queryOfBody }), { maxLength: 3 }),
    oddValue,
  );
  const text = fc.oneof(
    { weight: 3, arbitrary: body.map((value) => JSON.stringify(value)) },
    oddText,
    fc.constantFrom(
      ...prototypeKeys.flatMap((key) => [
        `{"query":"{ __typename }","variables":{"${key}":1}}`,
        `{"${key}":{"query":"{ __typename }"},"query":"{ __typename }"}`,
      ]),
      ...prototypeKeys.map(
        (key) =>
          `{"query":"query ${key}($${key}: String) { ${key}: user(username: $${key}) { id } }","operationName":"${key}","variables":{"${key}":"ada"}}`,
      ),
      '['.repeat(100_000),
      '{"a":'.repeat(100_000),
      '{"query":"{ __typename }","query":"{ nope }"}',
      '{"query":"{ __typename }","extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}',
      '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}',
      'x'.repeat(1_100_000),
    ),
  );
  await check(1500, text, (payload) => client.post(payload));
});

test('a list of queries is refused', async () => {
  const { status, data } = await client.post([{ query: '{ __typename }' }, { query: '{ __typename }' }]);
  expect([status, data]).toEqual([400, undefined]);
});

test('any address is answered or refused', async () => {
  const encoded = oddText.map((text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?')));
  const part = fc.oneof(
    fc
      .tuple(
        fc.constantFrom('query', 'variables', 'operationName', 'extensions', 'a'),
        fc.oneof(encoded, fc.constantFrom('%7B__typename%7D', '{}', '[]', '{"s":1}', '%E0%A4%A', '%', '%00')),
      )
      .map(([name, value]) => `${name}=${value}`),
    fc.constantFrom(
      'query',
      '=',
      '&&',
      'query=%7B__typename%7D',
      'mutation{a}',
      'query=mutation%7Ba%7D',
      'query[]=%7B__typename%7D',
    ),
  );
  const headers = fc.constantFrom(
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'text/plain' },
    { 'apollo-require-preflight': '1' },
  );
  await check(1000, fc.tuple(fc.array(part, { maxLength: 4 }), headers), ([parts, given]) =>
    client.send({ method: 'GET', url: `/graphql?${parts.join('&')}`, headers: given }),
  );
});

test('any content type, encoding and preference is answered or refused', async () => {
  const query = JSON.stringify({ query: '{ user(username: "ada") { name } }' });
  const payload = fc.constantFrom(
    query,
    gzipSync(query),
    gzipSync(query).subarray(0, 20),
    gzipSync(Buffer.alloc(30_000_000)),
    '',
    '\0',
    'query={__typename}',
  );
  const header = (...values: (string | undefined)[]) => fc.constantFrom(undefined, ...values);
  const headers = fc.record({
    'content-type': header(
      'application/json',
      'application/json; charset=utf-8',
      'application/json; charset=utf-16',
      'application/json; charset=',
      'APPLICATION/JSON',
      'application/graphql',
      'application/graphql+json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'json',
      ';',
      ',',
    ),
    'content-encoding': header('gzip', 'br', 'deflate', 'zstd', 'identity', 'gzip, gzip', 'x', ''),
    'accept-encoding': header('gzip', 'br', 'identity;q=0', '*;q=0', 'x', ''),
    accept: header(
      'application/json',
      'application/graphql-response+json',
      '*/*',
      'text/html',
      'x',
      '',
      'application/json;q=0',
      'multipart/mixed; deferSpec=20220824',
      'application/graphql-response+json, application/json, text/event-stream',
    ),
    'x-explain': header('true', 'x'),
    'x-apollo-operation-name': header('a'),
    origin: header('null', 'https://example.org'),
  });
  await check(
    800,
    fc.tuple(payload, headers, fc.constantFrom('POST', 'GET')),
    async ([body, given, method]) => {
      // Browsers are sent to GraphiQL.
      if (method === 'GET' && given.accept === 'text/html') return;
      await client.send({
        method: method,
        headers: Object.fromEntries(
          Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
        ),
        ...(method !== 'GET' && { payload: body }),
      });
    },
  );
});
