import { createStore } from '../../src/import/store/store';
import type { Database } from '../../src/kit/cassandra/database';
import { topRepliesByTweet, topTweetsByAuthor, tweetCounts } from '../../src/features/tweet/tweet.table';
import { person, startHarness, tweet, type Harness } from '../support/harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'author'), tweet('10', '1', 0)]);
});
afterAll(() => server.close());

/** The liked tweets whose counts are written before the rows that list them are stored, when `records` are added. */
async function countedTooEarly(records: readonly ReturnType<typeof tweet>[]): Promise<string[]> {
  const listed = new Map<string, Set<string>>(
    [topTweetsByAuthor, topRepliesByTweet].map(({ put }) => [put, new Set()]),
  );
  const early: string[] = [];
  let counted = 0;
  const database: Database = {
    ...server.database,
    async batch(writes, options) {
      for (const { query, params } of writes) {
        const tweetId = String(params[Object.keys(tweetCounts.columns).indexOf('tweetId')]);
        if (query !== tweetCounts.put || !records.some((record) => record.tweetId === tweetId)) continue;
        counted++;
        for (const tweetIds of listed.values()) if (!tweetIds.has(tweetId)) early.push(tweetId);
      }
      await server.database.batch(writes, options);
      for (const { query, params } of writes)
        for (const table of [topTweetsByAuthor, topRepliesByTweet])
          if (query === table.put)
            listed.get(query)?.add(String(params[Object.keys(table.columns).indexOf('tweetId')]));
    },
  };
  await createStore(database, server.config).add(records);
  expect(counted).toBe(records.length);
  return early;
}

test('a liked tweet is listed among the most liked before its count is shown', async () => {
  const ids = Array.from({ length: 300 }, (_, n) => n + 100);
  const reply = { inReplyToId: '10', likeCount: 7 };
  // Records that give all counts, and records of which some must be counted.
  const complete = ids.map((n) => tweet(String(n), '1', n, { ...reply, shareCount: 0, replyCount: 0 }));
  expect(await countedTooEarly(complete)).toEqual([]);
  const incomplete = ids.map((n) => tweet(String(n + 1000), '1', n, reply));
  expect(await countedTooEarly(incomplete)).toEqual([]);
});
