import { jobs } from '../src/jobs/all';
import type { Write } from '../src/kit/cassandra/database';
import { createLoad } from '../src/kit/data/load';
import { buckets } from '../src/kit/data/buckets';
import { connect } from '../src/kit/relay/connection';
import { encodeNodeId } from '../src/kit/relay/node';
import { type Page, pageOf } from '../src/kit/relay/page';
import { createShardRouter } from '../src/kit/data/shards';
import { writeOf } from '../src/kit/data/write';
import { termList } from '../src/search/term-list';
import { words as wordIndex } from '../src/search/term.table';
import { indexRowsOf } from '../src/write/tweet/index-rows';
import { magnitudeOf } from '../src/kit/base/magnitude';
import { topRowsOf } from '../src/write/tweet/top-rows';
import { tweetCounts, tweets } from '../src/tweet/tweet.table';
import { type Harness, person, startHarness } from './harness';
import { act, ask } from './mutations';

/** With so many rows a bucket is spread here. */
const MAX_UNSHARDED_ROWS = 6;

/** Tweets of two years; those of three and of five have words more. */
const count = 90;

const rows = Array.from({ length: count }, (_, n) => ({
  tweetId: String(1000 + n * 4096),
  authorId: '1',
  content: `common${n % 3 === 0 ? ' third' : ''}${n % 5 === 0 ? ' fifth' : ''}${n === 45 ? ' single' : ''}${n === 49 ? ' unliked' : ''}`,
  createdAt: new Date(Date.UTC(2025, 11, 20, 0, n * 400)),
  language: 'en',
  location: null,
  hashtags: n % 2 === 0 ? ['even'] : null,
  mentions: null,
  inReplyToId: null,
  sharedTweetId: null,
  quotedTweetId: null,
  likes: n % 7,
}));

let server: Harness;

const run = async (writes: readonly Write[]) => {
  for (const { query, params } of writes) await server.database.write(query, params);
};

const runAll = ({ writes, listBuckets }: ReturnType<typeof topRowsOf>) =>
  run([...writes, ...listBuckets.map((month) => writeOf(buckets, month))]);

beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada')]);
  // Two servers, of which the second begins to count when the first is done, and writes some again.
  for (const some of [rows, rows.slice(30, 60)]) {
    const shardRouter = createShardRouter(server.database, MAX_UNSHARDED_ROWS);
    for (const { likes, ...row } of some) {
      await run([writeOf(tweets, row), writeOf(tweetCounts, { tweetId: row.tweetId, likeCount: likes })]);
      await runAll(indexRowsOf(shardRouter, row));
      for (let magnitude = 1; magnitude <= magnitudeOf(likes); magnitude++)
        await runAll(topRowsOf(shardRouter, row, magnitude));
    }
  }
}, 120_000);

afterAll(() => server.close());

interface Answered {
  readonly list: {
    readonly nodes: readonly { readonly tweetId: string }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  };
}

/** All pages of a list, joined. */
async function walk(call: string, size = 7): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ;) {
    const source = call.replace('PAGE', `first: ${size}${after}`);
    const asked = source.startsWith('hashtag')
      ? `{ user: ${source.replace('tweets(', 'list: tweets(')} }`
      : `{ list: ${source} }`;
    const data = (await ask(
      server,
      asked.replace('NODES', '{ nodes { tweetId } pageInfo { hasNextPage endCursor } }'),
    )) as Answered | { user: Answered };
    const { nodes, pageInfo } = 'user' in data ? data.user.list : data.list;
    ids.push(...nodes.map(({ tweetId }) => tweetId));
    if (!pageInfo.hasNextPage) return ids;
    after = `, after: "${pageInfo.endCursor}"`;
  }
}

type Tweet = (typeof rows)[number];

const orders = {
  NEWEST: (a: Tweet, b: Tweet) => Number(b.tweetId) - Number(a.tweetId),
  MOST_LIKED: (a: Tweet, b: Tweet) => b.likes - a.likes || Number(b.tweetId) - Number(a.tweetId),
};

const wanted = (order: keyof typeof orders, words: readonly string[]) =>
  rows
    .filter(({ content }) => words.every((word) => content.split(' ').includes(word)))
    .sort(orders[order])
    .map(({ tweetId }) => tweetId);

test('a bucket with many rows is spread: no partition has more than a few of them', async () => {
  for (const [table, most] of [
    ['tweets_by_word', MAX_UNSHARDED_ROWS],
    ['tweets_by_hashtag', MAX_UNSHARDED_ROWS],
    ['top_tweets_by_word', MAX_UNSHARDED_ROWS],
  ] as const) {
    const counted = await server.database.run(
      `SELECT term, bucket, COUNT(*) AS n FROM ${table} GROUP BY ${/hashtag/.test(table) ? 'term, bucket' : 'bucket, term'}`,
    );
    const own = counted.filter((row) => Number(row['bucket']) < 100_000).map((row) => Number(row['n']));
    const shares = counted.filter((row) => Number(row['bucket']) > 100_000).map((row) => Number(row['n']));
    // Each of the two servers had its own few.
    expect(Math.max(...own)).toBeLessThanOrEqual(2 * most);
    expect(shares.length).toBeGreaterThan(7);
    expect(Math.max(...shares)).toBeLessThan(30);
  }
});

test.each(['NEWEST', 'MOST_LIKED'] as const)(
  'pages of words that are spread join to the whole: %s',
  async (order) => {
    for (const words of [
      ['common'],
      ['third', 'common'],
      ['fifth', 'third'],
      ['common', 'single'],
      ['fifth', 'common', 'third'],
    ]) {
      const call = `searchTweets(words: ${JSON.stringify(words)}, order: ${order}, PAGE) NODES`;
      expect({ words, ids: await walk(call) }).toEqual({ words, ids: wanted(order, words) });
    }
  },
);

test.each([1, 2, 3, 4, 5])('what stands in two partitions is in pages of %i once', async (size) => {
  const call = 'searchTweets(words: ["common"], order: MOST_LIKED, PAGE) NODES';
  expect(await walk(call, size)).toEqual(wanted('MOST_LIKED', ['common']));
});

test('the rarest of words that nobody likes together is walked, wherever it is named', async () => {
  for (const words of [
    ['common', 'unliked'],
    ['unliked', 'common'],
  ]) {
    const call = `{ searchTweets(words: ${JSON.stringify(words)}, order: MOST_LIKED, first: 7) { nodes { tweetId } pageInfo { hasNextPage } } }`;
    const { data, reads } = await server.query(call);
    expect(data).toEqual({
      searchTweets: {
        nodes: wanted('MOST_LIKED', words).map((tweetId) => ({ tweetId })),
        pageInfo: { hasNextPage: false },
      },
    });
    const ofWords = reads.filter(({ table }) => table === 'tweets_by_word');
    expect(ofWords.reduce((sum, read) => sum + read.rows, 0)).toBeLessThan(30);
  }
});

test.each(['NEWEST', 'MOST_LIKED'] as const)('those of a hashtag, too: %s', async (order) => {
  const even = rows.filter(({ hashtags }) => hashtags !== null).sort(orders[order]);
  const call = `hashtag(name: "even") { tweets(order: ${order}, PAGE) NODES }`;
  expect(await walk(call)).toEqual(even.map(({ tweetId }) => tweetId));
});

test('a page of a spread word takes few requests', async () => {
  const { reads } = await server.query(
    '{ searchTweets(words: ["common", "third"], order: NEWEST, first: 7) { nodes { tweetId } } }',
  );
  const statements = reads.map(({ statement }) => statement);
  expect(statements.filter((name) => name === 'tweets_by_word.among').length).toBeLessThanOrEqual(2);
  expect(statements.filter((name) => name === 'tweets_by_word.page').length).toBeLessThanOrEqual(4);
});

test('they are verified in either place, and rebuilt spread', async () => {
  const context = () => ({
    database: server.database,
    retentionMonths: null,
    shardRouter: createShardRouter(server.database, MAX_UNSHARDED_ROWS),
  });
  const terms = ['tweets_by_word', 'top_tweets_by_word', 'tweets_by_hashtag', 'top_tweets_by_hashtag'];
  const termJobs = jobs.filter(({ name }) => terms.includes(name));
  expect(termJobs).toHaveLength(terms.length);
  for (const job of termJobs) {
    expect(await job.verify(context(), 1000)).toMatchObject({ missing: 0, surplus: 0, different: 0 });
    await server.database.run(`TRUNCATE ${job.name}`);
    expect((await job.verify(context(), 1000)).missing).toBeGreaterThan(30);
    const { written, removed } = await job.rebuild(context(), () => undefined);
    expect(written).toBeGreaterThan(30);
    expect(removed).toBe(0);
    expect(await job.verify(context(), 1000)).toMatchObject({ missing: 0, surplus: 0, different: 0 });
  }
  for (const order of ['NEWEST', 'MOST_LIKED'] as const) {
    const call = `searchTweets(words: ["common", "third"], order: ${order}, PAGE) NODES`;
    expect(await walk(call)).toEqual(wanted(order, ['common', 'third']));
  }
}, 120_000);

test('marks of shares are found to be missing, and come back', async () => {
  const [buckets_] = jobs.filter(({ name }) => name === 'buckets');
  const context = {
    database: server.database,
    retentionMonths: null,
    shardRouter: createShardRouter(server.database),
  };
  const marks = async () =>
    (await server.database.run('SELECT bucket FROM buckets')).filter((row) => Number(row['bucket']) > 100_000)
      .length;
  const before = await marks();
  await server.database.run('TRUNCATE buckets');
  expect((await buckets_?.verify(context, 10_000))?.missing).toBeGreaterThan(before);
  await buckets_?.rebuild(context, () => undefined);
  expect(await marks()).toBe(before);
}, 120_000);

test('a page of several words that a bound on rows has cut goes on by its cursor', async () => {
  const ids: string[] = [];
  let cut = 0;
  for (let after: string | null = null; ;) {
    const list = await termList(createLoad(server.database), wordIndex, ['third', 'fifth'], {
      rowsAtOnce: 4,
      enough: { reads: 0, rows: 0 },
    });
    const page: Page = pageOf(list.name, { first: 2, after });
    const { nodes, pageInfo } = await connect(
      list,
      page,
      (_row, cursor) => ({ cursor }),
      ({ tweetId }) => tweetId,
    );
    ids.push(...nodes);
    if (!(await pageInfo.hasNextPage)) break;
    if (nodes.length < 2) cut++;
    expect(pageInfo.endCursor).not.toBe(after);
    after = pageInfo.endCursor;
  }
  expect(ids).toEqual(wanted('NEWEST', ['third', 'fifth']));
  expect(cut).toBeGreaterThan(0);
});

test('what is deleted leaves all partitions', async () => {
  const { tweetId } = rows[40] ?? { tweetId: '' };
  await act(server, '1', 'deleteTweet', { id: encodeNodeId('Tweet', tweetId) });
  await server.writeContext.outbox.idle();
  for (const table of [
    'tweets_by_word',
    'top_tweets_by_word',
    'tweets_by_hashtag',
    'top_tweets_by_hashtag',
  ]) {
    const left = await server.database.run(`SELECT CAST(tweet_id AS text) AS id FROM ${table}`);
    expect([table, left.filter((row) => row['id'] === tweetId)]).toEqual([table, []]);
  }
});
