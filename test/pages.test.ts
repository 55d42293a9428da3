import { createSchema } from '../src/schema';
import { followersByUser, followingByUser, pulledByUser } from '../src/follow/follow.table';
import type { Write } from '../src/kit/cassandra/database';
import { buckets, dayOf, EVERYBODY, monthOf, yearOf } from '../src/kit/data/buckets';
import { encodeNodeId } from '../src/kit/relay/node';
import { connectionsOf } from '../src/kit/testing';
import { leastIdAt } from '../src/kit/base/snowflake';
import { removalOf, writeOf } from '../src/kit/data/write';
import { likesByTweet, likesByUser } from '../src/like/like.table';
import { bucketOf as areaBucketOf } from '../src/map/area-buckets';
import { cellOf, GRIDS } from '../src/map/cells';
import { tweetsByArea } from '../src/map/map.table';
import { articles, articlesByDay, articlesByUser, authorCommentsByArticle, commentsByArticle, commentsByDay } from '../src/news/news.table';
import { rankings } from '../src/ranking/ranking.table';
import { ownerOf } from '../src/search/term-owner';
import { type TermIndex, tweetsByHashtag, tweetsByWord } from '../src/search/term.table';
import { timelinesByUser } from '../src/timeline/timeline.table';
import { DAY_SHARDS, repliesByTweet, tweets, tweetsByAuthor, tweetsByDay } from '../src/tweet/tweet.table';
import { follow, type Harness, person, startHarness, tweet } from './harness';

const OWNER = '1';

const PAGE = 5;

const PAGES = 10;

/** The nth item of a list, oldest first: an id, of three digits or four, and a moment some hours after the one before. */
const idOf = (n: number) => String(950 + n);

const momentOf = (n: number) => new Date(Date.UTC(2025, 10, 1) + n * 15 * 3_600_000);

function tweetRow(n: number, authorId: string) {
  const none = {
    location: null,
    hashtags: null,
    mentions: null,
    inReplyToId: null,
    sharedTweetId: null,
    quotedTweetId: null,
  };
  return { ...none, tweetId: idOf(n), authorId, content: '', createdAt: momentOf(n), language: 'en' };
}

/** Which item it is that has this id, or this moment. */
const numberOf = (key: string) =>
  key.includes('T')
    ? (Date.parse(key) - Number(momentOf(0))) / (15 * 3_600_000)
    : Number(key) - Number(idOf(0));

const month = (n: number) => ({ bucket: monthOf(momentOf(n)) });

const year = (n: number) => ({ bucket: yearOf(momentOf(n)) });

const date = (n: number) => ({ bucket: dayOf(momentOf(n)) });

const monthRow = (list: string, owner: string, n: number) => writeOf(buckets, { owner, list, ...month(n) });

const userRow = (n: number) => person(idOf(n), `user${idOf(n)}`);

/** A list, with what puts its nth item in and takes it out. */
interface Listed {
  readonly field: string;
  readonly ask: (page: string) => string;
  readonly put: (n: number) => readonly Write[];
  readonly remove: (n: number) => readonly Write[];
  /** Where it pages by `first` alone. */
  readonly forwardsOnly?: boolean;
}

const ofUser = (field: string, key: string) => (page: string) =>
  `{ user(username: "ada") { list: ${field}(${page}) { edges { cursor node { key: ${key} } } nodes { key: ${key} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;

const ofQuery = (call: string, key: string) => (page: string) =>
  `{ list: ${call.replace('PAGE', page)} { edges { cursor node { key: ${key} } } nodes { key: ${key} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

/** The word that all have. */
const WORD = 'spring';

/** The tweet that all reply to and like. */
const ORIGINAL = '900';

const ofTweet = (field: string, key: string) => (page: string) =>
  ofUser(field, key)(page).replace('user(username: "ada")', `user: tweet(tweetId: "${ORIGINAL}")`);

const timeline = {
  field: 'User.timeline',
  ask: ofUser('timeline', 'tweetId'),
  put: (n: number) => [
    writeOf(timelinesByUser, { userId: OWNER, ...month(n), ...tweetRow(n, '2') }),
    monthRow('timelines_by_user', OWNER, n),
  ],
  remove: (n: number) => [removalOf(timelinesByUser, { userId: OWNER, ...month(n), tweetId: idOf(n) })],
};

const ofAuthor = (authorId: string) => ({
  put: (n: number) => [
    writeOf(tweetsByAuthor, { ...month(n), ...tweetRow(n, authorId) }),
    monthRow('tweets_by_author', authorId, n),
  ],
  remove: (n: number) => [removalOf(tweetsByAuthor, { authorId, ...month(n), tweetId: idOf(n) })],
});

const pulled = ofAuthor('3');

const day = { day: '2025-11-01' };

const shard = (n: number) => ({ shard: Number(idOf(n)) % DAY_SHARDS });

const lists: Listed[] = [
  {
    field: 'User.followers',
    ask: ofUser('followers', 'userId'),
    put: (n) => [
      writeOf(followersByUser, { userId: OWNER, ...month(n), followedAt: momentOf(n), followerId: idOf(n) }),
      monthRow('followers_by_user', OWNER, n),
    ],
    remove: (n) => [
      removalOf(followersByUser, {
        userId: OWNER,
        ...month(n),
        followedAt: momentOf(n),
        followerId: idOf(n),
      }),
    ],
  },
  {
    field: 'User.following',
    ask: ofUser('following', 'userId'),
    put: (n) => [
      writeOf(followingByUser, { userId: OWNER, ...month(n), followedAt: momentOf(n), followeeId: idOf(n) }),
      monthRow('following_by_user', OWNER, n),
    ],
    remove: (n) => [
      removalOf(followingByUser, {
        userId: OWNER,
        ...month(n),
        followedAt: momentOf(n),
        followeeId: idOf(n),
      }),
    ],
  },
  { field: 'User.tweets', ask: ofUser('tweets', 'tweetId'), ...ofAuthor(OWNER) },
  timeline,
  {
    // Every third is a row of the timeline, the others are merged in from an author's; one in six is in both.
    ...timeline,
    field: 'User.timeline of pulled authors',
    put: (n) => [...(n % 3 === 0 ? timeline.put(n) : []), ...(n % 6 === 0 || n % 3 > 0 ? pulled.put(n) : [])],
    remove: (n) => [...timeline.remove(n), ...pulled.remove(n)],
  },
  {
    field: 'Query.tweetsOfDay',
    ask: (page) =>
      `{ list: tweetsOfDay(day: "${day.day}", ${page}) { edges { cursor node { key: tweetId } } nodes { key: tweetId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    put: (n) => [writeOf(tweetsByDay, { ...day, ...shard(n), ...tweetRow(n, '2') })],
    remove: (n) => [removalOf(tweetsByDay, { ...day, ...shard(n), tweetId: idOf(n) })],
  },
  {
    field: 'User.likes',
    ask: ofUser('likes', 'tweetId'),
    put: (n) => [
      writeOf(tweets, tweetRow(n, '2')),
      writeOf(likesByUser, { userId: OWNER, ...month(n), likedAt: momentOf(n), tweetId: idOf(n) }),
      monthRow('likes_by_user', OWNER, n),
    ],
    // Now and then it is the tweet that is gone, with the like still on its way out.
    remove: (n) =>
      n % 3 === 0
        ? [removalOf(tweets, { tweetId: idOf(n) })]
        : [removalOf(likesByUser, { userId: OWNER, ...month(n), likedAt: momentOf(n), tweetId: idOf(n) })],
  },
  {
    field: 'Tweet.likers',
    ask: ofTweet('likers', 'userId'),
    put: (n) => [
      writeOf(likesByTweet, { tweetId: ORIGINAL, ...date(n), likedAt: momentOf(n), userId: idOf(n) }),
      writeOf(buckets, { owner: ORIGINAL, list: 'likes_by_tweet', ...date(n) }),
    ],
    remove: (n) => [
      removalOf(likesByTweet, { tweetId: ORIGINAL, ...date(n), likedAt: momentOf(n), userId: idOf(n) }),
    ],
  },
  {
    field: 'Tweet.replies',
    ask: ofTweet('replies', 'tweetId'),
    put: (n) => [
      writeOf(repliesByTweet, { ...month(n), ...tweetRow(n, '2'), inReplyToId: ORIGINAL }),
      monthRow('replies_by_tweet', ORIGINAL, n),
    ],
    remove: (n) => [removalOf(repliesByTweet, { inReplyToId: ORIGINAL, ...month(n), tweetId: idOf(n) })],
  },
];

/** What is found by a word or hashtag: its tweet, and a row that points to it. */
const ofTerm = (field: string, list: TermIndex['newest'], ask: Listed['ask']): Listed => ({
  field,
  ask,
  forwardsOnly: true,
  put: (n) => [
    writeOf(tweets, tweetRow(n, '2')),
    writeOf(list, { term: WORD, ...year(n), tweetId: idOf(n) }),
    writeOf(buckets, { owner: ownerOf(WORD), list: list.name, ...year(n) }),
  ],
  // Now and then it is the tweet that is gone, with the row still on its way out.
  remove: (n) =>
    n % 3 === 0
      ? [removalOf(tweets, { tweetId: idOf(n) })]
      : [removalOf(list, { term: WORD, ...year(n), tweetId: idOf(n) })],
});

const areaKeys = (n: number) =>
  GRIDS.map((grid) => ({
    cell: cellOf(grid, 1.5, 1.5),
    bucket: areaBucketOf(grid, momentOf(n)),
    createdAt: momentOf(n),
    tweetId: idOf(n),
  }));

const found: readonly Listed[] = [
  ofTerm(
    'Query.searchTweets',
    tweetsByWord,
    ofQuery(`searchTweets(words: "${WORD}", order: NEWEST, PAGE)`, 'tweetId'),
  ),
  ofTerm('Hashtag.tweets', tweetsByHashtag, (page) =>
    ofUser('tweets', 'tweetId')(page).replace('user(username: "ada")', `user: hashtag(name: "#${WORD}")`),
  ),
  {
    field: 'Query.tweetsInArea',
    ask: ofQuery(
      'tweetsInArea(area: { south: 1, west: 1, north: 2, east: 2 }, from: "2025-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z", PAGE)',
      'tweetId',
    ),
    forwardsOnly: true,
    put: (n) => [
      writeOf(tweets, tweetRow(n, '2')),
      ...areaKeys(n).flatMap((key) => [
        writeOf(tweetsByArea, { ...key, latitude: 1.5, longitude: 1.5 }),
        writeOf(buckets, { owner: key.cell, list: tweetsByArea.name, bucket: key.bucket }),
      ]),
    ],
    remove: (n) =>
      n % 3 === 0
        ? [removalOf(tweets, { tweetId: idOf(n) })]
        : areaKeys(n).map((key) => removalOf(tweetsByArea, key)),
  },
  {
    field: 'Query.rankings',
    ask: ofQuery(
      'rankings(kind: TOP_ACCOUNTS, from: "2025-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z", PAGE)',
      'takenAt',
    ),
    forwardsOnly: true,
    put: (n) => [
      writeOf(rankings, { ...month(n), takenAt: momentOf(n) }),
      monthRow(rankings.name, EVERYBODY, n),
    ],
    remove: (n) => [removalOf(rankings, { ...month(n), takenAt: momentOf(n) })],
  },
];

lists.push(...found);

/** The article that all comment on; its author is the owner of the other lists. */
const ARTICLE = '901';

const article = (n: number) => ({
  articleId: idOf(n),
  authorId: OWNER,
  title: '',
  body: '',
  tags: [],
  publishedAt: momentOf(n),
});

/** A comment's id tells its moment. */
const commentId = (n: number) => leastIdAt(momentOf(n));

const comment = (n: number) => ({
  commentId: commentId(n),
  articleId: ARTICLE,
  authorId: OWNER,
  body: '',
  createdAt: momentOf(n),
});

const ofArticle = (
  field: string,
  list: typeof commentsByArticle | typeof authorCommentsByArticle,
): Listed => ({
  field: `Article.${field}`,
  ask: (page) =>
    ofUser(
      field,
      'createdAt',
    )(page).replace('user(username: "ada")', `user: article(id: "${encodeNodeId('Article', ARTICLE)}")`),
  put: (n) => [writeOf(list, { ...comment(n), ...month(n) }), monthRow(list.name, ARTICLE, n)],
  remove: (n) => [removalOf(list, { articleId: ARTICLE, ...month(n), commentId: commentId(n) })],
});

const news: readonly Listed[] = [
  {
    field: 'User.articles',
    ask: ofUser('articles', 'publishedAt'),
    put: (n) => [
      writeOf(articlesByUser, { ...article(n), ...month(n), authorName: '' }),
      monthRow(articlesByUser.name, OWNER, n),
    ],
    remove: (n) => [removalOf(articlesByUser, { authorId: OWNER, ...month(n), articleId: idOf(n) })],
  },
  {
    field: 'Query.articlesOfDay',
    ask: ofQuery(`articlesOfDay(day: "${day.day}", PAGE)`, 'publishedAt'),
    forwardsOnly: true,
    put: (n) => [writeOf(articlesByDay, { ...article(n), ...day, authorName: '' })],
    remove: (n) => [removalOf(articlesByDay, { ...day, articleId: idOf(n) })],
  },
  {
    field: 'Query.comments',
    ask: ofQuery('comments(from: "2025-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z", PAGE)', 'createdAt'),
    forwardsOnly: true,
    put: (n) => [
      writeOf(commentsByDay, { ...comment(n), ...date(n), articleTitle: '', authorName: '' }),
      writeOf(buckets, { owner: EVERYBODY, list: commentsByDay.name, ...date(n) }),
    ],
    remove: (n) => [removalOf(commentsByDay, { ...date(n), commentId: commentId(n) })],
  },
  ofArticle('comments', commentsByArticle),
  ofArticle('authorComments', authorCommentsByArticle),
];

lists.push(...news);

/** How many items there are or will be; at first every second of them is in, and some months are empty. */
const MOST = 130;

const isFirst = (n: number) => n % 2 === 0 && (n < 60 || n > 66);

test('every connection of the schema is walked here', () => {
  expect(connectionsOf(createSchema()).filter((name) => !lists.some(({ field }) => field === name))).toEqual(
    [],
  );
});

interface Answered {
  readonly edges: readonly { cursor: string; node: { key: string } }[];
  readonly nodes: readonly { key: string }[];
  readonly pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string;
    endCursor: string;
  };
}

let server: Harness;

beforeAll(async () => {
  server = await startHarness();
  const all = Array.from({ length: MOST }, (_, n) => n);
  await server.store([
    person(OWNER, 'ada'),
    person('2', 'bo'),
    person('3', 'cy'),
    tweet(ORIGINAL, '2'),
    ...all.map(userRow),
  ]);
  const { query, params } = writeOf(articles, { ...article(0), articleId: ARTICLE });
  await server.database.write(query, params);
});

afterAll(() => server.close());

describe.each(lists.map((list) => [list.field, list] as const))(
  '%s',
  (field, { ask, put, remove, forwardsOnly }) => {
    const run = async (writes: readonly Write[]) => {
      for (const { query, params } of writes) await server.database.write(query, params);
    };
    const page = async (args: string): Promise<Answered> => {
      const { data, errors } = await server.query(ask(args));
      expect(errors).toEqual([]);
      const found = data as { list: Answered; user?: { list: Answered } };
      return (found.user ?? found).list;
    };

    const mark = { userId: OWNER, authorId: '3' };
    const isPulled = field.endsWith('pulled authors');
    beforeAll(() => run(isPulled ? [writeOf(pulledByUser, mark)] : []));
    afterAll(() => run(isPulled ? [removalOf(pulledByUser, mark)] : []));

    test.each(forwardsOnly ? (['first'] as const) : (['first', 'last'] as const))(
      'ten pages by %s join to the whole while items come and go in between',
      async (direction) => {
        const forwards = direction === 'first';
        const present = new Set<number>();
        const add = async (n: number) => {
          present.add(n);
          await run(put(n));
        };
        const drop = async (n: number) => {
          present.delete(n);
          await run(remove(n));
        };
        for (let n = 0; n < MOST; n++) await (isFirst(n) ? add(n) : drop(n));
        const always = new Set(present);

        const joined: number[] = [];
        let cursor: string | undefined;
        for (let turn = 0; turn < PAGES; turn++) {
          const after = cursor === undefined ? '' : `, ${forwards ? 'after' : 'before'}: "${cursor}"`;
          const { edges, nodes, pageInfo } = await page(`${direction}: ${PAGE}${after}`);
          const keys = edges.map(({ node }) => numberOf(node.key));
          expect(nodes).toEqual(edges.map(({ node }) => node));

          const at = joined.at(forwards ? -1 : 0) ?? (forwards ? Infinity : -Infinity);
          const ahead = [...present]
            .filter((n) => (forwards ? n < at : n > at))
            .sort((a, b) => (forwards ? b - a : a - b));
          const wanted = ahead.slice(0, PAGE);
          expect(keys).toEqual(forwards ? wanted : wanted.reverse());
          expect(forwards ? pageInfo.hasNextPage : pageInfo.hasPreviousPage).toBe(ahead.length > PAGE);
          const behind = [...present].some((n) => (forwards ? n >= at : n <= at));
          expect(forwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage).toBe(behind);
          expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([
            edges[0]?.cursor,
            edges.at(-1)?.cursor,
          ]);
          if (forwards) joined.push(...keys);
          else joined.unshift(...keys);
          cursor = forwards ? pageInfo.endCursor : pageInfo.startCursor;

          // In front of the place and behind it one comes, one goes; and, every other time, the very item that the cursor names goes.
          const here = joined.at(forwards ? -1 : 0) ?? 0;
          const step = forwards ? -1 : 1;
          await add(here - step * (2 * PAGE + 1));
          await add(here + step * 3);
          for (const gone of [...(turn % 2 === 0 ? [here] : []), here + step * 4, here - step * 4]) {
            always.delete(gone);
            await drop(gone);
          }
        }
        expect(joined).toHaveLength(PAGE * PAGES);
        expect(new Set(joined).size).toBe(joined.length);
        expect(joined).toEqual([...joined].sort((a, b) => b - a));
        const [newest = 0, oldest = 0] = [joined[0], joined.at(-1)];
        const within = [...always].filter((n) => n <= newest && n >= oldest);
        expect(within.filter((n) => !joined.includes(n))).toEqual([]);

        // When all that the pages held is gone, nothing stands behind the last of them; then that item alone does.
        const last = joined.at(forwards ? -1 : 0) ?? 0;
        for (const n of present) if (forwards ? n >= last : n <= last) await drop(n);
        const isBehind = async () => {
          const { pageInfo } = await page(
            `${direction}: 1, ${forwards ? 'after' : 'before'}: "${cursor ?? ''}"`,
          );
          return forwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
        };
        expect(await isBehind()).toBe(false);
        await add(last);
        expect(await isBehind()).toBe(true);
      },
    );
  },
);

test('equal moments and equal seconds are told apart by cursors', async () => {
  const [FIRST, SECOND] = ['4', '5'];
  const near = (milliseconds: number) => new Date(Date.UTC(2026, 0, 1) + milliseconds);
  // Many followed in one second, some in one millisecond; and the same people followed another in that second.
  const followed = Array.from({ length: 30 }, (_, n) => [
    { ...follow(idOf(n), FIRST), followedAt: near(Math.floor(n / 3) * 7) },
    { ...follow(idOf(n), SECOND), followedAt: near(Math.floor((29 - n) / 3) * 7 + 500) },
  ]).flat();
  await server.store([person(FIRST, 'dora'), person(SECOND, 'eve'), ...followed]);
  const list = (name: string, page: string) =>
    `${name}: user(username: "${name}") { list: followers(${page}) { edges { cursor node { userId } } } }`;
  type Both = Record<'dora' | 'eve', { list: { edges: { cursor: string; node: { userId: string } }[] } }>;
  const both = async (dora: string, eve: string) => {
    const { data, errors } = await server.query(`{ ${list('dora', dora)} ${list('eve', eve)} }`);
    expect(errors).toEqual([]);
    return data as Both;
  };
  const whole = await both('first: 100', 'first: 100');
  const keys = ({ list: { edges } }: Both['dora']) => edges.map(({ node }) => node.userId);
  expect(keys(whole.dora)).toEqual(Array.from({ length: 30 }, (_, n) => idOf(29 - n)));
  // Both pages begin after the same person, at moments of the same second.
  for (const [place, { cursor, node }] of whole.dora.list.edges.entries()) {
    const other = whole.eve.list.edges.findIndex((edge) => edge.node.userId === node.userId);
    const page = `first: 4, after: "${cursor}"`;
    const next = await both(page, `first: 4, after: "${whole.eve.list.edges[other]?.cursor ?? ''}"`);
    expect(keys(next.dora)).toEqual(keys(whole.dora).slice(place + 1, place + 5));
    expect(keys(next.eve)).toEqual(keys(whole.eve).slice(other + 1, other + 5));
  }
});
