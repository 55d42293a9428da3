import { person, startHarness, type Harness } from '../harness';
import { startProxy, type Proxy } from '../proxy';

/** How long a request may take, in milliseconds. */
const LIMIT = 3000;
const WAITED = `This was not done within ${LIMIT} ms, the time limit of a request, because it waited for other requests of its caller. Send fewer of this cost at once.`;

let proxy: Proxy;
let limited: Harness;
beforeAll(async () => {
  const plain = await startHarness();
  await plain.store([person('2', 'slowpoke')]);
  proxy = await startProxy(process.env['CASSANDRA_CONTACT_POINTS'] ?? '');
  const settings = { CASSANDRA_CONTACT_POINTS: proxy.address, LIMIT_MILLISECONDS: String(LIMIT) };
  limited = await startHarness({ ...settings, RATE_REQUESTS_AT_ONCE: '50' }, plain);
});
afterAll(async () => {
  proxy.release();
  await limited.close();
  await proxy.close();
});

test('a request that has waited for others of its caller until its deadline has too much company, not too slow a server', async () => {
  const url = await limited.listen();
  proxy.hold('slowpoke');
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
  expect(answers.map(({ status }) => status)).not.toContain(503);
  for (const answer of waited) {
    const { errors } = (await answer.json()) as { errors: object[] };
    for (const error of errors)
      expect(error).toMatchObject({ message: WAITED, extensions: { code: 'RATE_LIMITED' } });
  }
});
