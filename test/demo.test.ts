import { demoNetwork } from '../src/demo/network';
import type { ImportRecord } from '../src/import/record';

const network = [...demoNetwork()];
function of<K extends ImportRecord['kind']>(kind: K): Extract<ImportRecord, { kind: K }>[] {
  return network.filter((record): record is Extract<ImportRecord, { kind: K }> => record.kind === kind);
}

test('the demo network is the same each time', () => {
  expect([...demoNetwork()]).toEqual(network);
});

test('it has 500 people with names of their own and 5,000 tweets in eight languages', () => {
  expect(new Set(of('user').map(({ username }) => username?.toLowerCase())).size).toBe(500);
  expect(new Set(of('tweet').map(({ tweetId }) => tweetId)).size).toBe(5000);
  expect(new Set(of('tweet').map(({ language }) => language)).size).toBe(8);
  expect(of('user').every(({ username }) => /^\w{1,30}$/.test(username ?? ''))).toBe(true);
});

test('links name earlier tweets, and counts are those of the shares and replies', () => {
  const seen = new Map<string, { shares: number; replies: number }>();
  for (const { tweetId, inReplyToId, sharedTweetId, quotedTweetId } of of('tweet')) {
    for (const link of [inReplyToId, sharedTweetId, quotedTweetId])
      if (link) expect(seen.has(link)).toBe(true);
    const replied = seen.get(inReplyToId ?? '');
    const shared = seen.get(sharedTweetId ?? '');
    if (replied) replied.replies += 1;
    if (shared) shared.shares += 1;
    seen.set(tweetId, { shares: 0, replies: 0 });
  }
  const told = of('tweet').map(({ tweetId, shareCount, replyCount }) => [
    tweetId,
    { shares: shareCount, replies: replyCount },
  ]);
  expect([...seen]).toEqual(told);
});

test('ada follows many and posts often', () => {
  const ada = of('user').find(({ username }) => username === 'ada')?.userId;
  expect(of('follow').filter(({ follower }) => follower.userId === ada).length).toBeGreaterThan(100);
  expect(of('tweet').filter(({ author }) => author.userId === ada).length).toBeGreaterThan(50);
  expect(
    of('tweet').filter(({ createdAt }) => createdAt.toISOString() >= '2026-10-31').length,
  ).toBeGreaterThan(40);
});
