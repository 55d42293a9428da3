import { startHarness, tweet, type Harness } from '../support/harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness({ CACHE_SECONDS: '0' });
});
afterAll(() => server.close());

async function mostLiked(word: string): Promise<string[]> {
  const { data } = await server.query(
    `{ searchTweets(words: ["${word}"], order: MOST_LIKED, first: 3) { nodes { tweetId } } }`,
  );
  const { nodes } = (data as { searchTweets: { nodes: { tweetId: string }[] } }).searchTweets;
  return nodes.map(({ tweetId }) => tweetId);
}

test('a tweet that is imported again with other likes stands among the most liked of its words, where it belongs now', async () => {
  const filler = Array.from({ length: 80 }, (_, n) =>
    tweet(String(1000 + n), '1', n, { content: 'common', likeCount: 1 + (n % 7) }),
  );
  const versions = [3, 300, 20, 0, 9].map((likeCount) =>
    tweet('10', '2', 100, { content: 'common', likeCount }),
  );
  const places = [];
  for (const version of versions) {
    await server.store([...filler, version]);
    places.push((await mostLiked('common')).indexOf('10'));
  }
  expect(places).toEqual([-1, 0, 0, -1, 0]);
});

test.each([
  ['20', 'latter', ['20']],
  ['21', '🍎', []],
])(
  'tweet %s, imported again as %j with fewer likes, as it once had, is found by its new words only',
  async (tweetId, content, found) => {
    const filler = Array.from({ length: 80 }, (_, n) =>
      tweet(String(2000 + n), '1', n, { content: 'former latter', likeCount: 1 }),
    );
    const versions = [
      { content: 'former', likeCount: 3 },
      { content: 'former', likeCount: 300 },
      { content, likeCount: 3 },
    ];
    for (const version of versions) await server.store([...filler, tweet(tweetId, '2', 100, version)]);
    expect((await mostLiked('latter')).filter((id) => id === tweetId)).toEqual(found);
    expect(await mostLiked('former')).not.toContain(tweetId);
  },
);
