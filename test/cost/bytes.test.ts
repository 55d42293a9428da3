import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { leastIdAt } from '../../src/kit/base/snowflake';
import { bytesAtMost } from '../../src/kit/cassandra/row-size';
import { groupsOf } from '../../src/kit/reads/read-group';
import { putAll, putRows } from '../../src/kit/writes/row-writer';
import { writeOf } from '../../src/kit/cassandra/write';
import { articles, comments } from '../../src/features/news/news.table';
import { tweetsByAuthor } from '../../src/features/tweet/tweet.lists';
import { MAX_RAW_BYTES, rawTweets } from '../../src/features/tweet/tweet.table';
import { buildArticleRows, commentOfDay, buildCommentRows } from '../../src/write/news/news-rows';
import { authorization, person, startHarness, tweet, type Harness } from '../support/harness';
import { codesOf } from '../support/mutations';

/** The default, which other tests turn off. */
const LIMIT_BYTES = 268_435_456;
const BODY = 'b'.repeat(1000);
const SAID = 'c'.repeat(500);
const START = Date.UTC(2020, 2, 1);
const moments = [0, 1, 2, 3].map((n) => new Date(START + n * 60_000));
const ids = moments.map(leastIdAt);
const nodeIds = ids.map((id) => encodeNodeId('Article', id));

let server: Harness;
beforeAll(async () => {
  server = await startHarness({ LIMIT_BYTES: String(LIMIT_BYTES) });
  await server.store([person('1', 'ada')]);
  const author = { userId: '1', name: 'The ada', description: null, at: 1 };
  for (const [n, publishedAt] of moments.entries()) {
    const articleId = ids[n] ?? '';
    const article = { articleId, authorId: '1', title: `title ${n}`, body: BODY, tags: [], publishedAt };
    const comment = { commentId: articleId, articleId, authorId: '1', body: SAID, createdAt: publishedAt };
    for (const { query, params } of [writeOf(articles, article), writeOf(comments, comment)])
      await server.database.write(query, params);
    await putAll(server.writeServices.bulk(), [
      ...buildArticleRows(article, author),
      ...buildCommentRows(comment, '1'),
    ]);
    await putRows(server.writeServices.bulk(), [commentOfDay(comment, { ...article, at: 1 }, author)]);
  }
});

const DAY = 'articlesOfDay(day: "2020-03-01")';
const COMMENTS = 'comments(from: "2020-03-01T00:00:00Z", to: "2020-03-02T00:00:00Z")';
const ONE = `article(id: "${nodeIds[0] ?? ''}")`;
const USED = 'used: viewer @include(if: $yes) { id } unused: viewer @include(if: $no) { id }';
const withVariables = (selection: string) =>
  `query ($yes: Boolean = true, $no: Boolean = false) { ${selection} ${USED} }`;

/** Queries, and how many bytes of texts of articles and of comments they read. */
const cases: readonly (readonly [string, number, number])[] = [
  [`${DAY} { pageInfo { hasNextPage } }`, 0, 0],
  [`${DAY} { nodes { __typename id title tags author { name } commentCount } edges { cursor } }`, 0, 0],
  [`${DAY} { nodes { body } }`, 4, 0],
  [`${DAY} { nodes { text: body } }`, 4, 0],
  [`${DAY} { edges { node { body } } }`, 4, 0],
  [`${DAY} { nodes { title } nodes { body } }`, 4, 0],
  [`${DAY} { ... { nodes { ... on Node { ... on Article { body } } } } }`, 4, 0],
  [`${DAY} { nodes { ... on Node { id __typename } } }`, 0, 0],
  [`${DAY} { nodes { title body @skip(if: true) } }`, 0, 0],
  [`${DAY} { nodes { title body @include(if: false) } }`, 0, 0],
  [`${DAY} { nodes { title body @include(if: $yes) } }`, 4, 0],
  [`${DAY} { nodes { title body @include(if: $no) } }`, 0, 0],
  [`${DAY} { nodes { title ... @skip(if: $yes) { body } } }`, 0, 0],
  [`${DAY} { nodes { title ... @skip(if: $no) { body @include(if: $yes) } } }`, 4, 0],
  [`${DAY} { nodes @include(if: $no) { body } edges { node { title } } }`, 0, 0],
  [`a: ${DAY} { nodes { title } } b: ${DAY} { nodes { body } }`, 4, 0],
  [`${DAY} { nodes { comments { nodes { id } } } }`, 0, 0],
  [`${DAY} { nodes { comments { nodes { body } } } }`, 0, 4],
  [`${DAY} { nodes { authorComments { edges { node { article { body } } } } } }`, 4, 0],
  [`${DAY} { nodes { author { articles { nodes { body } } } } }`, 4, 0],
  ['user(username: "ada") { articles { nodes { title } } }', 0, 0],
  ['user(username: "ada") { articles(last: 2) { nodes { body } } }', 3, 0],
  [`${COMMENTS} { nodes { id author { name } article { title } } }`, 0, 0],
  [`${COMMENTS} { nodes { body article { tags } } }`, 0, 4],
  [`${COMMENTS} { nodes { article { body } } }`, 4, 0],
  [`${ONE} { title }`, 0, 0],
  [`${ONE} { body }`, 1, 0],
  [`node(id: "${nodeIds[0] ?? ''}") { id ... on Article { title } ... on Comment { body } }`, 0, 0],
  [`node(id: "${nodeIds[0] ?? ''}") { ... on Article { body } }`, 1, 0],
  [`nodes(ids: ${JSON.stringify(nodeIds)}) { ... on Article { title } }`, 0, 0],
  [`nodes(ids: ${JSON.stringify(nodeIds)}) { ... on Article { body } }`, 4, 0],
  [
    `nodes(ids: ["${encodeNodeId('Comment', ids[0] ?? '')}", "${nodeIds[1] ?? ''}"]) { ... on Comment { body } }`,
    0,
    1,
  ],
];

/** The texts in an answer, however deep. */
function textsIn(value: unknown): string[] {
  if (value === BODY || value === SAID) return [value];
  return typeof value === 'object' ? Object.values(value ?? {}).flatMap(textsIn) : [];
}

interface Explained {
  readonly data: unknown;
  readonly errors?: unknown;
  readonly extensions: {
    readonly cost: { readonly bytes: number; readonly boundOfBytes: number };
    readonly explain: readonly { readonly table: string; readonly bytes: number }[];
  };
}

async function explain(source: string, variables: object = {}): Promise<Explained> {
  const { body } = await server.post(JSON.stringify({ query: source, variables }), null);
  return JSON.parse(body) as Explained;
}

test.each(cases)('%s reads texts only as asked', async (selection, ofArticles, ofComments) => {
  for (const query of [
    withVariables(selection),
    // The same by graphql-js, which runs what graphql-jit might answer wrongly.
    withVariables(`${selection} skipped: viewer @include(if: $no) { id } skipped: viewer { id }`),
  ]) {
    const { data, errors, extensions } = await explain(query);
    expect(errors).toBeUndefined();
    const read = (pattern: RegExp) =>
      extensions.explain.reduce((sum, { table, bytes }) => sum + (pattern.test(table) ? bytes : 0), 0);
    const about = (bytes: number, size: number) => Math.floor(bytes / size);
    expect(about(read(/^articles/), BODY.length)).toBe(ofArticles);
    expect(about(read(/comments/), SAID.length)).toBe(ofComments);
    expect(textsIn(data).length > 0).toBe(ofArticles + ofComments > 0);
    expect(extensions.cost.bytes).toBeLessThanOrEqual(extensions.cost.boundOfBytes);
  }
});

test.each([
  `${DAY} { nodes { title body @include(if: $wanted) } }`,
  `${DAY} { nodes { title ... @include(if: $wanted) { body } } }`,
  `${DAY} { nodes { ...A } } } fragment A on Article { title body @include(if: $wanted)`,
])('a document that is asked again with other variables reads what these ask for: %s', async (selection) => {
  const wanted = [true, false, true, false];
  for (const isWanted of wanted) {
    const source = `query ($wanted: Boolean!) { ${selection} }`;
    const { data, extensions } = await explain(source, { wanted: isWanted });
    expect(textsIn(data)).toHaveLength(isWanted ? 4 : 0);
    expect(extensions.cost.bytes > 4 * BODY.length).toBe(isWanted);
  }
});

test('the same texts come whether they stand in fragments, edges, nodes or variables', async () => {
  const answers = await Promise.all(
    [
      `{ ${DAY} { edges { node { id title body } } } }`,
      `query ($b: Boolean = true) { ${DAY} { edges { node { ...A } } } } fragment A on Article { id title ...B } fragment B on Node { ... on Article { body @include(if: $b) } }`,
    ].map((source) => explain(source)),
  );
  expect(answers[1]?.data).toEqual(answers[0]?.data);
  expect(textsIn(answers[0]?.data)).toHaveLength(4);
});

const aliases = (count: number, field: string) =>
  `{ ${Array.from({ length: count }, (_, n) => `a${n}: ${field}`).join(' ')} }`;
const pageOf = (list: string, first: number) => list.replace(/\(/, `(first: ${first}, `);

test('a page of the largest articles may be asked for, and a hundred pages without their texts', async () => {
  for (const source of [
    `{ ${pageOf(DAY, 100)} { nodes { body author { name description } comments(first: 5) { nodes { body } } } } }`,
    aliases(100, `${pageOf(DAY, 100)} { pageInfo { hasNextPage } }`),
    `{ ${pageOf(COMMENTS, 100)} { nodes { body article { body } } } }`,
    '{ tweetsOfDay(day: "2020-03-01", first: 100) { nodes { content raw author { name description } } } }',
    '{ user(username: "ada") { tweets(first: 100) { nodes { content quotedTweet { content } } } timeline: followers(first: 100) { nodes { name description } } } }',
  ])
    expect((await explain(source)).errors).toBeUndefined();
});

test.each([
  ['articles', aliases(100, `${pageOf(DAY, 100)} { nodes { body } }`)],
  [
    'articles by edges and a fragment',
    `${aliases(100, `${pageOf(DAY, 100)} { ...P }`)} fragment P on ArticleConnection { edges { node { body } } }`,
  ],
  [
    'articles by ids',
    aliases(
      100,
      `nodes(ids: ${JSON.stringify(Array.from({ length: 25 }, () => nodeIds[0]))}) { ... on Article { body } }`,
    ),
  ],
  ['comments', aliases(100, `${pageOf(COMMENTS, 100)} { nodes { body } }`)],
  ['articles of comments', aliases(30, `${pageOf(COMMENTS, 100)} { nodes { article { body } } }`)],
  ['records of tweets', aliases(3, 'tweetsOfDay(day: "2020-03-01", first: 100) { nodes { raw } }')],
  ['tweets', aliases(50, 'tweetsOfDay(day: "2020-03-01", first: 100) { nodes { content } }')],
])('too many large %s are refused before anything is read', async (_what, query) => {
  const { errors, reads, status } = await server.query(query, {}, null);
  expect([status, reads]).toEqual([400, []]);
  expect(errors).toMatchObject([
    {
      message: expect.stringMatching(
        /^A query may read at most 268435456 bytes, but this one could read \d+, of which [\w.]+ could read \d+: ask for smaller pages or fewer fields\.$/,
      ) as string,
      extensions: { code: 'QUERY_TOO_LARGE' },
    },
  ]);
});

test('what may have more than 8 MiB is read in several requests, because all other answers wait while one is decoded', () => {
  const groupSizes = (keys: Parameters<typeof groupsOf>[1]) => {
    const groups = groupsOf(server.database, keys);
    expect(groups.flat().toSorted((a, b) => a - b)).toEqual(keys.map((_, index) => index));
    return groups.map(({ length }) => length);
  };
  const pages = (count: number, limit: number) =>
    Array.from({ length: count }, (_, n) => {
      const key = { authorId: String(n), bucket: 0, limit };
      return { bound: tweetsByAuthor.page.bind(key), bytes: bytesAtMost(tweetsByAuthor.page.size, key) };
    });
  const records = Array.from({ length: 20 }, (_, n) => {
    const key = { tweetId: String(n) };
    return { bound: rawTweets.get.bind(key), bytes: bytesAtMost(rawTweets.get.size, key) };
  });
  // Pages of 25 tweets have 2 MB each at most, of 200 more than one request may have, and a record has 1 MiB.
  expect(groupSizes(pages(10, 26))).toEqual([3, 3, 3, 1]);
  expect(groupSizes(pages(3, 201))).toEqual([2, 1]);
  expect(groupSizes(records)).toEqual([7, 7, 6]);
});

test('a text of an article has at most 100,000 bytes of UTF-8, whatever its characters are', async () => {
  const article = (body: string) => codesOf(server, '1', 'publishArticle', { input: { title: 't', body } });
  for (const character of ['x', 'é', '語', '😀']) {
    const length = Buffer.byteLength(character);
    // 50,000 graphemes are allowed, so letters of one byte are joined by combining marks.
    const most = Math.min(Math.floor(100_000 / length), 50_000);
    const longest = character.repeat(most);
    expect(await article(longest)).toEqual([]);
    if (length > 2) expect(await article(`${longest}${character}`)).toEqual(['BAD_USER_INPUT']);
  }
  const { errors, reads } = await server.query(
    'mutation ($b: String!) { publishArticle(input: { title: "t", body: $b }) { article { id } } }',
    { b: '語'.repeat(33_334) },
    '1',
  );
  expect(errors.map(({ message }) => message)).toEqual([
    'publishArticle.input.body must be at most 100000 bytes of UTF-8, but got 100002.',
  ]);
  expect(reads).toEqual([]);
});

describe('the points of a caller', () => {
  const RAW = JSON.stringify('x'.repeat(MAX_RAW_BYTES - 2));
  let limited: Harness;
  beforeAll(async () => {
    await server.store([tweet('900', '1', 0, { raw: RAW })]);
    limited = await startHarness({ RATE_POINTS_PER_MINUTE: '200' }, server);
  });
  afterAll(() => limited.close());

  /** Asks, and tells how many points are left; or which codes the errors have. */
  const left = async (who: string, query: string, variables: object = {}) => {
    const { headers, body } = await limited.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json', authorization: await authorization(who) },
      payload: JSON.stringify({ query, variables }),
    });
    const { errors } = JSON.parse(body) as { errors?: { extensions: { code: string } }[] };
    if (errors) return errors.map(({ extensions: { code } }) => code);
    return Number(/"points";r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
  };

  /** Points come back, some three a second. */
  const expectAbout = (points: unknown, expected: number) => {
    expect(points).toBeGreaterThanOrEqual(expected);
    expect(points).toBeLessThanOrEqual(expected + 25);
  };

  test('are spent on the bytes that it reads: 16 KiB each', async () => {
    const two = '{ tweet(tweetId: "900") { id } user(username: "ada") { id } }';
    // Besides, it finds out who asks, and what is hidden from that person.
    expectAbout(await left('2', two), 200 - 2 - 4);
    const raw = '{ tweet(tweetId: "900") { raw } }';
    // The record, and the tweet itself.
    for (const n of [1, 2, 3]) expectAbout(await left('3', raw), 200 - n * 65);
    // What one may not pay for is noticed when it is read.
    expect(await left('3', raw)).toEqual(['RATE_LIMITED']);
  });

  test('are spent on the bytes that it sends to be stored: a KiB each', async () => {
    const publish =
      'mutation ($b: String!) { publishArticle(input: { title: "t", body: $b }) { article { id } } }';
    expectAbout(await left('1', publish, { b: 'short' }), 200 - 5);
    expectAbout(await left('1', publish, { b: 'é'.repeat(40 * 512) }), 200 - 10 - 40);
    // A query stores nothing, however long it is.
    expectAbout(await left('4', `{ __typename } # ${'x'.repeat(50_000)}`), 199);
  });
});
