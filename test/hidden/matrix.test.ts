import { getNamedType, isObjectType } from 'graphql';
import { createSchema } from '../../src/app';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { follow, person, startHarness, tweet, type Harness } from '../harness';
import { act, post } from '../mutations';
import { take } from '../ranking/rankings';

/**
 * The matrix of blocks, over every field that shows users, tweets, articles or comments. Each viewer asks every probe before a block, during it
 * and after it. What may be missing follows from who has made each thing; everything else must be there.
 */
const [A, B, C, D] = ['1', '2', '3', '4'];
const PEOPLE = { A, B, C, D };
const VIEWERS: readonly (string | null)[] = [A, B, C, D, null];

/** What the world has: who has made it, or what it shares, and whom it answers. */
interface Thing {
  readonly makers: readonly string[];
  readonly answers?: string;
}
const things = new Map<string, Thing>();
const ids: Record<string, string> = {};
let server: Harness;

beforeAll(async () => {
  server = await startHarness();
  const place = { location: { latitude: 52.5, longitude: 13.4, country: 'DE' } };
  const wall = (id: string, authorId: string, more = {}) => {
    things.set(`tweet ${id}`, { makers: [authorId] });
    return tweet(id, authorId, Number(id) % 3, {
      content: 'a stone #wall',
      hashtags: ['wall'],
      likeCount: 1,
      ...place,
      ...more,
    });
  };
  for (const userId of Object.values(PEOPLE)) things.set(`user ${userId}`, { makers: [userId] });
  await server.store([
    ...Object.entries(PEOPLE).map(([name, userId]) => ({
      ...person(userId, `user${name}`),
      twitterAccount: `on${name}`,
    })),
    ...[A, B, C, D].flatMap((one) =>
      [A, B, C, D].filter((other) => other !== one).map((other) => follow(one, other)),
    ),
    wall('101', A),
    wall('102', B),
    wall('103', C),
  ]);
  const made = async (name: string, who: string, input: object, thing: Omit<Thing, 'makers'> = {}) => {
    const { tweetId } = await post(server, who, {
      content: 'another stone #wall',
      location: place.location,
      ...input,
    });
    ids[name] = tweetId;
    things.set(`tweet ${tweetId}`, { makers: [who], ...thing });
  };
  const node = (tweetId: string) => encodeNodeId('Tweet', tweetId);
  const [a1, b1, c1] = ['101', '102', '103'];
  for (const [name, who] of Object.entries(PEOPLE))
    for (const [of, target, author] of [
      ['a', a1, A],
      ['b', b1, B],
      ['c', c1, C],
    ] as const) {
      if (name.toLowerCase() === of) continue;
      await act(server, who, 'likeTweet', { id: node(target) });
      if (name === 'D') continue;
      await made(`${name} answers ${of}`, who, { inReplyTo: node(target) }, { answers: author });
      await made(`${name} quotes ${of}`, who, { quotes: node(target) });
      const { share } = (await act(server, who, 'shareTweet', { id: node(target) })) as {
        share: { tweetId: string };
      };
      ids[`${name} shares ${of}`] = share.tweetId;
      things.set(`tweet ${share.tweetId}`, { makers: [who, author] });
    }
  await made('C answers b again', C, { inReplyTo: node(ids['B answers a'] ?? '') }, { answers: B });
  for (const [name, who] of Object.entries(PEOPLE)) {
    const input = { title: name, body: 'stone' };
    const { article } = (await act(server, who, 'publishArticle', { input })) as { article: { id: string } };
    ids[`article ${name}`] = article.id;
    things.set(`article ${article.id}`, { makers: [who] });
  }
  for (const [name, who] of Object.entries(PEOPLE))
    for (const whose of ['A', 'B', 'C']) {
      const input = { articleId: ids[`article ${whose}`], body: `by ${name}` };
      const { comment } = (await act(server, who, 'addComment', { input })) as { comment: { id: string } };
      ids[`comment ${name} on ${whose}`] = comment.id;
      things.set(`comment ${comment.id}`, { makers: [who] });
    }
  await server.writeServices.outbox.idle();
  await take(server);
});
afterAll(() => server.close());

/** How a field is asked for what it shows. */
interface Probe {
  readonly query: string;
  readonly place: 'TIMELINE' | 'SEARCH' | 'THREAD' | 'LIST' | 'DIRECT' | 'PROFILE';
  /** Whose list it is: that of somebody with a block between is empty. */
  readonly of?: string;
}

const TWEETS = '(first: 100) { nodes { tweetId } pageInfo { hasNextPage } }';
const USERS = '(first: 100) { nodes { userId } hiddenCount }';
const IDS = '(first: 100) { nodes { id } }';
const day = new Date().toISOString().slice(0, 10);
const period = 'from: "2026-01-01T00:00:00Z", to: "2030-01-01T00:00:00Z"';

function eachUser(field: (name: string) => string): Probe[] {
  return Object.entries(PEOPLE).map(([name, userId]) => ({
    query: `{ user(username: "user${name}") { ${field(name)} } }`,
    place: 'LIST',
    of: userId,
  }));
}
function eachTweet(field: string, place: Probe['place']): Probe[] {
  const named = [...things.keys()].filter((key) => key.startsWith('tweet '));
  return named.map((key) => ({ query: `{ tweet(tweetId: "${key.slice(6)}") { it: ${field} } }`, place }));
}
function eachNode(kind: string, more: string): Probe[] {
  const keys = [...things.keys()]
    .filter((key) => key.startsWith(`${kind} `))
    .map((key) => key.slice(kind.length + 1));
  return keys.map((key) => {
    const id =
      kind === 'tweet' ? encodeNodeId('Tweet', key) : kind === 'user' ? encodeNodeId('User', key) : key;
    return { query: more.replace('ID', id), place: kind === 'user' ? 'PROFILE' : 'DIRECT' };
  });
}
const WHOLE = '... on Tweet { tweetId } ... on User { userId } ... on Article { id } ... on Comment { id }';

/** How each field of the schema that shows what people have made is probed. */
const probes: Readonly<Record<string, () => readonly Probe[]>> = {
  'User.tweets': () => [
    ...eachUser(() => `it: tweets${TWEETS}`),
    ...eachUser(() => `it: tweets${TWEETS.replace('(', '(order: MOST_LIKED, ')}`),
  ],
  'User.likes': () => eachUser(() => `it: likes${TWEETS}`),
  'User.followers': () => eachUser(() => `it: followers${USERS}`),
  'User.following': () => eachUser(() => `it: following${USERS}`),
  'User.articles': () => eachUser(() => `it: articles${IDS}`),
  'User.timeline': () =>
    ['', 'order: MOST_LIKED, '].map((order) => ({
      query: `{ viewer { it: timeline${TWEETS.replace('(', `(${order}`)} } }`,
      place: 'TIMELINE',
    })),
  'Tweet.replies': () => [
    ...eachTweet(`replies${TWEETS}`, 'THREAD'),
    ...eachTweet(`replies${TWEETS.replace('(', '(order: MOST_LIKED, ')}`, 'THREAD'),
  ],
  'Tweet.likers': () => eachTweet(`likers${USERS}`, 'LIST'),
  'Tweet.inReplyTo': () => eachTweet('inReplyTo { tweetId }', 'THREAD'),
  'Tweet.sharedTweet': () => eachTweet('sharedTweet { tweetId }', 'THREAD'),
  'Tweet.quotedTweet': () => eachTweet('quotedTweet { tweetId }', 'THREAD'),
  'Tweet.root': () => eachTweet('root { tweetId }', 'THREAD'),
  'Tweet.ancestors': () => eachTweet('ancestors(first: 40) { nodes { tweetId } }', 'THREAD'),
  'Article.comments': () =>
    eachNode('article', `{ node(id: "ID") { ... on Article { it: comments${IDS} } } }`),
  'Article.authorComments': () =>
    eachNode('article', `{ node(id: "ID") { ... on Article { it: authorComments${IDS} } } }`),
  'Hashtag.tweets': () =>
    ['', 'order: MOST_LIKED, '].map((order) => ({
      query: `{ hashtag(name: "wall") { it: tweets${TWEETS.replace('(', `(${order}`)} } }`,
      place: 'SEARCH',
    })),
  'Query.searchTweets': () =>
    ['NEWEST', 'MOST_LIKED'].map((order) => ({
      query: `{ it: searchTweets(words: ["stone"], order: ${order}, first: 100) { nodes { tweetId } } }`,
      place: 'SEARCH',
    })),
  'Query.tweetsOfDay': () => [
    { query: `{ it: tweetsOfDay(day: "${day}", first: 100) { nodes { tweetId } } }`, place: 'SEARCH' },
  ],
  'Query.tweetsInArea': () => [
    {
      query: `{ it: tweetsInArea(area: { south: 52, west: 13, north: 53, east: 14 }, ${period}, first: 100) { nodes { tweetId } } }`,
      place: 'SEARCH',
    },
  ],
  'Query.tweet': () => eachTweet('tweetId', 'DIRECT'),
  'Query.node': () =>
    ['tweet', 'user', 'article', 'comment'].flatMap((kind) =>
      eachNode(kind, `{ it: node(id: "ID") { ${WHOLE} } }`),
    ),
  'Query.nodes': () =>
    ['tweet', 'user', 'article', 'comment'].flatMap((kind) =>
      eachNode(kind, `{ it: nodes(ids: ["ID"]) { ${WHOLE} } }`),
    ),
  'Query.user': () =>
    Object.keys(PEOPLE).map((name) => ({
      query: `{ it: user(username: "user${name}") { userId } }`,
      place: 'PROFILE',
    })),
  'Query.userByTwitterAccount': () =>
    Object.keys(PEOPLE).map((name) => ({
      query: `{ it: userByTwitterAccount(twitterAccount: "on${name}") { userId } }`,
      place: 'PROFILE',
    })),
  'Query.article': () => eachNode('article', '{ it: article(id: "ID") { id } }'),
  'Query.articlesOfDay': () => [
    { query: `{ it: articlesOfDay(day: "${day}", first: 100) { nodes { id body } } }`, place: 'LIST' },
  ],
  'Query.comments': () => [
    { query: `{ it: comments(${period}, first: 100) { nodes { id } } }`, place: 'LIST' },
  ],
  'RankingEntry.user': () => [
    { query: '{ it: topAccounts { entries { user { userId } } } }', place: 'LIST' },
    { query: '{ it: topFollowers { entries { user { userId } } } }', place: 'LIST' },
    {
      query: `{ it: rankings(kind: TOP_ACCOUNTS, ${period}, first: 1) { nodes { entries { user { userId } } } } }`,
      place: 'LIST',
    },
  ],
};

/** Fields that need no rule of their own, and why. */
const WITHOUT_RULE: Readonly<Record<string, string>> = {
  'Tweet.author': 'a tweet is only reached where its author may be seen',
  'Article.author': 'an article is only reached where its author may be seen',
  'Comment.author': 'a comment is only reached where its author may be seen',
  'Comment.article': 'who sees a comment may know on what it is; the fields of the article hide its author',
  'Query.viewer': 'oneself',
  'Subscription.timelineTweet': 'test/hidden/live.test.ts',
  'Subscription.tweetPosted': 'test/hidden/live.test.ts',
  'Subscription.tweetChanged': 'test/hidden/live.test.ts',
};

/** The fields that show users, tweets, articles or comments, by themselves, in a list or in a connection. */
function showingFields(): string[] {
  const types = Object.values(createSchema().getTypeMap()).filter(isObjectType);
  const shows = (name: string) => /^(User|Tweet|Article|Comment|Node)$/.test(name);
  const nodeOf = (name: string): string => {
    const type = types.find((one) => one.name === name);
    const inner =
      type && /(Connection|Edge)$/.test(name) && (type.getFields()['edges'] ?? type.getFields()['node']);
    return inner ? nodeOf(getNamedType(inner.type).name) : name;
  };
  return types
    .filter(({ name }) => !/^__|(Connection|Edge|Payload)$/.test(name))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
    .filter(({ field }) => shows(nodeOf(getNamedType(field.type).name)))
    .map(({ type, field }) => `${type.name}.${field.name}`);
}

/** The keys of the things in an answer. */
function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? [`tweet ${value}`] : [];
  const { tweetId, userId, id, ...more } = value as Readonly<Record<string, unknown>>;
  if (typeof tweetId === 'string') return [`tweet ${tweetId}`];
  if (typeof userId === 'string') return [`user ${userId}`];
  if (typeof id === 'string') return [`${things.has(`article ${id}`) ? 'article' : 'comment'} ${id}`];
  return Object.values(more).flatMap((part) => (typeof part === 'object' ? keysIn(part) : []));
}

/** Finds what a probe shows: the value of the field `it`, or of the whole. */
function itIn(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return null;
  return 'it' in data ? data.it : itIn(Object.values(data)[0]);
}

const PROBES_AT_ONCE = 40;

/** Asks all probes as all viewers, many in one request. */
async function showAll(): Promise<Map<string, string[]>> {
  const shown = new Map<string, string[]>();
  const all = Object.entries(probes).flatMap(([field, list]) => list().map((probe) => ({ field, probe })));
  for (const who of VIEWERS)
    for (let from = 0; from < all.length; from += PROBES_AT_ONCE) {
      const some = all.slice(from, from + PROBES_AT_ONCE);
      const asked = some.map(
        ({ probe }, n) => `p${n}: ${probe.query.slice(1, -1).trim().replace(/^it: /, '')}`,
      );
      const { data, errors } = await server.query(`{ ${asked.join('\n')} }`, {}, who);
      expect(errors).toEqual([]);
      some.forEach(({ field, probe }, n) => {
        const value = (data as Readonly<Record<string, unknown>>)[`p${n}`];
        const it = /^\{ it: /.test(probe.query) ? value : itIn(value);
        shown.set(JSON.stringify([field, probe, who]), keysIn(it).sort());
      });
    }
  return shown;
}

/** The other side of the block between A and B. */
const partnerOf = (who: string | null) => (who === A ? B : who === B ? A : null);

/** Whether somebody may see a thing during the block, by the matrix. */
function maySee(who: string | null, key: string, { place, of }: Probe): boolean {
  const partner = partnerOf(who);
  if (partner === null) return true;
  if (of === partner) return false;
  const { makers, answers } = things.get(key) ?? { makers: [] };
  if (place === 'PROFILE') return true;
  if (makers.includes(partner)) return false;
  return !((place === 'TIMELINE' || place === 'SEARCH') && answers === partner);
}

test('every field that shows what people have made has a rule', () => {
  const known = [...Object.keys(probes), ...Object.keys(WITHOUT_RULE)];
  expect(showingFields().sort()).toEqual(known.sort());
});

test('a block hides on every surface what it must hide, from those it must be hidden from, and nothing else; its end brings all back', async () => {
  const before = await showAll();
  await act(server, A, 'blockUser', { id: encodeNodeId('User', B) });
  await server.writeServices.outbox.idle();
  const during = await showAll();
  await act(server, A, 'unblockUser', { id: encodeNodeId('User', B) });
  const after = await showAll();
  // The block has ended these two follows.
  const isEnded = (probe: Probe, key: string) =>
    /follow/.test(probe.query) &&
    ((probe.of === A && key === `user ${B}`) || (probe.of === B && key === `user ${A}`));
  let hidden = 0;
  for (const [asked, keys] of before) {
    const [field, probe, who] = JSON.parse(asked) as [string, Probe, string | null];
    // Not found through a parent that is hidden: what it would show is neither here nor there.
    const isParentHidden = who !== null && isOfHidden(probe, who);
    const quotes = field === 'Tweet.quotedTweet' && isBetween(probe);
    const isFollowedNoMore = field === 'User.timeline';
    const expected =
      isParentHidden || quotes ? [] : keys.filter((key) => maySee(who, key, probe) && !isEnded(probe, key));
    expect([field, probe.query, who, during.get(asked)]).toEqual([field, probe.query, who, expected]);
    hidden += keys.length - expected.length;
    const back = keys.filter((key) => !isEnded(probe, key));
    const partner = partnerOf(who);
    const restored = isFollowedNoMore ? back.filter((key) => things.get(key)?.makers[0] !== partner) : back;
    expect([field, probe.query, who, after.get(asked)]).toEqual([field, probe.query, who, restored]);
  }
  expect(hidden).toBeGreaterThan(300);
});

/** Whether the object of which a probe asks something is hidden from a viewer. */
function isOfHidden({ query, place }: Probe, who: string): boolean {
  const partner = partnerOf(who);
  if (partner === null || place === 'PROFILE') return false;
  const [, tweetId] = /tweet\(tweetId: "(\d+)"/.exec(query) ?? [];
  const [, id = ''] = /node\(id: "([\w-]+)"\) \{ \.\.\. on Article/.exec(query) ?? [];
  const thing = things.get(tweetId === undefined ? `article ${id}` : `tweet ${tweetId}`);
  return thing?.makers.includes(partner) === true;
}

/** Whether a probe asks for the tweet of A that B quotes. */
function isBetween({ query }: Probe): boolean {
  return query.includes(`"${ids['B quotes a']}"`);
}
