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
