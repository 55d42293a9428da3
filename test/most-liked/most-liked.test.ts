import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { joinPages, PAGE_INFO, pageReader, type PageOf } from '../../src/tools/testing/testing';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';

const AUTHORS = ['2', '3', '4'];
const TWEETS = 120;

/** Likes as they are: most tweets have none, one or few, some have many; the same on every run. */
const likesOf = (n: number) => Math.floor(1.2 / (((n * 37) % 100) / 100 + 0.01) ** 1.2);

interface Item {
  readonly tweetId: string;
  readonly authorId: string;
  readonly isReply: boolean;
  likes: number;
}
const items: Item[] = Array.from({ length: TWEETS }, (_, n) => ({
  tweetId: String(1000 + n),
  authorId: AUTHORS[n % AUTHORS.length] ?? '',
  isReply: n > 0 && n % 2 === 0,
  likes: n % 3 === 0 ? 0 : likesOf(n),
}));

let server: Harness;
beforeAll(async () => {
  server = await startHarness({ FANOUT_PUSH_LIMIT: '1' });
  await server.store([
    ...['1', ...AUTHORS, '9'].map((id) => person(id, `user${id}`)),
    ...['2', '3'].map((id) => follow('1', id)),
    follow('9', '3'),
    ...items.map(({ tweetId, authorId, isReply, likes }, n) =>
      tweet(tweetId, authorId, n, { likeCount: likes, ...(isReply && { inReplyToId: '1000' }) }),
    ),
    tweet('3000', '2', 5, { sharedTweetId: '1001', likeCount: 5000 }),
  ]);
  // Some get likes here, which carry them past others.
  for (const item of items.filter((_, n) => n % 10 === 0)) {
    for (const userId of ['1', '4', '9']) {
      const { errors } = await server.query(
        'mutation ($id: ID!) { likeTweet(id: $id) { tweet { id } } }',
        { id: encodeNodeId('Tweet', item.tweetId) },
        userId,
      );
      expect(errors).toEqual([]);
      item.likes++;
    }
  }
});
afterAll(() => server.close());

const fields = {
  'User.tweets': {
    ask: (page: string) =>
      `{ of: user(username: "user2") { list: tweets(order: MOST_LIKED, ${page}) PAGE } }`,
    of: ({ authorId }: Item) => authorId === '2',
  },
  'User.timeline': {
    ask: (page: string) =>
      `{ of: user(username: "user1") { list: timeline(order: MOST_LIKED, ${page}) PAGE } }`,
    of: ({ authorId }: Item) => authorId === '2' || authorId === '3',
  },
  'Tweet.replies': {
    ask: (page: string) =>
      `{ of: tweet(tweetId: "1000") { list: replies(order: MOST_LIKED, ${page}) PAGE } }`,
    of: ({ isReply }: Item) => isReply,
  },
};

describe.each(Object.entries(fields))('%s, most liked', (_name, { ask, of }) => {
  const wanted = () =>
    items
      .filter(of)
      .sort((a, b) => b.likes - a.likes || Number(b.tweetId) - Number(a.tweetId))
      .map(({ tweetId, likes }) => ({ tweetId, likeCount: likes }));
  const page = pageReader<{ readonly node: object }>(
    (source) => server.query(source),
    (args) => ask(args).replace('PAGE', `{ edges { node { tweetId likeCount } } ${PAGE_INFO} }`),
  );

  test.each([1, 7, 25])('pages of %d join to all of them, forwards and backwards', async (size) => {
    const all = wanted();
    expect(all.length).toBeGreaterThan(30);
    for (const direction of ['first', 'last'] as const) {
      const asked = jest.fn(page);
      const joined = await joinPages(asked, direction, size);
      expect(joined.map(({ node }) => node)).toEqual(all);
      // Each page but the last is full, and the last knows that it is.
      expect(asked).toHaveBeenCalledTimes(Math.ceil(all.length / size));
    }
  });
});

test('a page of the most liked takes a bounded number of requests', async () => {
  const { reads } = await server.query(
    fields['User.timeline'].ask('first: 5').replace('PAGE', '{ nodes { content } }'),
  );
  const statements = reads.map(({ statement }) => statement).sort();
  expect(new Set(statements)).toEqual(
    new Set([
      'profiles_by_username.get',
      'following_by_user.page',
      'top_tweets_by_author.page',
      'tweet_counts.get',
      'tweets.get',
    ]),
  );
  expect(statements.filter((name) => name === 'top_tweets_by_author.page').length).toBeLessThan(4);
});

describe('of tweets with few likes', () => {
  const many = Array.from({ length: 800 }, (_, n) => ({
    tweetId: String(10_000 + n),
    authorId: n % 2 === 0 ? '20' : '21',
    likeCount: n % 8 < 2 ? 2 : 1,
  }));
  beforeAll(() =>
    server.store([
      ...['20', '21', '22'].map((id) => person(id, `user${id}`)),
      ...['20', '21'].map((id) => follow('22', id)),
      ...many.map(({ tweetId, authorId, likeCount }, n) => tweet(tweetId, authorId, n % 28, { likeCount })),
    ]),
  );
  const wanted = (authors: readonly string[]) =>
    many
      .filter(({ authorId }) => authors.includes(authorId))
      .sort((a, b) => b.likeCount - a.likeCount || Number(b.tweetId) - Number(a.tweetId))
      .map(({ tweetId }) => tweetId);

  test.each([
    { list: 'tweets', of: '20', authors: ['20'] },
    { list: 'timeline', of: '22', authors: ['20', '21'] },
  ])('a page compares few of those with one like: $list', async ({ list, of, authors }) => {
    const page = async (args: string) => {
      const { data, reads } = await server.query(
        `{ user(username: "user${of}") { list: ${list}(order: MOST_LIKED, ${args}) { edges { node { tweetId } } ${PAGE_INFO} } } }`,
      );
      const compared = reads.filter(({ statement }) => statement === 'tweet_counts.get');
      const { edges, pageInfo } = (data as { user: { list: PageOf<{ node: { tweetId: string } }> } }).user
        .list;
      return {
        ids: edges.map(({ node }) => node.tweetId),
        ...pageInfo,
        compared: compared.reduce((sum, { keys }) => sum + keys, 0),
      };
    };
    const all = wanted(authors);
    const walked: string[] = [];
    const cursors: string[] = [];
    for (let after = ''; ; after = `, after: "${cursors.at(-1) ?? ''}"`) {
      const { ids, endCursor, hasNextPage } = await page(`first: 100${after}`);
      walked.push(...ids);
      cursors.push(endCursor ?? '');
      if (!hasNextPage) break;
    }
    expect(walked).toEqual(all);
    const [, , cursor = ''] = cursors;
    const forwards = await page(`first: 5, after: "${cursor}"`);
    expect(forwards).toMatchObject({ ids: all.slice(300, 305), hasNextPage: true, hasPreviousPage: true });
    const backwards = await page(`last: 5, before: "${cursor}"`);
    expect(backwards).toMatchObject({ ids: all.slice(294, 299), hasNextPage: true, hasPreviousPage: true });
    for (const { compared } of [forwards, backwards]) expect(compared).toBeLessThan(150);
  });
});
