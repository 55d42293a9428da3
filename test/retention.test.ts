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
