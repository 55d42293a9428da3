import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { parseJsonBodies } from '../../src/kit/http/json-body';

const MAX_BYTES = 1_048_576;

let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  app = Fastify();
  parseJsonBodies(app, MAX_BYTES);
  app.post('/', (request) => ({ body: request.body }));
  await app.listen({ port: 0 });
  port = (app.server.address() as { port: number }).port;
});
afterAll(() => app.close());

async function send(body: Buffer | string, encoding?: string) {
  const headers = { 'content-type': 'application/json', ...(encoding && { 'content-encoding': encoding }) };
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers,
    body: Buffer.from(body),
  });
  return { status: response.status, text: await response.text() };
}

test.each([
  ['as it is', undefined, (text: string) => Buffer.from(text)],
  ['by gzip', 'gzip', gzipSync],
  ['by gzip in capitals', 'GZIP', gzipSync],
  ['by brotli', 'br', brotliCompressSync],
  ['by deflate', 'deflate', deflateSync],
])('a body that is sent %s is read', async (_name, encoding, encode) => {
  const text = JSON.stringify({ query: '{ ä }' });
  expect(await send(encode(text), encoding)).toEqual({ status: 200, text: `{"body":${text}}` });
});

test.each([
  ['longer than the limit', ' '.repeat(MAX_BYTES + 1), undefined, 413],
  ['longer than the limit when decompressed', gzipSync(Buffer.alloc(100_000_000)), 'gzip', 413],
  ['of very many values', `[${Array(300_000).fill('{}').join(',')}]`, undefined, 413],
  ['not compressed as it says', '{}', 'gzip', 400],
  ['compressed by an unknown encoding', '{}', 'compress', 400],
  ['no JSON', '{', undefined, 400],
])('a body is refused that is %s', async (_name, body, encoding, status) => {
  expect((await send(body, encoding)).status).toBe(status);
});

test('a body in very many small chunks is refused before it is whole', async () => {
  const socket = connect(port, '127.0.0.1');
  const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
  socket.write(head + '1\r\n \r\n'.repeat(2000));
  const [answer] = await new Promise<[Buffer]>((resolve) =>
    socket.once('data', (data: Buffer) => {
      resolve([data]);
    }),
  );
  expect(String(answer)).toMatch(/64 bytes or more/);
  socket.destroy();
});
