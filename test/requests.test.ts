import { getNamedType, isObjectType } from 'graphql';
import { createSchema } from '../src/schema';
import type { Read } from '../src/kit/load';
import type { Write } from '../src/kit/cassandra/database';
import { buckets, dayOf, EVERYBODY, monthOf } from '../src/kit/relay/buckets';
import { encodeNodeId } from '../src/kit/relay/node';
import { leastIdAt } from '../src/kit/worker';
import { writeOf } from '../src/kit/write';
import { likesByTweet, likesByUser } from '../src/like/like.table';
import { articleCounts, articles, comments } from '../src/news/news.table';
import { articleRowsOf, commentOfDay, commentRowsOf } from '../src/news/rows';
import { rankings } from '../src/ranking/ranking.table';
import { DAY_SHARDS, repliesByTweet } from '../src/tweet/tweet.table';
import { follow, person, startHarness, tweet, type Answer, type Harness } from './harness';
import {
  directionsOf,
  fieldsOf,
  firstOf,
  isConnection,
  placesOf,
  simple,
  waysOf,
  type Given,
} from './places';

/** How many items the outermost list of a query has, few and many, and each list below it. */
const FEW = 2;
const MANY = 12;
const NESTED = 3;

// The seed: everybody follows everybody, half of it in January and half in February, and posts in both months, each time
// a reply, quote and share at once, of tweets by people whom nobody follows; those are replied to and liked in both. A page
// of MANY stands in one month at either end of each list of the first user and the first tweet, a page of NESTED in those
// of the others.
const PEOPLE = 2 * (MANY + 2);
const userOf = (n: number) => String(1 + n);
const newestOf = (n: number) => String(200_001 + n);
const postsAMonth = (n: number) => (n === 0 ? MANY + 2 : NESTED + 2);
const everyone = Array.from({ length: PEOPLE }, (_, n) => n);
const seed = everyone.flatMap((n) => [
  person(userOf(n), `user${String(n)}`),
  ...everyone
    .filter((other) => other !== n)
    .map((other) => follow(userOf(n), userOf(other), n + other + (((n + other) % 2) * 31 + 5) * 1440)),
  person(String(101 + n), `old${String(n)}`),
  // Liked by one each, so that they are found among the most liked.
  ...Array.from({ length: 10 }, (_, k) =>
    tweet(String(1000 + 100 * k + n), String(101 + n), -60, { likeCount: 1 }),
  ),
  ...Array.from({ length: 2 * postsAMonth(n) }, (_, k) => {
    const original = (shift: number) =>
      String(1000 + 100 * (k % 10) + ((n + shift + Math.floor(k / 10)) % PEOPLE));
    return tweet(
      String((k % 2 === 0 ? 200_001 : 100_001) + n - 100 * Math.floor(k / 2)),
      userOf(n),
      k % 2 === 0 ? 41 : 5,
      {
        inReplyToId: original(1),
        quotedTweetId: original(2),
        sharedTweetId: original(3),
        location: { latitude: 1, longitude: 2 },
        hashtags: ['seen'],
      },
    );
  }),
]);
/** What trends now, each hashtag a few times, and what is in many places. */
const trends = Array.from({ length: MANY + 2 }, (_, tag) =>
  Array.from({ length: NESTED + 2 }, (__, k) =>
    tweet(String(300_000 + 100 * tag + k), String(201 + k), 0, {
      createdAt: new Date(),
      hashtags: [`trend${tag}`],
      location: { latitude: 40 + tag / 10, longitude: 40 },
    }),
  ),
).flat();

const posts = seed.flatMap((record) =>
  record.kind === 'tweet' && record.sharedTweetId !== undefined ? record : [],
);
const months = [5, 41].map((day) => new Date(Date.UTC(2026, 0, 1 + day)));

/** Likes and replies as rows: by acts they would take minutes. */
function rowsOfActs(): Write[] {
  const first = posts.find(({ tweetId }) => tweetId === newestOf(0))?.sharedTweetId;
  const originals = [...new Set(posts.map(({ sharedTweetId = '' }) => sharedTweetId))];
  const some = (count: number, from: number) => Array.from({ length: count }, (_, n) => from * 7 + n * 11);
  const countOf = (isFirst: boolean) => (isFirst ? MANY + 2 : NESTED + 2);
  return months.flatMap((month) => {
    const [bucket, date] = [monthOf(month), dayOf(month)];
    const posted = posts.filter(({ createdAt }) => monthOf(createdAt) === bucket);
    const post = (n: number) => posted[n % posted.length] ?? tweet('1', '1');
    const likedAt = (n: number) => new Date(Number(month) + n * 1000);
    const ofTweets = originals.flatMap((tweetId, place) => [
      writeOf(buckets, { owner: tweetId, list: likesByTweet.name, bucket: date }),
      writeOf(buckets, { owner: tweetId, list: repliesByTweet.name, bucket }),
      ...some(countOf(tweetId === first), place).flatMap((n) => {
        const userId = userOf(n % PEOPLE);
        const { author, createdAt, ...reply } = post(n);
        return [
          writeOf(likesByTweet, { tweetId, bucket: date, likedAt: likedAt(n), userId }),
          writeOf(repliesByTweet, {
            ...reply,
            bucket,
            createdAt,
            authorId: author.userId ?? '',
            inReplyToId: tweetId,
          }),
        ];
      }),
    ]);
    const ofUsers = everyone.flatMap((user) => [
      writeOf(buckets, { owner: userOf(user), list: likesByUser.name, bucket }),
      ...some(countOf(user === 0), user).map((n) =>
        writeOf(likesByUser, {
          userId: userOf(user),
          bucket,
          likedAt: likedAt(n),
          // Of others: whose list it is has been read already.
          tweetId: post(n + 20).tweetId,
        }),
      ),
    ]);
    return [...ofTweets, ...ofUsers];
  });
}

/** Rankings of one month, with everybody in each. */
function rowsOfRankings(): Write[] {
  const scores = everyone.map((n) => PEOPLE - n);
  const ranked = {
    accounts: everyone.map(userOf),
    accountScores: scores,
    followers: everyone.map(userOf),
    followerScores: scores,
  };
  return Array.from({ length: MANY + 2 }, (_, n) => new Date(Date.UTC(2026, 1, 1 + n))).flatMap((takenAt) => {
    const bucket = monthOf(takenAt);
    const month = { owner: EVERYBODY, list: rankings.name, bucket };
    return [writeOf(buckets, month), writeOf(rankings, { bucket, takenAt, ...ranked })];
  });
}

/** The id of the kth article or comment, of those that a user has in a month. */
const newsId = (month: Date, user: number, k: number) =>
  String(BigInt(leastIdAt(new Date(Number(month) + k * 1000))) + BigInt(user));
const newest = months.at(-1) ?? new Date(0);

/** The comments on the first article in the newest month that are not its author's: each by somebody else. */
const firstComments: string[] = [];

/** Everybody's articles of both months, with comments in both, of which each other one is by the author. */
function rowsOfNews(): Write[] {
  const countOf = (isFirst: boolean) => (isFirst ? MANY + 2 : NESTED + 2);
  const copied = (userId: string) => ({ userId, name: 'Name', description: null, at: 1 });
  let number = 0;
  return months.flatMap((published) =>
    everyone.flatMap((user) =>
      Array.from({ length: countOf(user === 0) }, (_, k) => {
        const articleId = newsId(published, user, k);
        const publishedAt = new Date(Number(published) + k * 1000);
        const authorId = userOf(user);
        const article = { articleId, authorId, title: 'Title', body: '', tags: [], publishedAt };
        const isFirst = user === 0 && k === 0 && published === newest;
        const said = months.flatMap((month) =>
          Array.from({ length: 2 * countOf(isFirst) }, (__, c) => {
            const createdAt = new Date(Number(month) + 60_000 + number);
            const commentId = leastIdAt(createdAt);
            number++;
            const by = c % 2 === 0 ? authorId : userOf((user + c) % PEOPLE);
            if (isFirst && month === newest && c % 2 === 1) firstComments.push(commentId);
            return { commentId, articleId, authorId: by, body: '', createdAt };
          }),
        );
        const lists = [
          articleRowsOf(article, copied(authorId)),
          ...said.flatMap((comment) => [
            commentRowsOf(comment, authorId),
            commentOfDay(comment, { ...article, at: 1 }, copied(comment.authorId)),
          ]),
        ];
        return [
          writeOf(articles, article),
          writeOf(articleCounts, { articleId, comments: said.length }),
          ...said.map((comment) => writeOf(comments, comment)),
          ...lists.flatMap(({ writes }) => writes),
          ...lists.flatMap((list) => list.months.map((month) => writeOf(buckets, month))),
        ];
      }).flat(),
    ),
  );
}

const news = rowsOfNews();
const ids: Readonly<Record<string, (n: number) => string>> = {
  User: userOf,
  Tweet: newestOf,
  Article: (n) => newsId(newest, n, 0),
  Comment: (n) => firstComments[n] ?? '',
};
const nodeId = (type: string, n: number) => encodeNodeId(type, ids[type]?.(n) ?? '');
const given: Given = {
  'Query.node(id:)': (type) => JSON.stringify(nodeId(type, 0)),
  'Query.nodes(ids:)': (type, size) => JSON.stringify(everyone.slice(0, size).map((n) => nodeId(type, n))),
  'Query.article(id:)': () => JSON.stringify(nodeId('Article', 0)),
  'Query.articlesOfDay(day:)': () => '"2026-02-11"',
  'Query.comments(from:)': () => '"2026-02-01T00:00:00Z"',
  'Query.comments(to:)': () => '"2026-03-01T00:00:00Z"',
  'Query.tweet(tweetId:)': () => JSON.stringify(newestOf(0)),
  'Query.tweetsOfDay(day:)': () => '"2026-02-11"',
  'Query.user(username:)': () => '"user0"',
  'Query.userByTwitterAccount(twitterAccount:)': () => '"user0"',
  'Query.searchTweets(words:)': () => '["tweet"]',
  'Query.hashtag(name:)': () => '"#Seen"',
  'Query.tweetFrequency(from:)': () => '"2026-02-11T00:00:00Z"',
  'Query.tweetFrequency(to:)': (_, size) => JSON.stringify(new Date(Date.UTC(2026, 1, 11, 0, size))),
  'Query.tweetsInArea(area:)': () => '{ south: 0.5, west: 1.5, north: 1.5, east: 2.5 }',
  'Query.tweetsInArea(from:)': () => '"2026-02-01T00:00:00Z"',
  'Query.tweetsInArea(to:)': () => '"2026-03-01T00:00:00Z"',
  'Query.rankings(kind:)': () => 'TOP_FOLLOWERS',
  'Query.rankings(from:)': () => '"2026-02-01T00:00:00Z"',
  'Query.rankings(to:)': () => '"2026-03-01T00:00:00Z"',
  'Query.tweetHeatmap(area:)': () => '{ south: 40, west: 39.5, north: 41.5, east: 40.5 }',
  'Query.tweetHeatmap(from:)': () => JSON.stringify(new Date(Date.now() - 86_400_000)),
  'Query.tweetHeatmap(to:)': () => JSON.stringify(new Date(Date.now() + 86_400_000)),
};

/** Lists whose bucket is more than one partition. */
const partitionsOfBucket: Readonly<Record<string, number>> = { 'Query.tweetsOfDay': DAY_SHARDS };

const schema = createSchema();
const { root, stepsFrom, call, ask } = placesOf(schema, given, NESTED);
const ofType = ({ type }: { type: { name: string } }) => type.name;
/** One way to each type without a list around it, every way into one list, and one further from there. */
const single = firstOf(
  stepsFrom(root).filter(({ lists }) => lists === 0),
  ofType,
);
/** The way through edges shares its code with the way through nodes: it is tried from the front of a list only. */
const isRepeated = (path: string) => path.includes('(last)') && path.includes('edges.node');
const listed = [root, ...single]
  .flatMap(stepsFrom)
  .filter(({ lists, path }) => lists === 1 && !isRepeated(path));
const linked = firstOf(listed, ofType)
  .flatMap(stepsFrom)
  .filter(({ lists }) => lists === 1);
const isMixed = (path: string) => {
  const [outer, inner] = [...path.matchAll(/\)\.(nodes|edges\.node)/g)].map(([, way]) => way);
  return inner !== undefined && outer !== inner;
};
/** Every list in a list, the inner one by the same way to its items as the outer. */
const nested = firstOf(
  [...firstOf([...listed, ...linked], ofType), ...listed]
    .flatMap(stepsFrom)
    .filter(({ lists, path }) => lists === 2 && !isMixed(path)),
  ({ path }) => path,
);

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([...seed, ...trends]);
  const bulk = server.writing.bulk();
  for (const write of [...rowsOfActs(), ...rowsOfRankings(), ...news]) await bulk.put(write);
  await bulk.flush();
});
afterAll(() => server.close());

async function answerTo(source: string): Promise<Answer> {
  const answer = await server.query(source);
  if (answer.errors.length > 0) throw new Error(`${source}\n${JSON.stringify(answer.errors)}`);
  return answer;
}

/** The statements that take more requests for many items than for few. */
async function grown(source: (size: number) => string): Promise<string[]> {
  const few = (await answerTo(source(FEW))).reads;
  const many = (await answerTo(source(MANY))).reads;
  // Many keys go out in requests of a hundred: of those that are full, only the last counts.
  const requests = (reads: readonly Read[], name: string) =>
    reads.filter(({ statement, keys }) => statement === name && keys !== 100);
  return [...new Set(many.map(({ statement }) => statement))].flatMap((name) => {
    const [before, after] = [requests(few, name), requests(many, name)];
    if (after.length <= before.length) return [];
    const askers = [...new Set(after.flatMap(({ paths }) => paths))].join(', ');
    return `${name}: ${before.length} requests for ${FEW} items, ${after.length} for ${MANY}, asked by ${askers}`;
  });
}

/** The requests for pages of a list, less what tells which partitions to read. */
function pagesOf(reads: readonly Read[]): Read[] {
  return reads.filter(
    ({ statement, table }) => statement.endsWith('.page') && !['buckets', 'pulled_by_user'].includes(table),
  );
}

test('the walk reaches every object type but those that mutations answer', () => {
  const reached = [root, ...single, ...listed, ...linked].map(({ type }) => type);
  const pages = reached.flatMap(fieldsOf).map(({ type }) => getNamedType(type));
  const within = pages
    .filter(isConnection)
    .flatMap(fieldsOf)
    .map(({ type }) => getNamedType(type));
  const mutation = schema.getMutationType();
  const payloads = mutation ? fieldsOf(mutation).map(({ type }) => getNamedType(type)) : [];
  const known = [...reached, ...pages, ...within, mutation, ...payloads];
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  expect(types.filter((type) => !type.name.startsWith('__') && !known.includes(type))).toEqual([]);
});

test('each list of the schema has items in the seed of this test', async () => {
  const short: string[] = [];
  for (const place of [...listed, ...nested]) {
    const items =
      JSON.stringify((await answerTo(place.around('__typename', MANY))).data).split('__typename').length - 1;
    if (items < (place.lists === 1 ? MANY : MANY * NESTED)) short.push(`${place.path} has ${items} items`);
  }
  expect(short).toEqual([]);
});

test.each([...listed, ...linked].map((place) => [place.path, place] as const))(
  'no field below %s takes a request per item',
  async (_path, place) => {
    const wrong: string[] = [];
    const fields = waysOf(place.type);
    // All at once, which is much faster; one by one where that does not show that all is well.
    if ((await grown((size) => ask(place, fields, size))).length > 0)
      for (const [field, direction] of fields)
        for (const line of await grown((size) => ask(place, [[field, direction]], size)))
          wrong.push(`${field.name} (${direction}): ${line}`);
    expect(wrong).toEqual([]);
  },
);

test.each(listed.map(({ path }) => path))(
  'nothing below a list in %s takes a request per item',
  async (outer) => {
    const wrong: string[] = [];
    for (const place of nested.filter(({ path }) => path.startsWith(`${outer}.`)))
      for (const line of await grown((size) => place.around(simple(place.type, 1), size)))
        wrong.push(`${place.path}: ${line}`);
    expect(wrong).toEqual([]);
  },
);

test('each list in a list is among those', () => {
  expect(nested.filter(({ path }) => !listed.some((outer) => path.startsWith(`${outer.path}.`)))).toEqual([]);
});

const lists = [root, ...single].flatMap((place) =>
  fieldsOf(place.type)
    .filter(({ type }) => isConnection(getNamedType(type)))
    .flatMap((field) =>
      directionsOf(field).map(
        (direction) => [`${place.type.name}.${field.name}`, direction, place, field] as const,
      ),
    ),
);

test.each(lists)(
  'a page of %s (%s) reads one partition for each bucket walked, in one request',
  async (name, direction, place, field) => {
    const page = `${call(place, field, MANY, undefined, direction)} { edges { cursor } }`;
    const pages = pagesOf((await answerTo(place.around(page, MANY))).reads);
    expect(pages.map(({ partitions }) => partitions)).toEqual([partitionsOfBucket[name] ?? 1]);
  },
);

// The last of the file: each of them begins with nothing.
describe('lists that walk different months', () => {
  const MONTHS = 4;
  const source = (size: number, direction: string) =>
    `{ user(username: "user0") { following(first: ${size}) { nodes { tweets(${direction}: 6) { nodes { id } } } } } }`;
  /** Twelve authors; which of them posted how often in a month. */
  async function requestsFor(posts: (author: number, month: number) => number): Promise<number[]> {
    await server.empty();
    await server.store([
      ...everyone.slice(0, 13).map((n) => person(userOf(n), `user${String(n)}`)),
      ...everyone
        .slice(1, 13)
        .flatMap((n) => [
          follow(userOf(0), userOf(n), n),
          ...Array.from({ length: MONTHS }, (_, month) =>
            Array.from({ length: posts(n, month) }, (__, k) =>
              tweet(String(1000 + month * 1000 + n * 10 + k), userOf(n), month * 31),
            ),
          ).flat(),
        ]),
    ]);
    const counts: number[] = [];
    for (const direction of ['first', 'last']) {
      const { reads, errors } = await server.query(source(12, direction));
      expect(errors).toEqual([]);
      counts.push(reads.filter(({ table }) => table === 'tweets_by_author').length);
    }
    return counts;
  }

  test('take one request a month when they find different numbers of rows in it', async () => {
    expect(await requestsFor((author) => 1 + (author % 5))).toEqual([MONTHS, MONTHS]);
  });

  test('take requests by the month, not by the list, when they have different months', async () => {
    const steps = Math.ceil(Math.log2(MONTHS + 1));
    for (const requests of await requestsFor((author, month) => (author % MONTHS === month ? 0 : 2)))
      expect(requests).toBeLessThanOrEqual(MONTHS * steps);
  });
});
