import { person, startHarness, type Harness } from './support/harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness({ CORS_ORIGIN: 'https://page.example' });
  await server.store([person('1', 'ada')]);
});

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'TRACE' | 'OPTIONS';

async function answerTo(
  method: Method,
  url: string,
  more: { headers?: Record<string, string>; payload?: string } = {},
) {
  const { statusCode: status, headers, body } = await server.inject({ method, url, ...more });
  return { status, allow: headers.allow, body };
}

const OTHERS: readonly Method[] = ['PUT', 'DELETE', 'PATCH', 'TRACE'];
const PAGES = [
  '/',
  '/graphiql',
  '/graphiql/page.json',
  '/graphiql/any.js',
  '/health/live',
  '/health/ready?a=1',
  '/metrics',
  '/model',
];

test.each(PAGES)('%s can be read, and other methods are answered with those that it has', async (url) => {
  const got = await answerTo('GET', url);
  expect(got.status).not.toBe(405);
  expect((await answerTo('HEAD', url)).status).toBe(got.status);
  for (const method of ['POST', ...OTHERS] as const) {
    const message = `The method must be one of GET, HEAD, but got: ${method}`;
    const errors = [{ message, extensions: { code: 'BAD_USER_INPUT' } }];
    expect(await answerTo(method, url)).toEqual({
      status: 405,
      allow: 'GET, HEAD',
      body: JSON.stringify({ errors }),
    });
  }
});

test.each(OTHERS)(
  '%s of /graphql is answered with the methods that it has, whatever the body',
  async (method) => {
    for (const payload of ['{"query":"{ __typename }"}', 'x'.repeat(2_000_000)])
      for (const type of ['application/json', 'text/plain']) {
        const sent = { headers: { 'content-type': type }, ...(method !== 'TRACE' && { payload }) };
        const { status, allow, body } = await answerTo(method, '/graphql', sent);
        expect([status, JSON.parse(body)]).toMatchObject([
          405,
          { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
        ]);
        expect(allow).toBe('GET, POST');
      }
  },
);

test('what is nowhere is not found, whatever the method, and nothing that is sent there is parsed', async () => {
  for (const method of ['GET', ...OTHERS] as const)
    expect(await answerTo(method, '/nothing')).toMatchObject({ status: 404, allow: undefined });
  const headers = { 'content-type': 'application/json' };
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
    for (const payload of ['no JSON', 'x'.repeat(2_000_000)])
      expect(await answerTo(method, '/nothing?a=1', { headers, payload })).toEqual({
        status: 404,
        allow: undefined,
        body: JSON.stringify({
          message: `Route ${method}:/nothing not found`,
          error: 'Not Found',
          statusCode: 404,
        }),
      });
});

test.each(['/graphql', '/health/live'])(
  'a page of an allowed origin may ask before it sends to %s',
  async (url) => {
    const headers = { origin: 'https://page.example', 'access-control-request-method': 'POST' };
    expect(await answerTo('OPTIONS', url, { headers })).toMatchObject({ status: 204, body: '' });
  },
);

test.each(['HEAD', 'OPTIONS'] as const)('%s of /graphql starts no stream of events', async (method) => {
  const plain = await startHarness({}, server);
  const query = encodeURIComponent('subscription { tweetPosted(username: "ada") { cursor } }');
  const address = `${await plain.listen()}/graphql?query=${query}`;
  const { status, headers } = await fetch(address, {
    method,
    headers: { accept: 'text/event-stream', 'apollo-require-preflight': '1' },
    signal: AbortSignal.timeout(5000),
  });
  expect([status, headers.get('allow'), headers.get('content-type')]).toEqual([
    405,
    'GET, POST',
    'application/json; charset=utf-8',
  ]);
  await plain.close();
});
