import { getNamedType, isObjectType } from 'graphql';
import { createSchema } from '../../src/app';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import type { Harness } from '../support/harness';
import { act, post } from '../support/mutations';
import { subscribeToEvents } from '../live/subscriber';
import { probes, TWEETS, type Probe } from './probes';
import { A, B, C, D, ids, startWorld, things } from './world';

/**
 * The matrix of blocks, over every field that shows users, tweets, articles or comments. Each viewer asks every probe before a block, during it
 * and after it. What may be missing follows from who has made each thing; everything else must be there.
 */
const VIEWERS: readonly (string | null)[] = [A, B, C, D, null];
let server: Harness;
let address: string;
beforeAll(async () => {
  server = await startWorld();
  address = await server.listen();
});
afterAll(() => server.close());

/** Fields that need no rule of their own, and why. */
const WITHOUT_RULE: Readonly<Record<string, string>> = {
  'Tweet.author': 'a tweet is only reached where its author may be seen',
  'Article.author': 'an article is only reached where its author may be seen',
  'Comment.author': 'a comment is only reached where its author may be seen',
  'Comment.article': 'who sees a comment may know on what it is; the fields of the article hide its author',
  'Query.viewer': 'oneself',
  'Tweet.thread': 'placeholders: test/threads',
  'Notification.actors': 'test/notifications/notifications.test.ts',
  'Notification.comment': 'test/notifications/notifications.test.ts',
  'Notification.tweet': 'test/notifications/notifications.test.ts',
  'User.bookmarks': 'a placeholder while there is a block: the tests of bookmarks',
  'Query.searchUsers': 'the tests of searchUsers',
  'User.blockedUsers': 'whom its user blocks, for that user alone',
  'User.mutedUsers': 'whom its user mutes, for that user alone',
  'Subscription.timelineTweet': 'the last test of this file',
  'Subscription.tweetPosted': 'the last test of this file',
  'Subscription.tweetChanged': 'the last test of this file',
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

async function show(query: string, who: string | null): Promise<string[]> {
  const { data, errors } = await server.query(query, {}, who);
  expect(errors).toEqual([]);
  return keysIn(
    /^\{ it: /.test(query) ? (data as { it: unknown }).it : itIn(Object.values(data as object)[0]),
  ).sort();
}

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
function maySee(who: string | null, key: string, { query, place, of }: Probe): boolean {
  // What B replies to A is shown to nobody else below the tweet of A.
  if (/replies\(/.test(query) && key === `tweet ${ids['B answers a']}` && who !== B) return false;
  const partner = partnerOf(who);
  if (partner === null) return true;
  if (of === partner) return false;
  const { makers, answers } = things.get(key) ?? { makers: [] };
  if (place === 'PROFILE') return true;
  if (makers.includes(partner)) return false;
  return !((place === 'TIMELINE' || place === 'SEARCH') && answers === partner && makers[0] !== who);
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

interface Live {
  readonly it: { readonly node: { readonly content: string } };
}

test('an open subscription gives nothing that is hidden from its viewer when it comes', async () => {
  const words = 'subscription { it: tweetPosted(words: ["pebble"]) { node { content } } }';
  const [ofA, ofC, ofNobody] = await Promise.all(
    [A, C, null].map((who) => subscribeToEvents<Live>(address, { query: words, who })),
  );
  const home = await subscribeToEvents<Live>(address, {
    query: 'subscription { it: timelineTweet { node { content } } }',
    who: A,
  });
  const say = (who: string, content: string, more = {}) => post(server, who, { content, ...more });
  const contentOf = async (subscribed: typeof home | undefined) =>
    (await subscribed?.next())?.data?.it.node.content;
  await act(server, A, 'blockUser', { id: encodeNodeId('User', B) });
  await act(server, A, 'muteWords', { input: { text: 'boring pebble' } });
  const { tweetId } = await say(B, 'pebble of B');
  await say(C, 'pebble that answers B', { inReplyTo: encodeNodeId('Tweet', tweetId) });
  await say(C, 'a boring pebble');
  await say(C, 'pebble of C');
  expect([await contentOf(ofA), await contentOf(home)]).toEqual(['pebble of C', 'pebble of C']);
  for (const subscribed of [ofC, ofNobody])
    expect([await contentOf(subscribed), await contentOf(subscribed)]).toEqual([
      'pebble of B',
      'pebble that answers B',
    ]);
  const changed = `subscription { it: tweetChanged(id: "${encodeNodeId('Tweet', tweetId)}") { content } }`;
  const ofChanged = await subscribeToEvents<{ readonly it: object | null }>(address, {
    query: changed,
    who: A,
  });
  expect((await ofChanged.next()).data).toEqual({ it: null });
  await act(server, A, 'unblockUser', { id: encodeNodeId('User', B) });
  await say(B, 'pebble of B again');
  expect(await contentOf(ofA)).toBe('pebble of B again');
});

test('a mute hides what it says from one viewer, but not on the profile, and its end brings all back', async () => {
  const shares =
    '{ user(username: "userB") { it: tweets(first: 100) { nodes { sharedTweet { tweetId } } } } }';
  const all = async () => ({
    // Where a share is shown, so is what it shares.
    shared: await show(shares, A),
    timeline: await show(`{ viewer { it: timeline${TWEETS} } }`, A),
    profile: await show(`{ user(username: "userC") { it: tweets${TWEETS} } }`, A),
    others: await show(`{ viewer { it: timeline${TWEETS} } }`, D),
  });
  const before = await all();
  const id = encodeNodeId('User', C);
  await act(server, A, 'muteUser', { id });
  const isByC = (key: string) => before.profile.includes(key);
  expect(before.shared.filter(isByC).length).toBe(1);
  expect(before.timeline.filter(isByC).length).toBeGreaterThan(5);
  expect(await all()).toEqual({ ...before, timeline: before.timeline.filter((key) => !isByC(key)) });
  await act(server, A, 'muteUser', { id, scope: ['SHARES'] });
  const isShare = (key: string) => isByC(key) && (things.get(key)?.makers.length ?? 0) > 1;
  expect((await all()).timeline).toEqual(before.timeline.filter((key) => !isShare(key)));
  await act(server, A, 'unmuteUser', { id });
  expect(await all()).toEqual(before);
});

test('muted words hide tweets, shares and quotes where they are asked to, and their end brings all back', async () => {
  const query = `{ viewer { it: timeline${TWEETS} mutedWords { id text } } }`;
  const before = await show(query, A);
  const { mutedWord } = (await act(server, A, 'muteWords', {
    input: { text: 'stone', where: ['TIMELINE'] },
  })) as {
    mutedWord: { id: string; text: string };
  };
  const left = await show(query, A);
  expect(left.length).toBeLessThan(before.length);
  const searched = '{ it: searchTweets(words: ["stone"], order: NEWEST, first: 100) { nodes { tweetId } } }';
  expect((await show(searched, A)).length).toBeGreaterThan(5);
  // Words that spare whom the viewer follows hide nothing in a timeline.
  await act(server, A, 'muteWords', { input: { text: 'Stone', exceptFollowed: true } });
  expect(await show(query, A)).toEqual(before);
  await act(server, A, 'unmuteWords', { id: mutedWord.id });
  expect(await show(query, A)).toEqual(before);
  const mine =
    '{ viewer { mutedWords { text } blockedUsers { nodes { userId } } mutedUsers { nodes { userId } } } }';
  const { data } = await server.query(mine, {}, A);
  expect(data).toEqual({
    viewer: {
      mutedWords: [{ text: 'boring pebble' }],
      blockedUsers: { nodes: [] },
      mutedUsers: { nodes: [] },
    },
  });
});

test('a page of a timeline is one read for whoever hides nothing, and one more for whoever hides a thousand', async () => {
  const names = async (who: string) => {
    const { reads } = await server.query('{ viewer { timeline(first: 3) { nodes { content } } } }', {}, who);
    return reads
      .map(({ statement }) => statement)
      .filter((statement) => !/^(users|tweet_inv)/.test(statement))
      .sort();
  };
  const filler =
    'INSERT INTO hidden_by_user (viewer_id, kind, target_id, hidden_at, words) VALUES (?, ?, ?, ?, ?)';
  const rows = (kind: string, count: number) =>
    Array.from({ length: count }, (_, n) =>
      server.database.write(filler, [D, kind, String(5000 + n), new Date(), `word${n}`]),
    );
  const before = await names(D);
  await Promise.all([...rows('block', 1000), ...rows('mute', 1000), ...rows('muted_word', 200)]);
  expect(before).toEqual(['hidden_by_user.page', 'timelines_by_user.page']);
  // The answered and quoted tweets of the page, whose authors and words count, too.
  expect(await names(D)).toEqual([...before, 'tweets.get']);
});

test('what is posted under a username alone comes as on the profile, with anything else as in a search', async () => {
  const area = 'area: { south: 40, west: 10, north: 50, east: 20 }';
  const [ofUser, ...others] = await Promise.all(
    ['', ', words: ["dull"]', ', hashtag: "dull"', `, ${area}`].map((args) =>
      subscribeToEvents<Live>(address, {
        query: `subscription { it: tweetPosted(username: "userC"${args}) { node { content } } }`,
        who: A,
      }),
    ),
  );
  const { mutedWord } = (await act(server, A, 'muteWords', {
    input: { text: 'hidden by A', where: ['SEARCH'] },
  })) as { mutedWord: { id: string } };
  const location = { latitude: 48, longitude: 16 };
  const contents = ['dull #dull, hidden by A', 'dull #dull'];
  for (const content of contents) await post(server, C, { content, location });
  const next = async (subscribed: typeof ofUser) => (await subscribed?.next())?.data?.it.node.content;
  expect([await next(ofUser), await next(ofUser)]).toEqual(contents);
  for (const subscribed of others) expect(await next(subscribed)).toBe('dull #dull');
  await act(server, A, 'unmuteWords', { id: mutedWord.id });
});
