import { startHarness, tweet } from '../harness';

test('a tweet that is imported again with other likes stands among the most liked of its words, where it belongs now', async () => {
  const server = await startHarness({ CACHE_SECONDS: '0' });
  const filler = Array.from({ length: 80 }, (_, n) =>
    tweet(String(1000 + n), '1', n, { content: 'common', likeCount: 1 + (n % 7) }),
  );
  const versions = [3, 300, 20, 0, 9].map((likeCount) =>
    tweet('10', '2', 100, { content: 'common', likeCount }),
  );
  const found = async () => {
    const source =
      '{ searchTweets(words: ["common"], order: MOST_LIKED, first: 3) { nodes { tweetId likeCount } } }';
    const { data } = await server.query(source);
    return (data as { searchTweets: { nodes: { tweetId: string; likeCount: number }[] } }).searchTweets.nodes;
  };
  const places = [];
  for (const version of versions) {
    await server.store([...filler, version]);
    places.push((await found()).findIndex(({ tweetId }) => tweetId === '10'));
  }
  expect(places).toEqual([-1, 0, 0, -1, 0]);
  await server.close();
});
