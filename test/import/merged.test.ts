import { jobs } from '../../src/jobs/all';
import { person, startHarness, tweet, type Harness } from '../harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

/** What is wrong in the tables that are derived from others, by their names. */
async function differences(): Promise<Record<string, readonly string[]>> {
  const context = { database: server.database, retentionMonths: server.config.timelineRetentionMonths };
  const found: Record<string, readonly string[]> = {};
  for (const job of jobs) {
    const { examples } = await job.verify(context, 1000);
    if (examples.length > 0) found[job.name] = examples;
  }
  return found;
}

test('the tweets of an author who gets the id of a profile stay among the most liked, and nothing of the former id is left', async () => {
  const byAda = (tweetId: string, day: number, more: object) => ({
    ...tweet(tweetId, '', day, more),
    author: { username: 'ada' },
  });
  await server.store([
    ...['bo', 'cy', 'dee'].map((username) => ({
      ...{ kind: 'follow' as const, follower: { username }, followee: { username: 'ada' } },
    })),
    byAda('100', 1, { likeCount: 7 }),
    byAda('101', 2, {}),
    byAda('102', 3, { likeCount: 2, shareCount: 0, replyCount: 0 }),
  ]);
  await server.store([person('1', 'ada')]);
  const { data } = await server.query(`{
    ada: user(username: "ada") { userId tweets(order: MOST_LIKED) { nodes { tweetId } } }
    bo: user(username: "bo") { timeline(order: MOST_LIKED) { nodes { tweetId author { userId } } } }
  }`);
  const ordered = ['100', '102', '101'].map((tweetId) => ({ tweetId }));
  expect(data).toEqual({
    ada: { userId: '1', tweets: { nodes: ordered } },
    bo: { timeline: { nodes: ordered.map((node) => ({ ...node, author: { userId: '1' } })) } },
  });
  expect(await differences()).toEqual({});
});
