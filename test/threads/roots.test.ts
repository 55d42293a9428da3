import { createStore } from '../../src/import/store/store';
import type { TweetRecord } from '../../src/import/records/record';
import { linksJob } from '../../src/jobs/links';
import { randomFrom } from '../../src/kit/base/random';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { act, ask, post } from '../support/mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), person('2', 'bo'), person('3', 'cy'), follow('1', '2')]);
});

interface Shown {
  readonly tweetId: string;
  readonly root: { readonly tweetId: string } | null;
  readonly ancestors: { readonly nodes: readonly { readonly tweetId: string }[] };
}

const FIELDS = 'tweetId root { tweetId } ancestors { nodes { tweetId } }';

async function shown(tweetIds: readonly string[]): Promise<(Shown | null)[]> {
  const ids = tweetIds.map((tweetId) => encodeNodeId('Tweet', tweetId));
  const { data, errors } = await server.query(
    `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Tweet { ${FIELDS} } } }`,
    { ids },
  );
  expect(errors).toEqual([]);
  return (data as { nodes: (Shown | null)[] }).nodes;
}

const rootsOf = async (tweetIds: readonly string[]) =>
  (await shown(tweetIds)).map((one) => one?.root?.tweetId ?? null);

const verified = () => linksJob.verify({ database: server.database, retentionMonths: null }, 10_000);
const right = { missing: 0, surplus: 0, different: 0 };

/** Some conversations: each tweet replies to one of the last few, or to none; about one of seven is not imported. */
function conversations(seed: number, from: number, count: number): TweetRecord[] {
  const random = randomFrom(seed);
  const shared = new Set<string>();
  return Array.from({ length: count }, (_, n) => {
    const back = 1 + Math.floor(random() * 4);
    const isReply = back <= n && random() < 0.85;
    const original = n > 0 && random() < 0.2 ? String(from + Math.floor(random() * n)) : undefined;
    // One author shares a tweet once.
    const sharedTweetId = shared.has(`${original} ${n % 3}`) ? undefined : original;
    shared.add(`${sharedTweetId} ${n % 3}`);
    return tweet(String(from + n), String(1 + (n % 3)), 1, {
      content: `a tweet ${from + n}`,
      ...(sharedTweetId ? { sharedTweetId } : isReply && { inReplyToId: String(from + n - back) }),
    });
  }).filter(() => random() < 6 / 7);
}

test.each([1, 2, 3])(
  'in whatever order imports bring the tweets of conversations, each has its root, ancestors and shared author (seed %i)',
  async (seed) => {
    const records = conversations(seed, seed * 1000, 60);
    const byId = new Map(records.map((record) => [record.tweetId, record]));
    const pathOf = ({ inReplyToId }: TweetRecord): string[] => {
      const parent = inReplyToId === undefined ? undefined : byId.get(inReplyToId);
      if (inReplyToId === undefined) return [];
      return parent ? [...pathOf(parent), inReplyToId] : [inReplyToId];
    };
    const random = randomFrom(seed);
    const order = records.toSorted(() => random() - 0.5);
    while (order.length > 0) await server.store(order.splice(0, 1 + Math.floor(random() * 12)));
    const conversing = records.filter(({ sharedTweetId }) => sharedTweetId === undefined);
    const found = await shown(conversing.map(({ tweetId }) => tweetId));
    for (const [index, record] of conversing.entries()) {
      const path = pathOf(record);
      const [top = record.tweetId] = path;
      expect(found[index]).toEqual({
        tweetId: record.tweetId,
        root: byId.has(top) ? { tweetId: top } : null,
        ancestors: { nodes: path.filter((id) => byId.has(id)).map((tweetId) => ({ tweetId })) },
      });
    }
    for (const table of ['tweets', 'tweets_by_author', 'tweets_by_day']) {
      const rows = await server.database.run(
        `SELECT CAST(shared_tweet_id AS text) AS original, CAST(shared_author_id AS text) AS author FROM ${table}`,
      );
      for (const { original, author } of rows)
        if (original !== null)
          expect([table, original, author]).toEqual([
            table,
            original,
            byId.get(String(original))?.author.userId ?? author,
          ]);
    }
    expect(await verified()).toMatchObject(right);
  },
);

test('a share that comes before its original names its author in the timelines of followers, too', async () => {
  await server.store([tweet('501', '2', 1, { sharedTweetId: '500' })]);
  await server.store([tweet('500', '3', 1)]);
  expect(
    await server.database.run(
      'SELECT CAST(shared_author_id AS text) AS author FROM timelines_by_user WHERE user_id = 1 AND bucket = 0 AND tweet_id = 501',
    ),
  ).toEqual([{ author: '3' }]);
});

test('tweets of an import that reply to each other in a circle, or to themselves, have the oldest for root', async () => {
  const circle = [
    ['601', '603'],
    ['602', '601'],
    ['603', '602'],
    ['604', '603'],
    ['605', '605'],
  ] as const;
  for (const [tweetId, inReplyToId] of circle) await server.store([tweet(tweetId, '1', 1, { inReplyToId })]);
  expect(await rootsOf(circle.map(([tweetId]) => tweetId))).toEqual(['601', '601', '601', '601', '605']);
  expect(await verified()).toMatchObject(right);
});

test('what a killed import left without its root, the same import mends', async () => {
  const records = [tweet('700', '1', 1), tweet('701', '2', 1, { inReplyToId: '700' })];
  const killed = createStore(server.database, server.config);
  await killed.add([tweet('702', '3', 1, { inReplyToId: '701' })]);
  await killed.add([records[1] ?? tweet('', '')]);
  await server.store([...records, tweet('702', '3', 1, { inReplyToId: '701' })]);
  expect(await rootsOf(['700', '701', '702'])).toEqual(['700', '700', '700']);
});

test('a reply that is posted has the root of what it replies to, also of a share, and of one that was deleted since', async () => {
  const first = await post(server, '1', { content: 'first' });
  const reply = await post(server, '2', { content: 'second', inReplyTo: first.id });
  const shareIt = `mutation { shareTweet(id: "${reply.id}") { share { id } } }`;
  const { shareTweet } = (await ask(server, shareIt, '3')) as { shareTweet: { share: { id: string } } };
  const third = await post(server, '3', { content: 'third', inReplyTo: shareTweet.share.id });
  const paths = [[], [first], [first, reply]];
  const found = await shown([first, reply, third].map(({ tweetId }) => tweetId));
  expect(found).toEqual(
    [first, reply, third].map(({ tweetId }, index) => ({
      tweetId,
      root: { tweetId: first.tweetId },
      ancestors: { nodes: paths[index]?.map((one) => ({ tweetId: one.tweetId })) },
    })),
  );
  // A share is shown in the conversation of its original, also where it comes from a list.
  const source = `{ user(username: "cy") { tweets(first: 2) { nodes { ${FIELDS} } } } }`;
  const { user } = (await ask(server, source)) as { user: { tweets: { nodes: Shown[] } } };
  expect(user.tweets.nodes.map(({ root, ancestors }) => [root, ancestors.nodes.length])).toEqual([
    [{ tweetId: first.tweetId }, 2],
    [{ tweetId: first.tweetId }, 1],
  ]);
  await act(server, '2', 'deleteTweet', { id: reply.id });
  const [again] = await shown([third.tweetId]);
  expect(again).toEqual({
    tweetId: third.tweetId,
    root: { tweetId: first.tweetId },
    ancestors: { nodes: [{ tweetId: first.tweetId }] },
  });
  await server.store([tweet('800', '1', 1, { inReplyToId: reply.tweetId })]);
  expect(await rootsOf(['800'])).toEqual([first.tweetId]);
});

test('what is wrong of roots and shared authors is reported, and rebuilt', async () => {
  await server.store([tweet('900', '1'), tweet('910', '1', 1, { inReplyToId: '900' })]);
  await server.database.run('UPDATE tweets SET root_id = 1 WHERE tweet_id = 910');
  await server.database.run('UPDATE tweets SET shared_author_id = 1 WHERE tweet_id = 501');
  expect(await verified()).toMatchObject({ different: 2 });
  await linksJob.rebuild({ database: server.database, retentionMonths: null }, () => undefined);
  expect(await verified()).toMatchObject(right);
  expect(await rootsOf(['910'])).toEqual(['900']);
});

const USED =
  'quoteCount quotes { nodes { tweetId } } shareCount sharers { nodes { username } edges { sharedAt } }';
const usesOf = async (id: string) =>
  ((await ask(server, `{ node(id: "${id}") { ... on Tweet { ${USED} } } }`)) as { node: object }).node;

test('quotes and shares are counted and listed from the answer on, and not any more when they are taken back', async () => {
  const { id } = await post(server, '1', { content: 'worth a word' });
  const none = { quoteCount: 0, quotes: { nodes: [] }, shareCount: 0, sharers: { nodes: [], edges: [] } };
  expect(await usesOf(id)).toEqual(none);
  const quotes = [];
  for (const who of ['2', '3']) quotes.push(await post(server, who, { content: 'a word', quotes: id }));
  const shareIt = `mutation { shareTweet(id: "${id}") { share { id createdAt } } }`;
  const { shareTweet } = (await ask(server, shareIt, '3')) as {
    shareTweet: { share: { id: string; createdAt: string } };
  };
  const { share } = shareTweet;
  const found = {
    quoteCount: 2,
    quotes: { nodes: quotes.toReversed().map(({ tweetId }) => ({ tweetId })) },
    shareCount: 1,
    sharers: { nodes: [{ username: 'cy' }], edges: [{ sharedAt: share.createdAt }] },
  };
  expect(await usesOf(id)).toEqual(found);
  expect(await usesOf(share.id)).toEqual(found);
  for (const [index, who] of ['2', '3'].entries())
    await act(server, who, 'deleteTweet', { id: quotes[index]?.id ?? '' });
  await act(server, '3', 'unshareTweet', { id });
  expect(await usesOf(id)).toEqual(none);
});

test('imports list and count quotes and shares, before their tweet or after it, from the count of a source on', async () => {
  const given = { likeCount: 1, shareCount: 4, replyCount: 0 };
  const quotes = ['1101', '1102'].map((id) => tweet(id, '2', 1, { quotedTweetId: '1100' }));
  await server.store([...quotes, tweet('1103', '3', 2, { sharedTweetId: '1100' })]);
  await server.store([tweet('1100', '1', 0, given), tweet('1200', '1', 0, { ...given, quoteCount: 9 })]);
  await server.store([tweet('1201', '3', 2, { quotedTweetId: '1200' })]);
  const [first, second] = ['1100', '1200'].map((tweetId) => encodeNodeId('Tweet', tweetId));
  expect(await usesOf(first ?? '')).toEqual({
    quoteCount: 2,
    quotes: { nodes: [{ tweetId: '1102' }, { tweetId: '1101' }] },
    shareCount: 4,
    sharers: { nodes: [{ username: 'cy' }], edges: [{ sharedAt: '2026-01-03T00:00:00.000Z' }] },
  });
  await post(server, '2', { content: 'one more', quotes: second ?? '' });
  expect(await usesOf(second ?? '')).toMatchObject({ quoteCount: 10 });
});

interface Edge {
  readonly tweetId: string;
  readonly node: { readonly content: string } | null;
  readonly hiddenReason: string | null;
  readonly depth: number;
  readonly moreReplies: { readonly count: number; readonly cursor: string } | null;
}

/** All edges of a thread, page by page; those that `more` goes on with, if it is given. */
async function threadOf(tweetId: string, args = '', more: string | null = null, who: string | null = null) {
  const edges: Edge[] = [];
  let statements = 0;
  for (let after = more; ;) {
    const source = `query ($after: String) { tweet(tweetId: "${tweetId}") { thread(first: 50, after: $after${args}) { edges { tweetId depth hiddenReason node { content author { username } likeCount } moreReplies { count cursor } } pageInfo { hasNextPage endCursor } } } }`;
    const { data, errors, reads } = await server.query(source, { after }, who);
    expect(errors).toEqual([]);
    statements = Math.max(statements, reads.length);
    const { thread } = (
      data as {
        tweet: { thread: { edges: Edge[]; pageInfo: { hasNextPage: boolean; endCursor: string } } };
      }
    ).tweet;
    edges.push(...thread.edges);
    if (!thread.pageInfo.hasNextPage) return { edges, statements };
    after = thread.pageInfo.endCursor;
  }
}

test('a thread has what was imported and posted, deleted tweets in their places, and goes on where it is cut', async () => {
  // The parents of an import come later, one of them in a conversation of its own.
  const replies = Array.from({ length: 14 }, (_, n) =>
    tweet(String(1310 + n), '2', 1, { inReplyToId: '1301' }),
  );
  await server.store(replies);
  await server.store([tweet('1301', '1', 1, { inReplyToId: '1300' })]);
  await server.store([tweet('1300', '1')]);
  const top = encodeNodeId('Tweet', '1300');
  const other = await post(server, '3', { content: 'another', inReplyTo: top });
  const below = await post(server, '2', { content: 'below', inReplyTo: other.id });
  const gone = await post(server, '3', { content: 'gone', inReplyTo: top });
  await act(server, '3', 'deleteTweet', { id: other.id });
  await act(server, '3', 'deleteTweet', { id: gone.id });
  const { edges, statements } = await threadOf('1300');
  const told = ({ tweetId, depth, hiddenReason }: Edge) => [tweetId, depth, hiddenReason];
  expect(edges.map(told)).toEqual([
    ['1300', 0, null],
    ['1301', 1, null],
    ...replies.slice(0, 10).map(({ tweetId }) => [tweetId, 2, null]),
    [other.tweetId, 1, 'DELETED'],
    [below.tweetId, 2, null],
  ]);
  expect(edges.find(({ tweetId }) => tweetId === other.tweetId)?.node).toBeNull();
  expect(edges[1]?.moreReplies).toMatchObject({ count: 4 });
  const rest = await threadOf('1300', '', edges[1]?.moreReplies?.cursor);
  expect(rest.edges.map(told)).toEqual(replies.slice(10).map(({ tweetId }) => [tweetId, 2, null]));
  expect((await threadOf('1301', ', perParent: 100')).edges).toHaveLength(15);
  // The top, the conversation, its tweets, whether authors block each other, their names and the counts.
  expect(statements).toBeLessThanOrEqual(6);
  await act(server, '2', 'deleteTweet', { id: below.id });
  expect((await threadOf('1300')).edges.map(({ tweetId }) => tweetId)).not.toContain(other.tweetId);
});

test('a thread is in the order of likes, and shows those who are blocked by whom they reply to only to themselves', async () => {
  const top = await post(server, '1', { content: 'top' });
  const posted = [];
  for (const who of ['2', '3', '2'])
    posted.push(await post(server, who, { content: `by ${who}`, inReplyTo: top.id }));
  await act(server, '3', 'likeTweet', { id: posted[1]?.id ?? '' });
  const ids = async (args: string) => (await threadOf(top.tweetId, args)).edges.map(({ tweetId }) => tweetId);
  const [a, b, c] = posted.map(({ tweetId }) => tweetId);
  expect(await ids(', order: MOST_LIKED')).toEqual([top.tweetId, b, c, a]);
  expect(await ids(', order: NEWEST')).toEqual([top.tweetId, c, b, a]);
  const block = (name: string) =>
    ask(server, `mutation { ${name}(id: "${encodeNodeId('User', '2')}") { user { id } } }`, '1');
  await block('blockUser');
  const seenBy = async (who: string, args = '') =>
    (await threadOf(top.tweetId, args, null, who)).edges.map(
      ({ node, hiddenReason }) => node?.content ?? hiddenReason,
    );
  expect(await seenBy('1')).toEqual(['top', 'BLOCKED', 'by 3', 'BLOCKED']);
  expect(await seenBy('3')).toEqual(['top', 'BLOCKED', 'by 3', 'BLOCKED']);
  expect(await seenBy('3', ', hidden: EXPAND')).toEqual(['top', 'by 2', 'by 3', 'by 2']);
  expect(await seenBy('1', ', hidden: EXPAND')).toEqual(['top', 'BLOCKED', 'by 3', 'BLOCKED']);
  // In a conversation that somebody else began, who is blocked sees the own reply below that of the blocker, which is hidden.
  const root = await post(server, '3', { content: 'root' });
  const above = await post(server, '1', { content: 'by 1', inReplyTo: root.id });
  await block('unblockUser');
  await post(server, '2', { content: 'by 2', inReplyTo: above.id });
  await block('blockUser');
  const shownTo = async (who: string) =>
    (await threadOf(root.tweetId, '', null, who)).edges.map(
      ({ node, hiddenReason }) => node?.content ?? hiddenReason,
    );
  expect(await shownTo('1')).toEqual(['root', 'by 1', 'BLOCKED']);
  expect(await shownTo('2')).toEqual(['root', 'BLOCKED_BY', 'by 2']);
  expect(await shownTo('3')).toEqual(['root', 'by 1', 'BLOCKED']);
  // What answers a deleted tweet answers nobody, so no block of its author hides it.
  await act(server, '1', 'deleteTweet', { id: above.id });
  expect(await shownTo('3')).toEqual(['root', 'DELETED', 'by 2']);
  await block('unblockUser');
  expect(await seenBy('2')).toEqual(['top', 'by 2', 'by 3', 'by 2']);
});

interface Named {
  readonly id: string;
}

test('where a muted word hides a reply or a quoted tweet, the reason names it', async () => {
  const top = await post(server, '1', { content: 'about stones' });
  const reply = await post(server, '2', { content: 'a loose pebble', inReplyTo: top.id });
  const quote = await post(server, '2', { content: 'see this', quotes: reply.id });
  const words = ['gravel', 'loose pebble'].map((text) =>
    act(server, '3', 'muteWords', { input: { text, where: ['THREAD'] } }),
  );
  const [, second] = (await Promise.all(words)) as { readonly mutedWord: Named }[];
  const mutedWord = second?.mutedWord;
  const source = `{ thread: tweet(tweetId: "${top.tweetId}") { thread { edges { hiddenReason mutedWord { id text } } } }
    quote: tweet(tweetId: "${quote.tweetId}") { quotedTweet { id } quotedTweetHiddenReason quotedTweetMutedWord { id text } } }`;
  const none = { hiddenReason: null, mutedWord: null };
  const named = { id: mutedWord?.id, text: 'loose pebble' };
  expect(await ask(server, source, '3')).toEqual({
    thread: { thread: { edges: [none, { hiddenReason: 'MUTED_WORD', mutedWord: named }] } },
    quote: { quotedTweet: null, quotedTweetHiddenReason: 'MUTED_WORD', quotedTweetMutedWord: named },
  });
  expect(await ask(server, source, '2')).toMatchObject({
    thread: { thread: { edges: [none, none] } },
    quote: { quotedTweet: { id: reply.id }, quotedTweetMutedWord: null },
  });
  await act(server, '3', 'unmuteWords', { id: mutedWord?.id ?? '' });
});

test.each([', depth: 0', ', depth: 21', ', perParent: 0', ', perParent: 101'])(
  'a thread refuses an argument out of its bounds: %s',
  async (args) => {
    const { errors } = await server.query(
      `{ tweet(tweetId: "1300") { thread(first: 1${args}) { edges { depth } } } }`,
    );
    expect(errors.map((error) => error.extensions['code'])).toEqual(['BAD_USER_INPUT']);
  },
);
