import { follow, person, startHarness, tweet, type Harness } from './support/harness';
import { pages } from './support/home';

// Half of a month's tweets are younger than the retention; so a page from the old end begins in the middle of a bucket.
const since = new Date();
since.setUTCMonth(since.getUTCMonth() - 1);
const moments = Array.from({ length: 90 }, (_, n) => new Date(since.getTime() + (n - 45) * 3_600_000));
const posted = moments.map((createdAt, n) => tweet(String(1000 + n), '2', 0, { createdAt }));
const young = posted
  .slice(46)
  .map(({ tweetId }) => tweetId)
  .reverse();

test('a tweet is as old as it says, where ids read as snowflakes of long ago', async () => {
  const server = await startHarness({ TIMELINE_RETENTION_MONTHS: '1', FANOUT_PUSH_LIMIT: '0' });
  // So many that few rows of each are read at first.
  const authors = Array.from({ length: 9 }, (_, n) => String(2 + n));
  const tweets = moments.map((createdAt, n) =>
    tweet(String(116_000_000_000_000_000n + BigInt(n)), '2', 0, { createdAt }),
  );
  await server.store([
    person('1', 'ada'),
    ...authors.map((id) => person(id, `user${id}`)),
    ...authors.map((id) => follow('1', id)),
    ...tweets,
    ...authors.map((id) => tweet(id, id, 0, { createdAt: moments[0] ?? since })),
  ]);
  const shown = tweets.slice(46).map(({ tweetId }) => tweetId);
  expect(await pages(server, 30, 'first', 'ada')).toEqual(shown.toReversed());
  await server.close();
});

describe.each(['10000', '0'])('a timeline with a retention, push limit %s', (limit) => {
  let server: Harness;
  beforeAll(async () => {
    server = await startHarness({ TIMELINE_RETENTION_MONTHS: '1', FANOUT_PUSH_LIMIT: limit });
    await server.store([person('1', 'ada'), person('2', 'bo'), follow('1', '2'), ...posted]);
  });
  afterAll(() => server.close());

  test.each(['first', 'last'] as const)('holds what is young enough, in pages by %s', async (direction) => {
    expect(await pages(server, 7, direction, 'ada')).toEqual(young);
  });
});
