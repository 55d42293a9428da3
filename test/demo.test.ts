import { CONVERSATION, demoConversation } from '../src/demo/conversation';
import { demoLikes } from '../src/demo/likes';
import { likesTabs } from '../src/demo/likes.tabs';
import { ADA, demoNetwork } from '../src/demo/network';
import { demoNews } from '../src/demo/news';
import { notificationsTabs } from '../src/demo/notifications.tabs';
import { newsTabs } from '../src/demo/news.tabs';
import { storeLikes } from '../src/import/store/likes';
import { peopleTabs } from '../src/demo/people.tabs';
import { storeBookmarks } from '../src/demo/store-bookmarks';
import { storeHidden } from '../src/demo/store-hidden';
import { threadTabs } from '../src/demo/thread.tabs';
import { storeNews } from '../src/import/store/news';
import type { ImportRecord } from '../src/import/records/record';
import { jobs } from '../src/jobs/all';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { startHarness } from './support/harness';

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

test('links name earlier tweets, nobody shares a tweet twice, and no counts are given', () => {
  const seen = new Set<string>();
  const shares = new Set<string>();
  const tweets = of('tweet');
  for (const { tweetId, author, inReplyToId, sharedTweetId, quotedTweetId } of tweets) {
    for (const link of [inReplyToId, sharedTweetId, quotedTweetId])
      if (link) expect(seen.has(link)).toBe(true);
    if (sharedTweetId) shares.add(`${sharedTweetId} ${author.userId ?? ''}`);
    seen.add(tweetId);
  }
  expect(tweets.filter(({ sharedTweetId }) => sharedTweetId)).toHaveLength(shares.size);
  expect(shares.size).toBeGreaterThan(400);
  const given = tweets.filter(
    (tweet) => 'likeCount' in tweet || 'shareCount' in tweet || 'replyCount' in tweet,
  );
  expect(given).toEqual([]);
});

test('its conversation is the same each time, replies to what comes before, and has ids of its own', () => {
  const conversation = demoConversation(network);
  expect(demoConversation(network)).toEqual(conversation);
  const ids = [...of('tweet'), ...conversation].map(({ tweetId }) => tweetId);
  expect(new Set(ids).size).toBe(ids.length);
  const seen = new Set<string>();
  for (const { tweetId, inReplyToId, sharedTweetId, quotedTweetId } of conversation) {
    for (const link of [inReplyToId, sharedTweetId, quotedTweetId])
      if (link) expect(seen.has(link)).toBe(true);
    seen.add(tweetId);
  }
});

test('its likes are the same each time, some thousand by hundreds of people, and few tweets have many', () => {
  const likes = [...demoLikes(network)];
  expect([...demoLikes(network)]).toEqual(likes);
  const posted = new Map(of('tweet').map((one) => [one.tweetId, one]));
  const all = likes.flat();
  expect(all.length).toBeGreaterThan(4000);
  expect(new Set(all.map(({ tweetId, userId }) => `${tweetId} ${userId}`)).size).toBe(all.length);
  for (const { tweetId, userId, likedAt } of all) {
    const liked = posted.get(tweetId);
    expect(liked?.author.userId).not.toBe(userId);
    expect(liked?.sharedTweetId).toBeUndefined();
    expect(Number(likedAt)).toBeGreaterThan(Number(liked?.createdAt));
  }
  expect(new Set(all.map(({ userId }) => userId)).size).toBeGreaterThan(300);
  expect(all.filter(({ userId }) => userId === ADA).length).toBeGreaterThan(300);
  const liked = (least: number) => likes.filter((ofTweet) => ofTweet.length >= least).length;
  expect(liked(1)).toBeGreaterThan(1000);
  expect(liked(50)).toBeGreaterThan(2);
  expect(liked(50)).toBeLessThan(50);
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

/** What a tab shows to ada. */
async function answerOf(
  server: Awaited<ReturnType<typeof startHarness>>,
  { query, variables }: (typeof peopleTabs)[number],
) {
  const shown = await server.query(
    query,
    JSON.parse(variables || '{}') as Readonly<Record<string, unknown>>,
    ADA,
  );
  expect(shown.errors).toEqual([]);
  return shown.data;
}

test('likes and shares are counted by their rows, and an interrupted fill that runs again gives the same', async () => {
  const server = await startHarness();
  const small = [...demoNetwork({ people: 20, tweets: 150 })];
  const likes = [...demoLikes(small, 20)];
  await server.store(small);
  await storeLikes(server.database, likes.slice(0, 60));
  const cut = likes[60]?.[0];
  if (cut) await storeLikes(server.database, [[cut]]);
  await server.store(small);
  await storeLikes(server.database, likes);
  for (let n = 0; n < 2; n++) await storeBookmarks(server.database, small);

  const tweets = small.flatMap((record) => (record.kind === 'tweet' ? record : []));
  const shares = tweets.flatMap(({ sharedTweetId }) => sharedTweetId ?? []);
  const likedTweets = new Map(likes.map((ofTweet) => [ofTweet[0]?.tweetId, ofTweet]));
  const originals = tweets.filter(({ sharedTweetId }) => sharedTweetId === undefined);
  const ids = originals.map(({ tweetId }) => encodeNodeId('Tweet', tweetId));
  const { data } = await server.query(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Tweet { tweetId likeCount shareCount likers(first: 50) { edges { likedAt node { userId } } } } } }',
    { ids: ids.slice(0, 100) },
  );
  const { nodes } = data as { nodes: Reacted[] };
  for (const { tweetId, likeCount, shareCount, likers } of nodes) {
    const ofTweet = likedTweets.get(tweetId) ?? [];
    const found = likers.edges.map(({ likedAt, node }) => `${node.userId} ${likedAt}`);
    expect(found.sort()).toEqual(
      ofTweet.map(({ userId, likedAt }) => `${userId} ${likedAt.toISOString()}`).sort(),
    );
    expect(likeCount).toBe(ofTweet.length);
    expect(shareCount).toBe(shares.filter((shared) => shared === tweetId).length);
  }
  expect(nodes.some(({ likeCount }) => likeCount > 2)).toBe(true);

  const context = { database: server.database, retentionMonths: null };
  const found = await Promise.all(
    jobs.map(async (job) => [job.name, await job.verify(context, 1000)] as const),
  );
  for (const [name, verified] of found)
    expect([name, verified]).toMatchObject([name, { missing: 0, surplus: 0, different: 0 }]);
  const [liked, people, kept, told] = await Promise.all(
    [...likesTabs.slice(0, 1), ...peopleTabs, ...notificationsTabs].map((tab) => answerOf(server, tab)),
  );
  const { user } = liked as { user: { likes: { nodes: { viewerHasLiked: boolean }[] } } };
  expect(user.likes.nodes.map(({ viewerHasLiked }) => viewerHasLiked)).toEqual(Array(5).fill(true));
  expect((people as { searchUsers: unknown[] }).searchUsers.length).toBeGreaterThan(0);
  expect(kept).toMatchObject({
    viewer: {
      bookmarkFolders: [{ name: 'To read' }, { name: 'Ideas' }],
      bookmarks: { edges: [{ folder: 'To read', hiddenReason: null }] },
    },
  });
  const { viewer } = told as { viewer: { notifications: { edges: unknown[] } } };
  expect(viewer.notifications.edges.length).toBeGreaterThan(5);
  await server.close();
});

/** A tweet with its counts and the users who like it. */
interface Reacted {
  readonly tweetId: string;
  readonly likeCount: number;
  readonly shareCount: number;
  readonly likers: {
    readonly edges: readonly { readonly likedAt: string; readonly node: { readonly userId: string } }[];
  };
}

interface ThreadEdge {
  readonly depth: number;
  readonly hiddenReason: string | null;
  readonly node: { readonly author: { readonly username: string } } | null;
  readonly moreReplies: { readonly count: number; readonly cursor: string } | null;
}

/** Everybody of the demo, without the follows among others than ada, which no tab asks for and which take ten times as long to store. */
function seenByAda(): ImportRecord[] {
  return network.filter(
    (record) =>
      record.kind === 'user' ||
      (record.kind === 'follow' && [record.follower.userId, record.followee.userId].includes(ADA)),
  );
}

test('the tabs of conversations show a story in one piece, who is hidden, where it goes on, and who quotes and shares it', async () => {
  const server = await startHarness();
  const people = seenByAda();
  const all = [...people, ...demoConversation(people)];
  await server.store(all);
  await storeHidden(server.database, all, ADA);
  const [thread, uses] = threadTabs;
  if (thread === undefined || uses === undefined) throw new Error('There must be two tabs.');
  const shown = (await answerOf(server, thread)) as { tweet: { thread: { edges: ThreadEdge[] } } };
  const { edges } = shown.tweet.thread;
  expect(edges.slice(0, 4).map(({ depth, node }) => [depth, node?.author.username])).toEqual(
    [0, 1, 2, 3].map((depth) => [depth, 'ada']),
  );
  expect(edges.filter(({ hiddenReason }) => hiddenReason === 'BLOCKED')).toHaveLength(1);
  const cut = edges.flatMap(({ depth, moreReplies }) => (moreReplies ? [{ depth, moreReplies }] : []));
  expect(cut.map(({ depth, moreReplies }) => [depth, moreReplies.count])).toEqual([
    [6, 1],
    [1, 4],
  ]);
  for (const { moreReplies } of cut) {
    const variables = JSON.stringify({ tweetId: CONVERSATION, after: moreReplies.cursor });
    const more = (await answerOf(server, { ...thread, variables })) as typeof shown;
    expect(more.tweet.thread.edges.length).toBeGreaterThanOrEqual(moreReplies.count);
  }
  expect(await answerOf(server, uses)).toMatchObject({ tweet: { quoteCount: 2, shareCount: 4 } });
  await server.close();
});

test('the tabs of news find articles with what their authors said, comments, and counts', async () => {
  const server = await startHarness();
  await server.store(seenByAda());
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
