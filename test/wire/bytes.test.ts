import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import WebSocket from 'ws';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { check } from '../support/client';
import { authorization, person, startHarness, type Harness } from '../support/harness';

let server: Harness;
let address: string;
let token: string;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada')]);
  address = await server.listen();
  token = await authorization('1');
});

/** Sends bytes as the body of a request by ada. */
async function send(payload: Buffer, headers: Readonly<Record<string, string>> = {}) {
  const { statusCode, body } = await server.inject({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: token, 'content-type': 'application/json', ...headers },
    payload,
  });
  return { status: statusCode, body };
}

const TWEET = 'mutation ($c: String!) { createTweet(input: {content: $c}) { tweet { content } } }';

/** The body of a mutation that posts some bytes as the content of a tweet. */
function posting(content: Uint8Array): Buffer {
  const [before = '', after = ''] = JSON.stringify({ query: TWEET, variables: { c: '|' } }).split('|');
  return Buffer.concat([Buffer.from(before), content, Buffer.from(after)]);
}

async function newestContent(): Promise<string> {
  const { data } = await server.query('{ user(username: "ada") { tweets(first: 1) { nodes { content } } } }');
  return (data as { user: { tweets: { nodes: { content: string }[] } } }).user.tweets.nodes[0]?.content ?? '';
}

const NOT_UTF8: readonly (readonly [string, readonly number[]])[] = [
  ['é in Latin-1', [0xe9]],
  ['a quote in Windows-1252', [0x93]],
  ['a truncated sequence of two bytes', [0xc3]],
  ['a truncated sequence of three bytes', [0xe2, 0x82]],
  ['a truncated sequence of four bytes', [0xf0, 0x9f, 0x98]],
  ['a continuation byte alone', [0x80]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['an overlong slash of three bytes', [0xe0, 0x80, 0xaf]],
  ['an overlong NUL', [0xc0, 0x80]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['a pair of surrogates (CESU-8)', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ['a code point beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
  ['a sequence of five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
  ['FE', [0xfe]],
  ['FF', [0xff]],
];

describe.each(NOT_UTF8)('%s', (_, bytes) => {
  const content = Buffer.concat([Buffer.from('caf'), Buffer.from(bytes), Buffer.from(' here')]);

  test('is refused in a body, plain and compressed, and nothing is stored', async () => {
    const before = await newestContent();
    const body = posting(content);
    const bodies = [
      [body, {}],
      [body, { 'content-type': 'application/json; charset=UTF-8' }],
      [body, { accept: 'text/event-stream' }],
      [gzipSync(body), { 'content-encoding': 'gzip' }],
      [brotliCompressSync(body), { 'content-encoding': 'br' }],
      [deflateSync(body), { 'content-encoding': 'deflate' }],
    ] as const;
    for (const [payload, headers] of bodies) {
      const answer = await send(payload, headers);
      expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('must be UTF-8')]);
    }
    expect(await newestContent()).toBe(before);
  });

  test('is refused in the address, by GET and in a stream', async () => {
    const encoded = bytes.map((byte) => `%${byte.toString(16)}`).join('');
    const query = '{ user(username: "ada") { name } }';
    for (const url of [
      `/graphql?query=${encodeURIComponent('query ($u: String!) { user(username: $u) { name } }')}&variables=${encodeURIComponent('{"u":"')}${encoded}${encodeURIComponent('"}')}`,
      `/graphql?query=${encodeURIComponent(query)}&operationName=${encoded}`,
      `/graphql?query=${encodeURIComponent(query)}&x=${encoded}`,
      `/graphql?documentId=${encoded}`,
    ])
      for (const accept of ['*/*', 'text/event-stream', 'text/html, */*;q=0.1']) {
        const { statusCode, body } = await server.inject({ url, headers: { accept } });
        expect([statusCode, body]).toEqual([400, expect.stringContaining('must be UTF-8')]);
      }
  });

  test('is refused in a path', async () => {
    const encoded = bytes.map((byte) => `%${byte.toString(16)}`).join('');
    for (const path of [`/graphiql/${encoded}`, `/graphql/${encoded}`, `/${encoded}`, `/graphql${encoded}`])
      expect([400, 404]).toContain((await server.inject({ url: path })).statusCode);
  });

  test('is refused in a message of a WebSocket', async () => {
    const socket = new WebSocket(`${address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(
      Buffer.concat([Buffer.from('{"type":"ping","payload":{"a":"'), content, Buffer.from('"}}')]),
      {
        binary: false,
      },
    );
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1007);
  });

  test('is refused in a cursor, an id and a token', async () => {
    const base64 = content.toString('base64url');
    const source = `query ($c: String!, $id: ID!) { node(id: $id) { id } user(username: "ada") { tweets(after: $c) { nodes { id } } } }`;
    const { errors } = await server.query(source, { c: base64, id: base64 });
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT']);
    const [head, , signature] = token.split('.');
    for (const bearer of [`Bearer ${content.toString('latin1')}`, [head, base64, signature].join('.')]) {
      const { status } = await send(Buffer.from('{"query":"{ __typename }"}'), { authorization: bearer });
      expect(status).toBe(401);
    }
  });

  test('is ignored in headers that the server does not read, and never an error of the server', async () => {
    const body = '{"query":"{ __typename }"}';
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    const raw = Buffer.from(bytes);
    socket.write(
      Buffer.concat([
        Buffer.from(
          `POST /graphql HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nx-request-id: a`,
        ),
        raw,
        Buffer.from('\r\nuser-agent: b'),
        raw,
        Buffer.from(`\r\n\r\n${body}`),
      ]),
    );
    let received = '';
    socket.on('data', (data) => (received += data.toString()));
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1.1 200 /);
    for (const name of [
      'x-explain',
      'accept',
      'content-type',
      'content-encoding',
      'x-forwarded-for',
      'forwarded',
    ]) {
      const { status, body: answer } = await send(Buffer.from(body), { [name]: raw.toString('latin1') });
      expect([200, 400, 406, 415]).toContain(status);
      expect(answer).not.toContain('INTERNAL_SERVER_ERROR');
    }
  });
});

test.each([
  ['application/json', 200],
  ['application/json; charset=utf-8', 200],
  ['application/json;charset=UTF-8', 200],
  ['application/json; charset="utf-8"', 200],
  ['application/json; charset="UTF-8"; x=y', 200],
  ['application/json; x=y; charset=Utf-8', 200],
  ['application/json; CHARSET=utf8', 200],
  ['application/json;', 200],
  ['application/json; charset=iso-8859-1', 415],
  ['application/json; charset=ISO-8859-1', 415],
  ['application/json; charset="latin1"', 415],
  ['application/json; charset=windows-1252', 415],
  ['application/json; charset=us-ascii', 415],
  ['application/json; charset=utf-16', 415],
  ['application/json; charset=utf-16le', 415],
  ['application/json; charset=utf-32', 415],
  ['application/json; charset=utf-7', 415],
  ['application/json; charset=x', 415],
  ['application/json; charset="utf-8, utf-16"', 415],
])('the content type %s is answered with the status %i', async (type, status) => {
  const plain = Buffer.from('{"query":"{ __typename }"}');
  expect(await send(plain, { 'content-type': type })).toMatchObject({ status });
  const latin1 = posting(Buffer.from([0xe9]));
  expect(await send(latin1, { 'content-type': type })).toMatchObject({ status: status === 200 ? 400 : 415 });
});

test('a byte order mark is left out, and other encodings of Unicode are refused', async () => {
  const text = '{"query":"{ __typename }"}';
  expect(await send(Buffer.from(`\ufeff${text}`))).toMatchObject({ status: 200 });
  for (const bytes of [
    Buffer.from(text, 'utf16le'),
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    Buffer.from(text, 'utf16le').swap16(),
  ])
    expect(await send(bytes)).toMatchObject({ status: 400 });
});

test('what is UTF-8 is stored as it was sent', async () => {
  for (const content of [
    'café',
    '東京タワー',
    '😀',
    '\u0000'.slice(1) + 'ﬁ',
    'a\ufeffb',
    '\ufffd sent',
    '\uffff x',
  ]) {
    expect(await send(posting(Buffer.from(content)))).toMatchObject({ status: 200 });
    expect(await newestContent()).toBe(content);
  }
});

test.each(['\\ud800', '\\udc00', '\\udc00\\ud800', 'a\\ud83d b', '\\ud83d\\ud83d\\ude00'])(
  'an escape that is half a character is refused by name: %s',
  async (escape) => {
    const before = await newestContent();
    const { body } = await send(posting(Buffer.from(escape)));
    expect(body).toMatch(/must be well-formed Unicode/);
    const inline = await send(
      Buffer.from(`{"query":"mutation { createTweet(input: {content: \\"${escape}\\"}) { tweet { id } } }"}`),
    );
    expect(inline).toMatchObject({ status: 400 });
    expect(await newestContent()).toBe(before);
  },
);

/** Each text that a mutation stores, by what is sent. */
const inputs: readonly (readonly [string, object])[] = [
  ['createTweet(input: {content: $t}) { tweet { id } }', {}],
  ['createTweet(input: {content: "a", language: $t}) { tweet { id } }', {}],
  ['createTweet(input: {content: "a", idempotencyKey: $t}) { tweet { id } }', {}],
  ['updateUser(input: {name: $t}) { user { id } }', {}],
  ['updateUser(input: {description: $t}) { user { id } }', {}],
  ['updateUser(input: {twitterAccount: $t}) { user { id } }', {}],
  ['publishArticle(input: {title: $t, body: "b", idempotencyKey: "k"}) { article { id } }', {}],
  ['publishArticle(input: {title: "t", body: $t, idempotencyKey: "k"}) { article { id } }', {}],
  ['publishArticle(input: {title: "t", body: "b", tags: [$t], idempotencyKey: "k"}) { article { id } }', {}],
];

test.each(inputs)('half a character is refused wherever a text is stored: %s', async (field) => {
  for (const half of ['x\ud800', '\udc00x', 'a\ud83d b']) {
    const { errors } = await server.query(`mutation ($t: String!) { ${field} }`, { t: half }, '1');
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
  }
});

test('any bytes are answered or refused, and no U+FFFD is stored that was not sent', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.constantFrom(...NOT_UTF8.map(([, some]) => Uint8Array.from(some))),
    fc.string({ unit: 'binary', maxLength: 6 }).map((text) => Buffer.from(text)),
    fc
      .constantFrom('\\u00e9', '\\ud800', '\\ufffd', '\ufffd', '\ufeff', '"', '\\')
      .map((text) => Buffer.from(text)),
  );
  const encodings = fc.constantFrom(
    [(body: Buffer) => body, {}] as const,
    [(body: Buffer) => gzipSync(body), { 'content-encoding': 'gzip' }] as const,
    [(body: Buffer) => brotliCompressSync(body), { 'content-encoding': 'br' }] as const,
  );
  const body = fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .array(bytes, { maxLength: 4 })
        .map((parts) => posting(Buffer.concat([Buffer.from('x'), ...parts]))),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((all) => Buffer.from(all)) },
  );
  await check(600, fc.tuple(body, encodings), async ([sent, [encode, headers]]) => {
    const { status, body: answer } = await send(encode(sent), headers);
    expect([200, 400, 413, 415]).toContain(status);
    expect(answer).not.toContain('INTERNAL_SERVER_ERROR');
    if (!answer.includes('"createTweet":{')) return;
    const { variables } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(sent)) as {
      variables: { c: string };
    };
    const { data } = JSON.parse(answer) as { data: { createTweet: { tweet: { content: string } } } };
    expect(data.createTweet.tweet.content).toBe(variables.c);
  });
});

test('an id of a tweet is never read from bytes that are no text', async () => {
  const id = Buffer.from(encodeNodeId('Tweet', '1'), 'base64url');
  for (const byte of [0x80, 0xc3, 0xff]) {
    const changed = Buffer.concat([id, Buffer.from([byte])]).toString('base64url');
    const { errors } = await server.query('query ($id: ID!) { node(id: $id) { id } }', { id: changed });
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
  }
});
