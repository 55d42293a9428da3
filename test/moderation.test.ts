import { encodeNodeId } from '../src/kit/graphql/global-id';
import { hideUsers } from '../src/kit/reads/hidden-users';
import { listSuspended, lookAt } from '../src/write/moderation/look';
import { follow, person, startHarness, tweet as tweetRecord, type Harness } from './support/harness';
import {
  act,
  ask,
  codesOf,
  post,
  put,
  send,
  type Mutation,
  type Person,
  type Posted,
  type Variables,
} from './support/mutations';

let server: Harness;
let other: Harness;
const people = new Map<string, Person>();
const idOf = (name: string) => ({ id: people.get(name)?.id ?? '' });
const who = (name: string) => people.get(name)?.userId ?? '';
let tweet: Posted;
let reply: Posted;
let article: string;
let share: Posted;

const REASON = 'Sells what must not be sold';
const AREA = '{ south: 40, west: 10, north: 50, east: 20 }';

beforeAll(async () => {
  server = await startHarness();
  other = await startHarness({ CACHE_SECONDS: '2' }, server);
  for (const username of ['spammer', 'ada', 'bo'])
    people.set(username, await put(server, 'service', 'createUser', { username, name: `The ${username}` }));
  await act(server, who('ada'), 'followUser', idOf('spammer'));
  await act(server, who('spammer'), 'followUser', idOf('ada'));
  const content = 'Wonderful pills #pills';
  const location = { latitude: 48, longitude: 16, country: 'Austria' };
  tweet = await post(server, who('spammer'), { content, location });
  const adas = await post(server, who('ada'), { content: 'A question #pills' });
  reply = await post(server, who('spammer'), { content: 'Buy pills', inReplyTo: adas.id });
  await act(server, who('spammer'), 'likeTweet', { id: adas.id });
  await post(server, who('ada'), { content: 'Look at this', quotes: tweet.id });
  await act(server, who('ada'), 'followUser', idOf('bo'));
  const shared = `mutation { shareTweet(id: "${tweet.id}") { share { id tweetId } } }`;
  ({ share } = ((await ask(server, shared, who('bo'))) as { shareTweet: { share: Posted } }).shareTweet);
  const { article: published } = (await act(server, who('spammer'), 'publishArticle', {
    input: { title: 'Pills for all', body: 'A text' },
  })) as { article: { id: string } };
  article = published.id;
  await act(server, who('bo'), 'addComment', { input: { articleId: article, body: 'No' } });
  const { article: own } = (await act(server, who('ada'), 'publishArticle', {
    input: { title: 'Weather', body: 'A text' },
  })) as { article: { id: string } };
  await act(server, who('spammer'), 'addComment', { input: { articleId: own.id, body: 'Pills are good' } });
  await server.writeServices.outbox.idle();
});

/** Everything that shows the spammer or what the spammer has made, by the way that leads there. */
async function found(on: Harness): Promise<string[]> {
  const now = Date.now();
  const [from, to] = [now - 3_600_000, now + 3_600_000].map((time) => JSON.stringify(new Date(time)));
  const day = new Date().toISOString().slice(0, 10);
  const period = `from: ${from}, to: ${to}`;
  const of = (name: string) => `user(username: "${name}")`;
  const asked = {
    user: `${of('spammer')} { username }`,
    node: `node(id: "${people.get('spammer')?.id}") { ... on User { username } }`,
    nodeTweet: `node(id: "${tweet.id}") { ... on Tweet { content author { username } } }`,
    nodeArticle: `node(id: "${article}") { ... on Article { title author { username } } }`,
    tweet: `tweet(tweetId: "${tweet.tweetId}") { content author { username } }`,
    article: `article(id: "${article}") { title author { username } }`,
    tweetsOfDay: `tweetsOfDay(day: "${day}") { nodes { content author { username } } }`,
    articlesOfDay: `articlesOfDay(day: "${day}") { nodes { title author { username } } }`,
    comments: `comments(${period}) { nodes { body author { username } } }`,
    articleOfComment: `comments(${period}) { nodes { article { author { username } } } }`,
    articleComments: `${of('ada')} { articles { nodes { comments { nodes { body author { username } } } } } }`,
    search: 'searchTweets(words: ["pills"]) { nodes { author { username } } }',
    searchLiked: 'searchTweets(words: ["pills"], order: MOST_LIKED) { nodes { author { username } } }',
    hashtag: 'hashtag(name: "pills") { tweets { nodes { author { username } } } }',
    area: `tweetsInArea(area: ${AREA}, ${period}) { nodes { author { username } } }`,
    timeline: `${of('ada')} { timeline { nodes { author { username } } } }`,
    timelineLiked: `${of('ada')} { timeline(order: MOST_LIKED) { nodes { author { username } } } }`,
    backwards: `${of('ada')} { timeline(last: 5) { edges { node { author { username } } } } }`,
    followers: `${of('ada')} { followers { nodes { username } edges { node { username } } } }`,
    following: `${of('ada')} { following { nodes { username } } }`,
    likers: `${of('ada')} { tweets(last: 1) { nodes { likers { nodes { username } } } } }`,
    replies: `${of('ada')} { tweets(last: 1) { nodes { replies { nodes { author { username } } } } } }`,
    repliesLiked: `${of('ada')} { tweets(last: 1) { nodes { replies(order: MOST_LIKED) { nodes { author { username } } } } } }`,
    quoted: `${of('ada')} { tweets { nodes { quotedTweet { author { username } } } } }`,
    share: `tweet(tweetId: "${share.tweetId}") { content }`,
    shareNode: `node(id: "${share.id}") { ... on Tweet { content } }`,
    sharesOfUser: `${of('bo')} { tweets { nodes { content } } }`,
    sharesOfDay: `tweetsOfDay(day: "${day}") { nodes { content sharedTweet { tweetId } } }`,
    timelineOfShares: `${of('ada')} { timeline { nodes { content sharedTweet { tweetId } } } }`,
    sharesFound: 'searchTweets(words: ["wonderful"]) { nodes { content } }',
    replied: `tweet(tweetId: "${reply.tweetId}") { inReplyTo { content } author { username } }`,
  };
  const ways: string[] = [];
  for (const [way, query] of Object.entries(asked)) {
    const { data, errors } = await on.query(
      `{ ${query} }`,
      {},
      way.startsWith('timeline') ? who('ada') : 'service',
    );
    expect([way, errors]).toEqual([way, []]);
    // Shares by others show the text without the name.
    if (/"spammer"|Wonderful/.test(JSON.stringify(data))) ways.push(way);
  }
  return ways;
}

/** How many ways lead to the spammer. */
const WAYS = 31;

const suspend = (on: Harness, name: Mutation, user = idOf('spammer').id) =>
  send(on, 'service', name, { id: user, reason: REASON });

test('a suspended user is in no answer of any server, and in all again afterwards', async () => {
  const before = await found(server);
  expect(before).toHaveLength(WAYS);
  expect((await suspend(server, 'suspendUser')).errors).toEqual([]);
  expect(await found(server)).toEqual([]);
  await other.writeServices.suspensions.look();
  expect(await found(other)).toEqual([]);
  // A server that starts later knows it from the beginning.
  const later = await startHarness({}, server);
  expect(await found(later)).toEqual([]);
  // Others are still shown, and counts are facts.
  const { data } = await server.query(
    '{ user(username: "ada") { followerCount followers { nodes { username } hiddenCount } } }',
  );
  expect(data).toEqual({ user: { followerCount: 1, followers: { nodes: [], hiddenCount: 1 } } });
  const quoting = '{ user(username: "ada") { tweets { nodes { quotedTweetHiddenReason } } } }';
  expect(JSON.stringify((await server.query(quoting)).data)).toContain('"DELETED"');
  expect((await suspend(other, 'unsuspendUser')).errors).toEqual([]);
  await server.writeServices.suspensions.look();
  expect(await found(server)).toEqual(before);
});

test('a page counts what it leaves out because its user is suspended, so that counts explain themselves', async () => {
  const [from, to] = ['2020', '2040'].map((year) => `"${year}-01-01T00:00:00Z"`);
  const day = new Date().toISOString().slice(0, 10);
  const ada = (field: string) => `user(username: "ada") { ${field} }`;
  const adas = (field: string) => ada(`tweets(last: 1) { nodes { ${field} } }`);
  const lists = [
    ada('on: followers { hiddenCount }'),
    ada('on: following { hiddenCount }'),
    ada('on: timeline { hiddenCount }'),
    ada('on: timeline(order: MOST_LIKED) { hiddenCount }'),
    adas('on: likers { hiddenCount }'),
    adas('on: replies { hiddenCount }'),
    adas('on: replies(order: MOST_LIKED) { hiddenCount }'),
    ada('articles(first: 1) { nodes { on: comments { hiddenCount } } }'),
    `on: comments(from: ${from}, to: ${to}) { hiddenCount }`,
    `on: articlesOfDay(day: "${day}") { hiddenCount }`,
    `on: tweetsOfDay(day: "${day}") { hiddenCount }`,
    'on: searchTweets(words: ["wonderful"], order: NEWEST) { hiddenCount }',
    'on: searchTweets(words: ["wonderful"], order: MOST_LIKED) { hiddenCount }',
    `on: tweetsInArea(area: ${AREA}, from: ${from}, to: ${to}) { hiddenCount }`,
    // Of the share of another one.
    'user(username: "bo") { on: tweets { hiddenCount } }',
  ];
  const counts = async () => {
    const found: [string, boolean][] = [];
    for (const list of lists) {
      const { data, errors } = await server.query(`{ ${list} }`, {}, who('ada'));
      expect([list, errors]).toEqual([list, []]);
      const [, count] = /"on":\{"hiddenCount":(\d+)\}/.exec(JSON.stringify(data)) ?? [];
      found.push([list, Number(count) > 0]);
    }
    return found;
  };
  expect(await counts()).toEqual(lists.map((list) => [list, false]));
  await suspend(server, 'suspendUser');
  expect(await counts()).toEqual(lists.map((list) => [list, true]));
  await suspend(server, 'unsuspendUser');
  expect(await counts()).toEqual(lists.map((list) => [list, false]));
});

const text = { input: { content: 'More pills' } };
test.each<[Mutation, () => Variables]>([
  ['createTweet', () => text],
  ['deleteTweet', () => ({ id: tweet.id })],
  ['likeTweet', () => ({ id: reply.id })],
  ['unlikeTweet', () => ({ id: reply.id })],
  ['shareTweet', () => ({ id: reply.id })],
  ['unshareTweet', () => ({ id: reply.id })],
  ['followUser', () => idOf('bo')],
  ['unfollowUser', () => idOf('ada')],
  ['updateUser', () => ({ input: { name: 'Another' } })],
  ['publishArticle', () => ({ input: { title: 'A title', body: 'A text' } })],
  ['addComment', () => ({ input: { articleId: article, body: 'A text' } })],
])('a suspended user cannot do %s', async (name, variables) => {
  await suspend(server, 'suspendUser');
  expect(await codesOf(server, who('spammer'), name, variables())).toEqual(['FORBIDDEN']);
  await suspend(server, 'unsuspendUser');
});

test('nobody can act on a suspended user or tweet, who can still see the own account', async () => {
  await suspend(server, 'suspendUser');
  expect(await codesOf(server, who('bo'), 'followUser', idOf('spammer'))).toEqual(['NOT_FOUND']);
  expect(await codesOf(server, who('bo'), 'likeTweet', { id: tweet.id })).toEqual(['NOT_FOUND']);
  // What was done before can be taken back.
  expect(await codesOf(server, who('ada'), 'unfollowUser', idOf('spammer'))).toEqual([]);
  expect(await codesOf(server, who('bo'), 'unshareTweet', { id: tweet.id })).toEqual([]);
  // What was not done does not show what is hidden.
  for (const name of ['unlikeTweet', 'unshareTweet'] as const)
    expect(await codesOf(server, who('ada'), name, { id: tweet.id })).toEqual(['NOT_FOUND']);
  await suspend(server, 'unsuspendUser');
  await act(server, who('ada'), 'followUser', idOf('spammer'));
  await suspend(server, 'suspendUser');
  const [refused] = (await send(server, who('spammer'), 'createTweet', text)).errors;
  expect(refused?.extensions).toMatchObject({ reason: 'SUSPENDED' });
  const { data } = await server.query('{ viewer { username } }', {}, who('spammer'));
  expect(data).toEqual({ viewer: { username: 'spammer' } });
  await suspend(server, 'unsuspendUser');
});

test('moderators find who is suspended and why, and see what is hidden', async () => {
  const collect = async <T>(objects: AsyncIterable<T>) => {
    const all: T[] = [];
    for await (const one of objects) all.push(one);
    return all;
  };
  const names = async () => (await collect(listSuspended(server.database))).map(({ username }) => username);
  expect(await names()).toEqual([]);
  await suspend(server, 'suspendUser', idOf('bo').id);
  for (const name of ['suspendUser', 'unsuspendUser', 'suspendUser'] as const) await suspend(server, name);
  const actor = expect.stringContaining('service') as string;
  expect(await collect(listSuspended(server.database))).toMatchObject([
    { userId: who('bo'), username: 'bo', actor, reason: REASON },
    { userId: who('spammer'), username: 'spammer', actor, reason: REASON },
  ]);
  const shown = await collect(lookAt(server.database, who('spammer')));
  expect(shown).toMatchObject([
    { user: { username: 'spammer', name: 'The spammer' }, suspendedSince: expect.any(Date) as Date },
    { tweet: { content: 'Buy pills' } },
    { tweet: { content: 'Wonderful pills #pills' } },
  ]);
  expect(await collect(lookAt(server.database, tweet.tweetId))).toMatchObject([
    { tweet: { content: 'Wonderful pills #pills', authorId: who('spammer') } },
  ]);
  for (const name of ['bo', 'spammer']) await suspend(server, 'unsuspendUser', idOf(name).id);
  expect(await names()).toEqual([]);
  expect(await collect(lookAt(server.database, '1'))).toEqual([]);
});

test('a service removes the tweet of anybody, and each act is in the audit log', async () => {
  const bad = await post(server, who('bo'), { content: 'Something bad' });
  for (let n = 0; n < 2; n++) expect((await suspend(server, 'removeTweet', bad.id)).errors).toEqual([]);
  const { data } = await server.query(`{ tweet(tweetId: "${bad.tweetId}") { content } }`);
  expect(data).toEqual({ tweet: null });
  const acts = await server.database.run(
    'SELECT act, CAST(target AS text) AS target, actor, reason FROM moderation_acts',
  );
  const seen = acts.map(({ act: what, target, actor, reason }) => [what, target, actor, reason] as unknown[]);
  expect(seen.filter(([what]) => what === 'remove')).toEqual(
    Array(2).fill(['remove', bad.tweetId, expect.stringContaining('service') as string, REASON]),
  );
  expect(seen.filter(([what]) => what === 'suspend').length).toBeGreaterThan(0);
});

test.each<[string, string | null, Mutation, () => Variables, string]>([
  ['of a person', 'ada', 'suspendUser', () => ({ ...idOf('bo'), reason: REASON }), 'FORBIDDEN'],
  ['of nobody', null, 'removeTweet', () => ({ id: tweet.id, reason: REASON }), 'UNAUTHENTICATED'],
  ['without a reason', 'service', 'suspendUser', () => ({ ...idOf('bo'), reason: ' ' }), 'BAD_USER_INPUT'],
  [
    'on a user that is not there',
    'service',
    'suspendUser',
    () => ({ id: encodeNodeId('User', '1'), reason: REASON }),
    'NOT_FOUND',
  ],
  [
    'on a tweet that is not there',
    'service',
    'removeTweet',
    () => ({ id: encodeNodeId('Tweet', '1'), reason: REASON }),
    'NOT_FOUND',
  ],
])('an act %s is refused', async (_, name, mutation, variables, code) => {
  const caller = name === null || name === 'service' ? name : who(name);
  expect(await codesOf(server, caller, mutation, variables())).toEqual([code]);
});

const FOLLOWERS = 'user(username: "star") { list: followers(first: 10, after: $after) { nodes { username }';
const FOUND =
  'list: searchTweets(words: ["tweet"], order: MOST_LIKED, first: 10, after: $after) { nodes { author { username } }';

test.each([
  ['followers', `{ ${FOLLOWERS}`, '} }'],
  ['the most liked', `{ ${FOUND}`, '}'],
])(
  'a page of %s reads no more than its bound, however many of its users are suspended',
  async (_what, list, end) => {
    const ids = Array.from({ length: 120 }, (_, n) => String(n + 1000));
    const network = await startHarness();
    await network.store([
      person('1', 'star'),
      ...ids.map((id, n) => person(id, `f${n}`)),
      ...ids.map((id, n) => follow(id, '1', n)),
      ...ids.map((id, n) => tweetRecord(String(n + 5000), id, n, { likeCount: (n * 7) % 40 })),
    ]);
    for (const hidden of [0, 1, 30, 100, 120]) {
      hideUsers(network.database, new Set(ids.slice(0, hidden)));
      const shown: string[] = [];
      let hiddenCount = 0;
      for (let after: string | null = null, pages = 0; pages < 100; pages++) {
        const query = `query ($after: String) ${list} hiddenCount pageInfo { endCursor hasNextPage } } ${end}`;
        const { body } = await network.post(JSON.stringify({ query, variables: { after } }));
        const { data, errors, extensions } = JSON.parse(body) as {
          data: { user?: { list: Listed }; list?: Listed };
          errors?: unknown;
          extensions: { cost: { bound: number; boundOfRows: number; reads: number; rows: number } };
        };
        expect(errors).toBeUndefined();
        const { bound, boundOfRows, reads, rows } = extensions.cost;
        expect(reads).toBeLessThanOrEqual(bound);
        expect(rows).toBeLessThanOrEqual(boundOfRows);
        const page = data.user?.list ?? data.list;
        if (!page) throw new Error('There must be a page.');
        shown.push(...page.nodes.map(({ username, author }) => username ?? author?.username ?? ''));
        hiddenCount += page.hiddenCount;
        if (!page.pageInfo.hasNextPage) break;
        after = page.pageInfo.endCursor;
      }
      const expected = ids.slice(hidden).map((_, n) => `f${n + hidden}`);
      expect([hiddenCount, shown.sort()]).toEqual([hidden, expected.sort()]);
    }
  },
);

interface Listed {
  readonly nodes: readonly { readonly username?: string; readonly author?: { readonly username: string } }[];
  readonly hiddenCount: number;
  readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
}

test('a hashtag is shown as those write it who are not suspended', async () => {
  const shouter: Person = await put(server, 'service', 'createUser', { username: 'shouter', name: 'Loud' });
  for (let n = 0; n < 3; n++) await post(server, shouter.userId, { content: `#QUIET ${n}` });
  await post(server, who('ada'), { content: '#quiet' });
  const shown = () => ask(server, '{ hashtag(name: "quiet") { name } }');
  expect(await shown()).toEqual({ hashtag: { name: 'QUIET' } });
  await act(server, 'service', 'suspendUser', { id: shouter.id, reason: REASON });
  expect(await shown()).toEqual({ hashtag: { name: 'quiet' } });
});
