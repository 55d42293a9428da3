import { createLoad } from '../src/kit/data/load';
import { writeOf } from '../src/kit/data/write';
import { encodeCursor } from '../src/kit/relay/cursor';
import { encodeNodeId } from '../src/kit/relay/node';
import type { ConnectionArguments } from '../src/kit/relay/page';
import { connectMostLiked, topRows } from '../src/tweet/top-list';
import type { TopRow } from '../src/tweet/top-position';
import { tweetList } from '../src/tweet/tweet-list';
import { topTweetsByAuthor, tweetsByAuthor } from '../src/tweet/tweet.table';
import { follow, person, startHarness, tweet, type Harness } from './harness';

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
    ask: (page: string) => `{ user(username: "user2") { list: tweets(order: MOST_LIKED, ${page}) PAGE } }`,
    of: ({ authorId }: Item) => authorId === '2',
  },
  'User.timeline': {
    ask: (page: string) => `{ user(username: "user1") { list: timeline(order: MOST_LIKED, ${page}) PAGE } }`,
    of: ({ authorId }: Item) => authorId === '2' || authorId === '3',
  },
  'Tweet.replies': {
    ask: (page: string) =>
      `{ user: tweet(tweetId: "1000") { list: replies(order: MOST_LIKED, ${page}) PAGE } }`,
    of: ({ isReply }: Item) => isReply,
  },
};
const PAGE = '{ nodes { tweetId likeCount } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }';

interface Answered {
  readonly nodes: readonly { tweetId: string; likeCount: number }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string;
    readonly endCursor: string;
  };
}

describe.each(Object.entries(fields))('%s, most liked', (_name, { ask, of }) => {
  const wanted = () =>
    items
      .filter(of)
      .sort((a, b) => b.likes - a.likes || Number(b.tweetId) - Number(a.tweetId))
      .map(({ tweetId, likes }) => ({ tweetId, likeCount: likes }));
  const page = async (args: string): Promise<Answered> => {
    const { data, errors } = await server.query(ask(args).replace('PAGE', PAGE));
    expect(errors).toEqual([]);
    return (data as { user: { list: Answered } }).user.list;
  };

  test.each([1, 7, 25])('pages of %d join to all of them, forwards and backwards', async (size) => {
    const all = wanted();
    expect(all.length).toBeGreaterThan(30);
    const forwards: Answered['nodes'][number][] = [];
    for (let after = ''; ;) {
      const { nodes, pageInfo } = await page(`first: ${size}${after}`);
      forwards.push(...nodes);
      expect(pageInfo.hasNextPage).toBe(forwards.length < all.length);
      expect(pageInfo.hasPreviousPage).toBe(after !== '');
      if (!pageInfo.hasNextPage) break;
      after = `, after: "${pageInfo.endCursor}"`;
    }
    expect(forwards).toEqual(all);
    const backwards: Answered['nodes'][number][] = [];
    for (let before = ''; ;) {
      const { nodes, pageInfo } = await page(`last: ${size}${before}`);
      backwards.unshift(...nodes);
      expect(pageInfo.hasPreviousPage).toBe(backwards.length < all.length);
      if (!pageInfo.hasPreviousPage) break;
      before = `, before: "${pageInfo.startCursor}"`;
    }
    expect(backwards).toEqual(all);
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
        `{ user(username: "user${of}") { list: ${list}(order: MOST_LIKED, ${args}) ${PAGE} } }`,
      );
      const compared = reads.filter(({ statement }) => statement === 'tweet_counts.get');
      const { nodes, pageInfo } = (data as { user: { list: Answered } }).user.list;
      return {
        ids: nodes.map(({ tweetId }) => tweetId),
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
      cursors.push(endCursor);
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

describe('a magnitude with more tweets than a page may compare', () => {
  const many = Array.from({ length: 400 }, (_, n) => ({
    tweetId: String(20_000 + n),
    authorId: n < 300 ? '30' : '31',
    likeCount: n < 300 ? ([0, 1, 1, 2, 3, 4, 5, 6, 7, 9][(n * 7) % 10] ?? 0) : n - 172,
  }));
  beforeAll(() =>
    server.store([
      ...['30', '31'].map((id) => person(id, `user${id}`)),
      ...many.map(({ tweetId, authorId, likeCount }, n) => tweet(tweetId, authorId, n % 28, { likeCount })),
    ]),
  );
  const idOf = ({ tweetId }: { readonly tweetId: string }) => tweetId;
  const wanted = many
    .filter(({ authorId }) => authorId === '30')
    .sort((a, b) => b.likeCount - a.likeCount || Number(b.tweetId) - Number(a.tweetId))
    .map(idOf);

  const readPage = (
    authorId: string,
    reads: number,
    args: ConnectionArguments,
    isRead: (row: TopRow) => boolean = () => true,
  ) => {
    const load = createLoad(server.database);
    return connectMostLiked(
      load,
      args,
      async () => ({
        sources: {
          name: 'bounded',
          owners: async () => [authorId],
          top: async (limited, owner, slice) => {
            const all = await topRows(limited(topTweetsByAuthor.page, { authorId: owner, ...slice }), slice);
            return { ...all, rows: all.rows.filter(isRead) };
          },
          newest: async () => tweetList(load, tweetsByAuthor, { authorId }),
          tweetOf: async (_load, found) => found,
        },
      }),
      { reads, rows: 1000 },
    );
  };

  test.each([
    { reads: 1000, mayCut: false },
    { reads: 60, mayCut: true },
  ])('is read count by count, forwards and backwards, by $reads reads', async ({ reads, mayCut }) => {
    const forwards: string[] = [];
    const cursors: { readonly after: string; readonly index: number }[] = [];
    let cut = 0;
    for (let after: string | null = null; ;) {
      const { nodes, pageInfo } = await readPage('30', reads, { first: 5, after });
      forwards.push(...nodes.map(idOf));
      if (!(await pageInfo.hasNextPage)) break;
      if (nodes.length < 5) cut++;
      expect(pageInfo.endCursor).not.toBe(after);
      after = pageInfo.endCursor;
      if (nodes.length === 5) cursors.push({ after: after ?? '', index: forwards.length });
    }
    expect(forwards).toEqual(wanted);
    expect(cut > 0).toBe(mayCut);
    const backwards: string[] = [];
    for (let before: string | null = null; ;) {
      const { nodes, pageInfo } = await readPage('30', reads, { last: 5, before });
      backwards.unshift(...nodes.map(idOf));
      if (!(await pageInfo.hasPreviousPage)) break;
      expect(pageInfo.startCursor).not.toBe(before);
      before = pageInfo.startCursor;
    }
    expect(backwards).toEqual(wanted);
    for (const { after, index } of cursors.filter((_, n) => n % 8 === 0)) {
      const next = await readPage('30', reads, { first: 5, after });
      expect(next.nodes.map(idOf)).toEqual(wanted.slice(index, index + next.nodes.length));
      expect(await next.pageInfo.hasPreviousPage).toBe(true);
    }
  });

  test('a tweet that reached 8 likes after its rows were read comes before those with 7', async () => {
    const [late = ''] = wanted;
    const row = { authorId: '30', magnitude: 3, tweetId: late, createdAt: new Date() };
    const { query, params } = writeOf(topTweetsByAuthor, row);
    await server.database.write(query, [...params]);
    const wasRead = ({ magnitude, tweetId }: TopRow) => magnitude < 4 || tweetId !== late;
    const { nodes } = await readPage('30', 1000, { first: 31 }, wasRead);
    expect(nodes.map(idOf)).toEqual([...wanted.slice(1, 30), late, ...wanted.slice(30, 31)]);
  });

  test('is refused from 128 likes on', async () => {
    expect((await readPage('31', 110, { first: 5 })).nodes).toHaveLength(5);
    await expect(readPage('31', 60, { first: 5 })).rejects.toMatchObject({
      message: `A page of MOST_LIKED may read 60 partitions, but this one would read more. Ask for NEWEST, which reads less.`,
      extensions: { code: 'QUERY_TOO_LARGE' },
    });
  });

  test.each(['99999999999', '1', '0'])('a made-up cursor at %s likes takes no more reads', async (likes) => {
    const after = encodeCursor('bounded', { bucket: 1, key: [likes, '1', '20100'] });
    const { nodes } = await readPage('30', 1000, { first: 5, after });
    expect(nodes.length).toBe(5);
  });
});
