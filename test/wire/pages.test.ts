import { gunzipSync } from 'node:zlib';
import { startHarness, type Harness } from '../support/harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

const ask = async (url: string, encoding: string) => {
  const { statusCode, headers, rawPayload } = await server.inject({
    url,
    headers: { 'accept-encoding': encoding },
  });
  expect(statusCode).toBe(200);
  return { encoding: headers['content-encoding'], vary: headers.vary, body: rawPayload };
};

test.each(['/graphiql/page.json', '/metrics', '/model'])(
  '%s is not compressed for whoever asks, because anybody may',
  async (url) => {
    for (const encoding of ['br', 'zstd', 'deflate', 'identity', 'gzip;q=0'])
      expect((await ask(url, encoding)).encoding).toBeUndefined();
  },
);

test.each(['gzip', 'gzip, deflate, br, zstd', 'br;q=1.0, GZIP ; q=0.5'])(
  'the data model was compressed once, for those who read gzip: %s',
  async (encoding) => {
    const plain = await ask('/model', 'identity');
    const sent = await ask('/model', encoding);
    expect([sent.encoding, sent.vary, plain.vary]).toEqual(['gzip', 'accept-encoding', 'accept-encoding']);
    expect(gunzipSync(sent.body).equals(plain.body)).toBe(true);
  },
);

test('an address may have 100 requests for metrics at once', async () => {
  const asked = Array.from({ length: 105 }, () =>
    server.inject({ url: '/metrics', remoteAddress: '192.0.2.77' }),
  );
  const codes = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
  expect(codes.filter((code) => code === 200)).toHaveLength(100);
  expect(codes.filter((code) => code === 429)).toHaveLength(5);
  expect((await server.inject({ url: '/metrics', remoteAddress: '192.0.2.77' })).statusCode).toBe(200);
});
