import { person, startHarness, tweet, type Harness } from '../support/harness';

/** So few that hardly any come back while a test runs. */
const POINTS = 60;

let server: Harness;
beforeAll(async () => {
  server = await startHarness({ RATE_POINTS_PER_MINUTE: String(POINTS) });
  await server.store([
    person('1', 'ada'),
    ...Array.from({ length: 30 }, (_, n) => tweet(String(100 + n), '1')),
  ]);
});
afterAll(() => server.close());

/** Asks as another caller each time. Resolves to the points that it took, and to the characters of the answer. */
async function ask(query: string, caller: number) {
  const { statusCode, headers, body } = await server.inject({
    method: 'POST',
    url: '/graphql',
    remoteAddress: `192.0.2.${caller}`,
    headers: { 'content-type': 'application/json' },
    payload: { query },
  });
  expect(statusCode).toBe(200);
  const left = /^"points";r=(\d+);/.exec(String(headers['ratelimit']))?.[1];
  return { points: POINTS - Number(left), characters: body.length };
}

const names = Array.from({ length: 26 }, (_, n) => `c${n}: createdAt`).join(' ');
const LARGE = `{ user(username: "ada") { tweets(first: 30) { nodes { author { tweets(first: 30) { nodes { id ${names} } } } } } } }`;
const PAGE =
  '{ user(username: "ada") { tweets(first: 25) { nodes { id content createdAt author { username name } } } } }';

test('a large answer costs a point for each 16,384 characters, however little was read for it, on each path', async () => {
  // The first goes by Apollo, the second, of a known document, past it.
  for (const caller of [1, 2]) {
    const { points, characters } = await ask(LARGE, caller);
    const most = Math.ceil(characters / 16_384);
    expect(most).toBeGreaterThan(40);
    expect(points).toBeLessThanOrEqual(most);
    expect(points).toBeGreaterThan(most / 2);
  }
});

test('an ordinary page costs what is read for it', async () => {
  for (const caller of [3, 4]) expect((await ask(PAGE, caller)).points).toBeLessThanOrEqual(3);
});
