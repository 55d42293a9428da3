import { ADA, demoNetwork } from '../src/demo/network';
import { demoNews } from '../src/demo/news';
import { newsTabs } from '../src/demo/news.tabs';
import { storeNews } from '../src/demo/store-news';
import type { ImportRecord } from '../src/import/records/record';
import { startHarness } from './harness';

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

test('its news are the same each time, several articles a day at last, and ada writes', () => {
  const { articles, comments } = demoNews();
  expect(demoNews()).toEqual({ articles, comments });
  expect(new Set(articles.map(({ articleId }) => articleId)).size).toBe(60);
  expect(new Set(comments.map(({ commentId }) => commentId)).size).toBe(comments.length);
  const ofLastDay = articles.filter(({ publishedAt }) => publishedAt.toISOString() >= '2026-10-31');
  expect(ofLastDay.length).toBeGreaterThan(10);
  expect(ofLastDay.map(({ authorId }) => authorId)).toContain(ADA);
  const published = new Map(articles.map((article) => [article.articleId, article]));
  for (const { articleId, createdAt } of comments)
    expect(Number(createdAt)).toBeGreaterThan(Number(published.get(articleId)?.publishedAt));
  const answers = comments.filter(
    ({ articleId, authorId }) => published.get(articleId)?.authorId === authorId,
  );
  expect(answers.length).toBeGreaterThan(50);
});

test('the tabs of news find articles with what their authors said, comments, and counts', async () => {
  const server = await startHarness();
  await server.store([...demoNetwork({ tweets: 0 })]);
  const news = demoNews();
  // The second time changes nothing: a fill that was cut off is done again.
  await storeNews(server.database, news);
  await storeNews(server.database, news);
  const [ofDay, commentsAndArticles] = await Promise.all(
    newsTabs.map(async ({ query, variables }) => {
      const answer = await server.query(query, JSON.parse(variables) as Readonly<Record<string, unknown>>);
      expect(answer.errors).toEqual([]);
      return answer.data;
    }),
  );
  const { articlesOfDay } = ofDay as {
    articlesOfDay: { nodes: { author: { name: string }; authorComments: { nodes: unknown[] } }[] };
  };
  expect(articlesOfDay.nodes).toHaveLength(10);
  expect(articlesOfDay.nodes.map(({ author }) => author.name)).toContain('Ada Byron');
  expect(articlesOfDay.nodes.flatMap(({ authorComments }) => authorComments.nodes).length).toBeGreaterThan(5);
  const { comments, user } = commentsAndArticles as {
    comments: { nodes: unknown[] };
    user: { articles: { nodes: { title: string; commentCount: number }[] } };
  };
  expect(comments.nodes).toHaveLength(10);
  const byAda = news.articles.filter(({ authorId }) => authorId === ADA).reverse();
  const countOf = (about: string) => news.comments.filter(({ articleId }) => articleId === about).length;
  expect(user.articles.nodes.map(({ title, commentCount }) => [title, commentCount])).toEqual(
    byAda.slice(0, 5).map(({ title, articleId }) => [title, countOf(articleId)]),
  );
});
