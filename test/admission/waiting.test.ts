import { person, startHarness, type Harness } from '../support/harness';
import { startProxy, type Proxy } from '../support/proxy';

/** How long a request may take, in milliseconds. */
const LIMIT = 3000;
const NOT_BEGUN =
  'This was not begun within the time limit of a request, because other requests of the caller were running. It may be tried again, with fewer such requests at once.';

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

test('a request that has waited for others of its caller until its time was over is not begun, and says so', async () => {
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
  const bodies = await Promise.all(
    answers.map(async (answer) => (await answer.json()) as { errors: object[] }),
  );
  const waited = bodies.flatMap(({ errors }, index) =>
    JSON.stringify(errors).includes(NOT_BEGUN) ? [{ errors, answer: answers[index] }] : [],
  );
  expect(waited.length).toBeGreaterThan(0);
  for (const { errors, answer } of waited) {
    expect(answer?.status).toBe(503);
    expect(answer?.headers.get('retry-after')).toMatch(/^\d$/);
    expect(errors).toMatchObject([
      { message: NOT_BEGUN, extensions: { code: 'UNAVAILABLE', retryAfter: 1 } },
    ]);
  }
});

test('a request that is slow by itself does not say so', async () => {
  const query = '{ user(username: "slowpoke") { name } }';
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { errors } = (await answer.json()) as { errors: { message: string }[] };
  expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
  expect(errors[0]?.message).not.toBe(NOT_BEGUN);
});
