import { person, startHarness, type Harness } from '../harness';
import { startProxy, type Proxy } from '../proxy';

/** How long a request may take, in milliseconds. */
const LIMIT = 3000;
const NOT_BEGUN =
  'This was not begun within the time limit of a request, because other requests of the caller were running. Send fewer such requests at once.';

let proxy: Proxy;
let limited: Harness;
let url: string;
beforeAll(async () => {
  const plain = await startHarness();
  await plain.store([person('2', 'slowpoke')]);
  proxy = await startProxy(process.env['CASSANDRA_CONTACT_POINTS'] ?? '');
  const settings = { CASSANDRA_CONTACT_POINTS: proxy.address, LIMIT_MILLISECONDS: String(LIMIT) };
  limited = await startHarness({ ...settings, RATE_REQUESTS_AT_ONCE: '50' }, plain);
  url = await limited.listen();
  proxy.hold('slowpoke');
});
afterAll(async () => {
  proxy.release();
  await limited.close();
  await proxy.close();
});

test('a request that has waited for others of its caller until its time was over is refused as too much at once', async () => {
  // They are so costly that only a few of them run at once.
  const query =
    '{ user(username: "slowpoke") { name } tweetHeatmap(area: { south: -90, west: -180, north: 90, east: 180 }, from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z") { count } }';
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      }),
    ),
  );
  const waited = answers.filter(({ status }) => status === 429);
  expect(waited.length).toBeGreaterThan(0);
  for (const answer of waited) {
    expect(answer.headers.get('retry-after')).toBe('1');
    const { data, errors } = (await answer.json()) as { data?: unknown; errors: object[] };
    expect(data ?? null).toBeNull();
    expect(errors).toMatchObject([
      { message: NOT_BEGUN, extensions: { code: 'RATE_LIMITED', retryAfter: 1 } },
    ]);
  }
});

test('a request that is slow by itself is not', async () => {
  const query = '{ user(username: "slowpoke") { name } }';
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
});
