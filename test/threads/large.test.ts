import { setTimeout as sleep } from 'node:timers/promises';
import { repliesByTweet } from '../../src/features/tweet/tweet.lists';
import { tweetCounts, tweets } from '../../src/features/tweet/tweet.table';
import { MAX_ENTRIES } from '../../src/features/thread/read-entries';
import { threadEntries } from '../../src/features/thread/thread.lists';
import type { TweetRecord } from '../../src/import/records/record';
import { createStore } from '../../src/import/store/store';
import { leastIdAt } from '../../src/kit/base/snowflake';
import { writeOf } from '../../src/kit/cassandra/write';
import { createBulkWriter } from '../../src/kit/writes/bulk';
import { buildThreadEntry } from '../../src/write/tweet/thread-entries';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { authorization, person, startHarness, tweet, type Harness } from '../support/harness';
import { isLong } from '../support/long';
import { act } from '../support/mutations';
import { randomIntFrom } from '../support/random-int';

/** `npm run test:long` tries a conversation of 100,000 replies and one of 10,000 levels. */
const FLAT = isLong ? 100_000 : 400;
const DEEP = isLong ? 10_000 : 600;
const [GONE_TOP, BLOCKED_TOP, GROWN_TOP] = ['70000000', '80000000', '90000000'];
/** How fast tweets are posted. */
const POSTS_PER_SECOND = 2500;
const MEGABYTE = 1_000_000;

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store(['1', '2', '3'].map((id) => person(id, `p${id}`)));
});

const idAfter = (top: string, n: number) => String(Number(top) + n);
const replyTo = (parentId: string, tweetId: string, n: number) =>
  tweet(tweetId, String(1 + (n % 3)), 1, { inReplyToId: parentId });

/** Imports a conversation as the command does, a thousand records at a time. */
async function importAll(records: readonly TweetRecord[]): Promise<void> {
  const store = createStore(server.database, server.config);
  for (let n = 0; n < records.length; n += 1000) await store.add(records.slice(n, n + 1000));
  await store.settle();
}

/**
 * Posts a conversation, as many tweets a second as may come at once: the rows by which it is shown, because all others take long. `parentOf`
 * tells to which of the tweets before it one replies.
 */
async function postAll(count: number, parentOf: (n: number) => number): Promise<readonly TweetRecord[]> {
  const none = { sharedTweetId: null, quotedTweetId: null, sharedAuthorId: null, location: null };
  const records: TweetRecord[] = [];
  const replies = new Map<string, number>();
  const bulk = createBulkWriter(server.database)();
  const began = Date.now();
  let rootId = '';
  let last = 0n;
  for (let n = 0; n < count; n++) {
    const early = (n * 1000) / POSTS_PER_SECOND - (Date.now() - began);
    if (early > 10) await sleep(early);
    const now = BigInt(leastIdAt(new Date()));
    last = now > last ? now : last + 1n;
    const tweetId = String(last);
    if (n === 0) rootId = tweetId;
    const inReplyToId = n === 0 ? null : (records[parentOf(n)]?.tweetId ?? null);
    const record = inReplyToId === null ? tweet(tweetId, '1') : replyTo(inReplyToId, tweetId, n);
    records.push(record);
    const row = { ...record, ...none, inReplyToId, rootId, authorId: record.author.userId ?? '' };
    await bulk.put(writeOf(tweets, row));
    if (inReplyToId !== null) await bulk.put(writeOf(repliesByTweet, { ...row, inReplyToId }));
    for (const write of buildThreadEntry(row)) await bulk.put(write);
    if (inReplyToId !== null) replies.set(inReplyToId, (replies.get(inReplyToId) ?? 0) + 1);
  }
  for (const [tweetId, importedReplies] of replies)
    await bulk.put(writeOf(tweetCounts, { tweetId, importedReplies }));
  await bulk.flush();
  return records;
}

/**
 * Makes a conversation one that is too large to be put in order, without the time that an import takes: by rows of which only the number
 * counts then.
 */
async function enlarge(rootId: string): Promise<void> {
  const bulk = createBulkWriter(server.database)();
  for (let n = 0; n < MAX_ENTRIES; n++) {
    const tweetId = String(BigInt(rootId) + 1_000_000n + BigInt(n));
    const entry = { tweetId, parentId: rootId, authorId: '1' };
    await bulk.put(writeOf(threadEntries, { rootId, ...entry }));
  }
  await bulk.flush();
}

/** The replies to each tweet, oldest first. */
function childrenIn(records: readonly TweetRecord[]): (tweetId: string) => string[] {
  const replies = Map.groupBy(records, ({ inReplyToId }) => inReplyToId);
  return (id) => (replies.get(id) ?? []).map(({ tweetId }) => tweetId);
}

interface Edge {
  readonly cursor: string;
  readonly tweetId: string;
  readonly depth: number;
  readonly node: { readonly content: string } | null;
  readonly moreReplies: { readonly count: number; readonly cursor: string } | null;
}

interface Thread {
  readonly edges: readonly Edge[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** What pages have taken at most: different statements, rows and bytes. */
const taken = { pages: 0, statements: 0, rows: 0, bytes: 0, milliseconds: 0 };

async function pageOf(top: string, after: string | null, first: number, args = ''): Promise<Thread> {
  const query = `query ($first: Int, $after: String) { tweet(tweetId: "${top}") { thread(first: $first, after: $after${args}) { edges { cursor tweetId depth node { content } moreReplies { count cursor } } pageInfo { hasNextPage endCursor } } } }`;
  const payload = JSON.stringify({ query, variables: { first, after } });
  const headers = {
    'content-type': 'application/json',
    'x-explain': 'true',
    authorization: await authorization('service'),
  };
  const answer = await server.inject({ method: 'POST', url: '/graphql', headers, payload });
  const { data, errors, extensions } = answer.json<{
    data: { tweet: { thread: Thread } };
    errors?: unknown;
    extensions: {
      cost: { rows: number; bytes: number; milliseconds: number };
      explain: { statement: string }[];
    };
  }>();
  expect(errors).toBeUndefined();
  const { cost, explain } = extensions;
  taken.pages++;
  taken.statements = Math.max(taken.statements, new Set(explain.map(({ statement }) => statement)).size);
  taken.rows = Math.max(taken.rows, cost.rows);
  taken.bytes = Math.max(taken.bytes, cost.bytes);
  taken.milliseconds = Math.max(taken.milliseconds, cost.milliseconds);
  return data.tweet.thread;
}

/** All edges from a cursor on, in pages of the sizes that `sizeOf` gives. */
async function walk(top: string, from: string | null, sizeOf: () => number, args = ''): Promise<Edge[]> {
  const edges: Edge[] = [];
  for (let after = from; ;) {
    const { edges: page, pageInfo } = await pageOf(top, after, sizeOf(), args);
    edges.push(...page);
    if (!pageInfo.hasNextPage) return edges;
    after = pageInfo.endCursor;
  }
}

/** Goes on after some edges of a walk, drawn at random, and expects what followed them. */
async function expectCuts(
  top: string,
  edges: readonly Edge[],
  cuts: number,
  random: ReturnType<typeof randomIntFrom>,
  args = '',
): Promise<void> {
  for (let n = 0; n < cuts; n++) {
    const [at, first] = [random(edges.length), random(1, 101)];
    const { edges: page } = await pageOf(top, edges[at]?.cursor ?? null, first, args);
    expect(page).toEqual(edges.slice(at + 1, at + 1 + first));
  }
}

const told = ({ tweetId, depth, node, moreReplies }: Edge) => [
  tweetId,
  depth,
  node?.content,
  moreReplies?.count ?? 0,
];

/** The rows of each partition of a table whose lists belong to some owner. */
async function partitionsOf(table: string, owner: string): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  const query = `SELECT CAST(${owner} AS text) AS id, bucket FROM ${table}`;
  for await (const row of server.database.stream(query, [])) {
    const key = `${String(Reflect.get(row, 'id'))} ${String(Reflect.get(row, 'bucket'))}`;
    rows.set(key, (rows.get(key) ?? 0) + 1);
  }
  return rows;
}

test(`of ${FLAT} replies to one tweet, all are shown in either order, however the pages are cut, and so is what is below them`, async () => {
  // A few have replies of their own, three levels deep.
  const records = await postAll(1 + FLAT + 90, (n) => {
    const below = n - FLAT - 1;
    if (below < 0) return 0;
    return below % 3 === 0 ? 1 + (below / 3) * Math.floor(FLAT / 31) : n - 1;
  });
  const top = records[0]?.tweetId ?? '';
  if (!isLong) await enlarge(top);
  const childrenOf = childrenIn(records);
  const random = randomIntFrom(4);
  const expected = (ids: readonly string[], depth: number) =>
    ids.map((id) => [id, depth, `tweet ${id}`, childrenOf(id).length]);
  const oldest = await walk(top, null, () => 100);
  const replies = childrenOf(top);
  expect(oldest.map(told)).toEqual([[top, 0, `tweet ${top}`, 0], ...expected(replies, 1)]);
  const newest = await walk(top, null, () => random(80, 101), ', order: NEWEST');
  expect(newest.slice(1).map(told)).toEqual(expected(replies.toReversed(), 1));
  await expectCuts(top, oldest, isLong ? 500 : 20, random);
  await expectCuts(top, newest, isLong ? 500 : 20, random, ', order: NEWEST');

  const all = new Set(oldest.map(({ tweetId }) => tweetId));
  const open = oldest.slice(1);
  for (const { tweetId, depth, moreReplies } of open) {
    if (moreReplies === null) continue;
    const rest = await walk(top, moreReplies.cursor, () => random(1, 4));
    expect(rest.map(told)).toEqual(expected(childrenOf(tweetId), depth + 1));
    for (const edge of rest) all.add(edge.tweetId);
    open.push(...rest);
  }
  expect(all.size).toBe(records.length);
}, 1_800_000);

/** The conversation of so many levels, from its top on. */
let deep: readonly string[] = [];

test(`of ${DEEP} levels, all are shown, level by level, wherever it is cut and gone on with`, async () => {
  const records = await postAll(DEEP, (n) => n - 1);
  deep = records.map(({ tweetId }) => tweetId);
  const top = deep[0] ?? '';
  const random = randomIntFrom(5);
  const depth = 20;
  const expected = (from: number, to: number) =>
    records
      .slice(from, to)
      .map(({ tweetId, content }, n) => [
        tweetId,
        from + n,
        content,
        from + n === to - 1 && to < DEEP ? 1 : 0,
      ]);
  let [shown, cursor]: [number, string | null] = [0, null];
  while (shown < DEEP) {
    const edges = await walk(top, cursor, () => random(5, 60), `, depth: ${depth}`);
    // The tweet whose replies go on is shown already.
    const end = Math.min(DEEP, shown === 0 ? 1 + depth : shown + depth);
    expect(edges.map(told)).toEqual(expected(shown, end));
    if (random(isLong ? 10 : 5) === 0) await expectCuts(top, edges, 3, random, `, depth: ${depth}`);
    shown = end;
    cursor = edges.at(-1)?.moreReplies?.cursor ?? null;
  }
}, 1_800_000);

interface Ancestors {
  readonly nodes: readonly { readonly tweetId: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly endCursor: string | null;
  };
}

async function ancestorsOf(tweetId: string, after: string | null): Promise<Ancestors> {
  const source = `query ($after: String) { tweet(tweetId: "${tweetId}") { ancestors(after: $after) { nodes { tweetId } pageInfo { hasNextPage hasPreviousPage endCursor } } } }`;
  const { data, errors } = await server.query(source, { after }, 'service');
  expect(errors).toEqual([]);
  return (data as { tweet: { ancestors: Ancestors } }).tweet.ancestors;
}

test(`all ${DEEP - 1} ancestors come from the root on, page by page, and once a conversation is too large by the ancestors of the first one`, async () => {
  const expected = deep.slice(0, -1);
  const lowest = deep.at(-1) ?? '';
  const ids = ({ nodes }: Ancestors) => nodes.map(({ tweetId }) => tweetId);
  const down: string[] = [];
  for (let after: string | null = null; ;) {
    const page = await ancestorsOf(lowest, after);
    expect(page.pageInfo.hasPreviousPage).toBe(false);
    down.push(...ids(page));
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) break;
  }
  expect(down).toEqual(expected);
  await enlarge(deep[0] ?? '');
  const up: string[] = [];
  for (let below = lowest, isMore = true; isMore;) {
    const page = await ancestorsOf(below, null);
    up.unshift(...ids(page));
    below = up[0] ?? '';
    isMore = page.pageInfo.hasPreviousPage;
  }
  expect(up).toEqual(expected);
});

test('in a large conversation what is below a deleted reply is reached through its placeholder, and one with nothing below it is gone', async () => {
  // Shapes of replies below one to the top: of each, what it replies to, and whether it is deleted.
  const random = randomIntFrom(6);
  const records = [tweet(GONE_TOP, '1')];
  const deleted = new Set<string>();
  for (let n = 1; n <= 90; n++) {
    const parent = n <= 20 ? GONE_TOP : idAfter(GONE_TOP, random(1, n));
    records.push(replyTo(parent, idAfter(GONE_TOP, n), n));
    if (random(2) === 0) deleted.add(idAfter(GONE_TOP, n));
  }
  await importAll(records);
  await enlarge(GONE_TOP);
  for (const { tweetId, author } of records)
    if (deleted.has(tweetId))
      await act(server, author.userId ?? '', 'deleteTweet', { id: encodeNodeId('Tweet', tweetId) });
  await server.writeServices.outbox.idle();
  const childrenOf = childrenIn(records);
  const isKept = (id: string): boolean => !deleted.has(id) || childrenOf(id).some(isKept);
  const kept = (id: string) => childrenOf(id).filter(isKept);
  const countOf = (id: string) =>
    childrenOf(id).filter((child) => !deleted.has(child)).length || Math.min(1, kept(id).length);
  const expected = (id: string, depth: number) =>
    kept(id).map((child) => [
      child,
      depth,
      deleted.has(child) ? undefined : `tweet ${child}`,
      countOf(child),
    ]);
  const open = (await walk(GONE_TOP, null, () => random(2, 9))).slice(1);
  expect(open.map(told)).toEqual(expected(GONE_TOP, 1));
  for (const { tweetId, depth, moreReplies } of open) {
    if (moreReplies === null) continue;
    const rest = await walk(GONE_TOP, moreReplies.cursor, () => random(1, 4));
    expect(rest.map(told)).toEqual(expected(tweetId, depth + 1));
    open.push(...rest);
  }
  expect(open.map(({ tweetId }) => tweetId).sort()).toEqual(
    records
      .map(({ tweetId }) => tweetId)
      .filter((id) => id !== GONE_TOP && isKept(id))
      .sort(),
  );
});

test('in a large conversation, too, no block hides what answers a deleted tweet', async () => {
  const [answer, below] = [idAfter(BLOCKED_TOP, 1), idAfter(BLOCKED_TOP, 2)];
  await importAll([tweet(BLOCKED_TOP, '3'), replyTo(BLOCKED_TOP, answer, 0), replyTo(answer, below, 1)]);
  await enlarge(BLOCKED_TOP);
  await act(server, '1', 'blockUser', { id: encodeNodeId('User', '2') });
  const shown = async () => {
    const { edges } = await pageOf(BLOCKED_TOP, null, 3);
    const [edge] = await walk(BLOCKED_TOP, edges[1]?.moreReplies?.cursor ?? '', () => 3);
    return [edge?.tweetId, edge?.node?.content];
  };
  expect(await shown()).toEqual([below, undefined]);
  await act(server, '1', 'deleteTweet', { id: encodeNodeId('Tweet', answer) });
  await server.writeServices.outbox.idle();
  expect(await shown()).toEqual([below, `tweet ${below}`]);
  await act(server, '1', 'unblockUser', { id: encodeNodeId('User', '2') });
});

test('cursors of a conversation that has become too large go on exactly, or say how to', async () => {
  const replies = Array.from({ length: 6 }, (_, n) => replyTo(GROWN_TOP, idAfter(GROWN_TOP, 1 + n), n));
  const below = replyTo(idAfter(GROWN_TOP, 6), idAfter(GROWN_TOP, 7), 0);
  await importAll([tweet(GROWN_TOP, '1'), ...replies, below]);
  const unordered = ', order: NEWEST, authorFirst: false, perParent: 2, depth: 1';
  const { edges } = await pageOf(GROWN_TOP, null, 3, unordered);
  const page = await pageOf(GROWN_TOP, null, 3);
  await enlarge(GROWN_TOP);
  const [top, first] = edges;
  const rest = await walk(GROWN_TOP, top?.moreReplies?.cursor ?? '', () => 3, unordered);
  expect([...edges.slice(1), ...rest].map((edge) => told(edge).slice(0, 3))).toEqual(
    replies.toReversed().map(({ tweetId, content }) => [tweetId, 1, content]),
  );
  const deeper = await walk(GROWN_TOP, first?.moreReplies?.cursor ?? '', () => 3, unordered);
  expect(deeper.map(told)).toEqual([[below.tweetId, 2, below.content, 0]]);
  const source = `query ($after: String) { tweet(tweetId: "${GROWN_TOP}") { thread(after: $after) { edges { tweetId } } } }`;
  const { errors } = await server.query(source, { after: page.pageInfo.endCursor });
  const refused = errors.map(({ message, extensions }) => [
    extensions['code'],
    /Begin again without after/.test(message),
  ]);
  expect(refused).toEqual([['BAD_USER_INPUT', true]]);
});

test('pages of these take at most seven statements and a bounded number of rows and bytes, and no partition has 100 MB', async () => {
  const lists = [
    { table: threadEntries, owner: 'root_id' },
    { table: repliesByTweet, owner: 'in_reply_to_id' },
  ];
  const largest = await Promise.all(
    lists.map(async ({ table, owner }) => {
      const partitions = await partitionsOf(table.name, owner);
      const rows = Math.max(...partitions.values());
      return { table: table.name, partitions: partitions.size, rows, bytes: rows * table.rowBytes };
    }),
  );
  if (isLong) process.stderr.write(`${JSON.stringify({ taken, largest })}\n`);
  // The tweets, the replies and deleted ones, their counts, whether authors block each other, and two for the conversation if it has just
  // become too large, or for deleted tweets.
  expect(taken.statements).toBeLessThanOrEqual(7);
  expect(taken.rows).toBeLessThanOrEqual(2 * 10_000 + 1000);
  expect(taken.bytes).toBeLessThanOrEqual(3 * MEGABYTE);
  for (const { rows } of largest) expect(rows).toBeLessThanOrEqual(30_000);
  expect(largest[0]?.bytes).toBeLessThanOrEqual(100 * MEGABYTE);
});
