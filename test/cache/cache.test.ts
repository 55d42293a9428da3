import { createLoad, type Load } from '../../src/kit/reads/load';
import { createReadCache } from '../../src/kit/reads/read-cache';
import { collect } from '../../src/kit/lists/connection';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { answerOf } from '../../src/tools/testing/testing';
import { cachedTweets } from '../../src/features/tweet/tweet-invalidations';
import { tweetsByAuthor } from '../../src/features/tweet/tweet.lists';
import { person, tweet } from '../support/harness';
import { act, ask, post, put } from '../support/mutations';
import { ALL, far, keptIn, near, TWEETS, tweetsIn, until } from './network';

const LIKED = TWEETS[0] ?? '';
const liked = { id: encodeNodeId('Tweet', LIKED) };
const look = async (who: string | null) => {
  const answer = await far.query(ALL, {}, who);
  return { likes: tweetsIn(answer).get(LIKED)?.likeCount, kept: keptIn(answer), answer };
};

test.each([null, 'service', '2'])(
  'what was just read is not read again, for %s, also that there is no row',
  async (who) => {
    let kept: Record<string, number> = {};
    await until(async () => {
      await far.query(ALL, {}, null);
      kept = (await look(who)).kept;
      return 'tweet_counts.get' in kept;
    });
    // What is hidden from a person is found out first, and with it the person's own row.
    expect(kept).toMatchObject({ 'tweet_counts.get': 8, 'users.get': who === '2' ? 7 : 8 });
  },
);

test('kept rows cost no reads, and are shown with the field that asked', async () => {
  await until(async () => {
    await far.query(ALL, {}, null);
    const { answer, kept } = await look(null);
    if (!('users.get' in kept)) return false;
    const read = answer.reads.find(({ statement }) => statement === 'users.get');
    expect(read).toMatchObject({ cached: true, keys: 8, partitions: 0, rows: 0, fields: ['Tweet.author'] });
    return true;
  });
});

test('a page of tweets is kept once it was asked for twice', async () => {
  const cache = createReadCache(3600);
  const isKept = async (authorId: string) => {
    const load = createLoad(far.database, undefined, undefined, {
      cache,
      mayUse: () => Promise.resolve(true),
    });
    const before = cache.counts().hits;
    await collect(tweetsByAuthor.shownList(load, authorId), { limit: 24, backwards: false, from: null });
    return cache.counts().hits > before;
  };
  const asked = [];
  for (const authorId of ['7', '8', '7', '7', '8', '8']) asked.push(await isKept(authorId));
  expect(asked).toEqual([false, false, false, true, false, true]);
});

test('what takes too much room is not kept, whether it is in lists, sets or maps', () => {
  const cache = createReadCache(60);
  const texts = Array.from({ length: 20_000 }, (_, n) => String(n).padStart(20));
  const isKept = (some: readonly string[]) =>
    [some, new Set(some), new Map(some.map((text) => [text, text]))].map((result, n) => {
      cache.set('sized', String(n), result, performance.now());
      return cache.find('sized', String(n)) !== undefined;
    });
  expect(isKept(texts)).toEqual([false, false, false]);
  expect(isKept(texts.slice(0, 1000))).toEqual([true, true, true]);
});

test('who likes a tweet through one server sees it at once through another, others within seconds', async () => {
  let isLiked = false;
  const toggle = () => act(near, '3', (isLiked = !isLiked) ? 'likeTweet' : 'unlikeTweet', liked);
  await until(async () => {
    await far.query(ALL, {}, null);
    await toggle();
    const others = await look(null);
    expect((await look('3')).likes).toBe(Number(isLiked));
    if (!('tweet_counts.get' in others.kept)) return false;
    expect(others.likes).toBe(Number(!isLiked));
    return true;
  });
  await until(async () => (await look(null)).likes === Number(isLiked));
});

test('who posts sees the tweet at once through another server, others within seconds', async () => {
  const source = '{ viewer { id } user(username: "user2") { tweets(first: 1) { nodes { tweetId } } } }';
  const newest = async (who: string | null) => {
    const answer = await far.query(source, {}, who);
    return { answer, tweetId: JSON.stringify(answer.data).match(/"tweetId":"(\d+)"/)?.[1] };
  };
  let posted = '';
  await until(async () => {
    await far.query(source, {}, null);
    posted = (await post(near, '2', { content: 'new' })).tweetId;
    const others = await newest(null);
    expect((await newest('2')).tweetId).toBe(posted);
    if (!('tweets_by_author.page' in keptIn(others.answer))) return false;
    expect(others.tweetId).not.toBe(posted);
    return true;
  });
  await until(async () => (await newest(null)).tweetId === posted);
});

test('who changes its name sees it at once, through another server, in lists and by its username', async () => {
  for (const name of ['One', 'Two', 'Three']) {
    await far.query(ALL, {}, null);
    await far.query('{ user(username: "user4") { name } }', {}, null);
    await put(near, '4', 'updateUser', { name });
    expect(tweetsIn(await far.query(ALL, {}, '4')).get(TWEETS[3] ?? '')?.author.name).toBe(name);
    expect(await ask(far, '{ user(username: "user4") { name } viewer { name } }', '4')).toEqual({
      user: { name },
      viewer: { name },
    });
  }
});

test('a request with the header cache-control: no-cache sees at once what others did', async () => {
  for (const name of ['likeTweet', 'unlikeTweet', 'likeTweet'] as const) {
    await far.query(ALL, {}, null);
    const { tweet } = (await act(near, '6', name, liked)) as { tweet: { likeCount: number } };
    const { statusCode, body } = await far.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'cache-control': 'max-age=0, no-cache', 'x-explain': 'true' },
      payload: { query: ALL },
    });
    const answer = answerOf(statusCode, body);
    expect(tweetsIn(answer).get(LIKED)?.likeCount).toBe(tweet.likeCount);
    expect(keptIn(answer)).toEqual({});
  }
});

test('a mutation shows what is true now', async () => {
  await near.query(ALL, {}, null);
  const before = (await act(near, '7', 'likeTweet', liked)) as { tweet: { likeCount: number } };
  const after = (await act(far, '8', 'likeTweet', liked)) as { tweet: { likeCount: number } };
  expect(after.tweet.likeCount).toBe(before.tweet.likeCount + 1);
});

test('most liked tweets are ordered by the likes that they are shown with, and at once by the present ones for who likes one', async () => {
  const [low, high] = ['201', '202'] as const;
  await near.store([
    person('20', 'user20'),
    tweet(low, '20', 1, { likeCount: 4 }),
    tweet(high, '20', 2, { likeCount: 5 }),
  ]);
  const source = '{ user(username: "user20") { tweets(order: MOST_LIKED) { nodes { tweetId likeCount } } } }';
  const order = async (who: string | null) => {
    const { data } = await far.query(source, {}, who);
    const { nodes } = (data as { user: { tweets: { nodes: { tweetId: string; likeCount: number }[] } } }).user
      .tweets;
    expect(nodes.map(({ likeCount }) => likeCount)).toEqual(
      nodes.map(({ likeCount }) => likeCount).sort((a, b) => b - a),
    );
    return nodes.map(({ tweetId }) => tweetId);
  };
  expect(await order(null)).toEqual([high, low]);
  for (const who of ['3', '4']) await act(near, who, 'likeTweet', { id: encodeNodeId('Tweet', low) });
  expect(await order('4')).toEqual([low, high]);
  await until(async () => (await order(null))[0] === low);
});

test('the map is shown from what was kept, and at once with what the one who asks has posted', async () => {
  const area =
    '(area: { south: 10, west: 10, north: 10.01, east: 10.01 }, from: "2020-01-01T00:00:00Z", to: "2040-01-01T00:00:00Z"';
  const source = `{ viewer { id } tweetHeatmap${area}, precision: 5) { count } tweetsInArea${area}) { nodes { tweetId } } }`;
  await near.store([tweet('301', '1', 3, { location: { latitude: 10.005, longitude: 10.005 } })]);
  const look = async (who: string | null) => {
    const answer = await far.query(source, {}, who);
    expect(answer.errors).toEqual([]);
    const { tweetHeatmap, tweetsInArea } = answer.data as {
      tweetHeatmap: { count: number }[];
      tweetsInArea: { nodes: unknown[] };
    };
    return { kept: keptIn(answer), counts: [tweetHeatmap[0]?.count, tweetsInArea.nodes.length] };
  };
  await until(async () => {
    await look(null);
    const { kept, counts } = await look(null);
    expect(counts).toEqual([1, 1]);
    return 'tweets_by_area.page' in kept && 'buckets.page' in kept;
  });
  await post(near, '6', { content: 'here', location: { latitude: 10.005, longitude: 10.005 } });
  expect((await look('6')).counts).toEqual([2, 2]);
  await until(async () => (await look(null)).counts[0] === 2);
});

test('once a request may be shown what is kept, all that is kept is taken from there, until it forgets', async () => {
  const cache = createReadCache(60);
  const loadFor = (may: boolean) =>
    createLoad(far.database, undefined, undefined, { cache, mayUse: () => Promise.resolve(may) });
  const read = (load: Load) => Promise.all(TWEETS.map((tweetId) => load(cachedTweets, { tweetId })));
  const rows = await read(loadFor(true));
  const load = loadFor(true);
  await load(cachedTweets, { tweetId: LIKED });
  expect(await read(load)).toEqual(rows);
  expect(cache.counts()).toEqual({ hits: TWEETS.length, misses: TWEETS.length });
  load.forget();
  await read(load);
  await read(loadFor(false));
  expect(cache.counts()).toEqual({ hits: TWEETS.length, misses: 2 * TWEETS.length });
});

test('a user is there at once, although it was asked for before', async () => {
  const source = '{ user(username: "Newcomer") { name } }';
  expect(await ask(far, source)).toEqual({ user: null });
  await put(near, 'newcomer', 'createUser', { username: 'newcomer', name: 'New' });
  expect((await far.query(source, {}, null)).data).toEqual({ user: { name: 'New' } });
  expect(await ask(far, '{ viewer { name } }', 'newcomer')).toEqual({ viewer: { name: 'New' } });
});

test('reads that the cache answered, and those that it did not, are counted', async () => {
  const count = async (result: string) => {
    const { body } = await far.get('/metrics');
    return Number(
      new RegExp(`^murmuration_cacheable_reads_total\\{result="${result}"\\} (\\d+)$`, 'm').exec(body)?.[1],
    );
  };
  const [hits, misses] = [await count('hit'), await count('miss')];
  await until(async () => {
    await far.query(ALL, {}, null);
    return (await count('hit')) > hits;
  });
  expect(await count('miss')).toBeGreaterThanOrEqual(misses);
});
