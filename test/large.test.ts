import { Client } from 'cassandra-driver';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { createGroupingWriter } from '../src/kit/writes/grouping-writer';
import { createBulkWriter } from '../src/kit/writes/bulk';
import { encodePosition, listBuckets } from '../src/kit/lists/list-buckets';
import { bucketAssignerOf } from '../src/kit/lists/bucket-assigner';
import type { Database, Write } from '../src/kit/cassandra/database';
import { writeBytes, MAX_BATCH_BYTES, writeOf } from '../src/kit/cassandra/write';
import { publishArticle } from '../src/write/news/publish-article';
import { buildIndexRows } from '../src/write/tweet/index-rows';
import { buildTweetRemovals, tweetRows } from '../src/write/tweet/tweet-rows';
import { timelinesByUser } from '../src/features/timeline/timeline.lists';
import { findHashtags } from '../src/write/tweet/text';
import { follow, person, startHarness, tweet, type Harness } from './support/harness';
import { act, ask, plain, post } from './support/mutations';

const [READER, AUTHOR] = ['1', '2'];
let server: Harness;
let client: Client;
beforeAll(async () => {
  server = await startHarness();
  const { contactPoints, localDatacenter, keyspace } = server.config.cassandra;
  client = new Client({
    contactPoints: [...(contactPoints ?? [])],
    localDataCenter: localDatacenter,
    keyspace,
  });
  await server.store([person(READER, 'reader'), person(AUTHOR, 'author'), follow(READER, AUTHOR)]);
});
afterAll(async () => {
  await client.shutdown();
  await server.close();
});

/** So many Chinese characters, most of them different: three bytes each in UTF-8. */
const chinese = (length: number) =>
  Array.from({ length }, (_, n) => String.fromCodePoint(0x4e00 + (n % 20_000))).join('');
const family = '👨🏻‍👩🏼‍👧🏽‍👦🏾';
/** A hashtag of four graphemes, of which each but the sign carries many marks. */
const heavyTag = (n: number, marks: number) =>
  `#${[1, 2, 3].map((k) => `${chinese(3 * n + k).slice(-1)}${'\u3099'.repeat(marks)}`).join('')} `;
/** Texts at the edge of what may be posted: 500 graphemes, 4,000 bytes of UTF-8, 8 marks on a letter. */
const heaviest: Readonly<Record<string, string>> = {
  'of 97 families of emoji': family.repeat(97),
  'of 500 words of one Chinese character': chinese(500),
  'of 148 characters with marks': `字${'\u3099'.repeat(8)}`.repeat(148),
  'of hashtags with many marks': Array.from({ length: 48 }, (_, n) => heavyTag(n, 8)).join(''),
  'of hashtags with some marks': Array.from({ length: 100 }, (_, n) => heavyTag(n, 2)).join(''),
  'of a hundred hashtags': Array.from({ length: 100 }, (_, n) => `#${chinese(n + 3).slice(-3)} `).join(''),
};

const timeline = async () => {
  await server.writeServices.outbox.idle();
  const data = await ask(
    server,
    '{ user(username: "reader") { timeline(first: 3) { nodes { id content } } } }',
  );
  return (data as { user: { timeline: { nodes: { id: string; content: string }[] } } }).user.timeline.nodes;
};

test.each(Object.entries(heaviest))(
  'a reply and quote %s is posted, shared and deleted within the batches that Cassandra takes by default',
  async (_name, content) => {
    const { id: target } = await post(server, READER, { content: 'What is the longest?' });
    const { id } = await post(server, AUTHOR, { content, inReplyTo: target, quotes: target });
    const lists = `{ tweet: node(id: "${id}") { ... on Tweet { content } } target: node(id: "${target}") { ... on Tweet { replyCount replies { nodes { id content } } } } user(username: "author") { tweets(first: 1) { nodes { id content } } } }`;
    expect(await ask(server, lists)).toEqual({
      tweet: { content },
      target: { replyCount: 1, replies: { nodes: [{ id, content }] } },
      user: { tweets: { nodes: [{ id, content }] } },
    });
    await act(server, AUTHOR, 'shareTweet', { id });
    expect((await timeline()).map((one) => one.content)).toEqual(expect.arrayContaining([content, content]));

    await act(server, AUTHOR, 'deleteTweet', { id });
    expect(await ask(server, lists)).toEqual({
      tweet: null,
      target: { replyCount: 0, replies: { nodes: [] } },
      user: { tweets: { nodes: [] } },
    });
    expect(await timeline()).toEqual([]);
  },
);

test('an article of 100,000 bytes is published, and whole in its lists', async () => {
  const [title, body] = [chinese(200), `${chinese(33_333)}.`];
  const { articleId, publishedAt } = await publishArticle(server.writeServices, AUTHOR, null, {
    title,
    body,
    tags: [],
  });
  const id = encodeNodeId('Article', articleId);
  const nodes = [{ id, title, body }];
  expect(
    await ask(
      server,
      `{ article(id: "${id}") { id title body } user(username: "author") { articles { nodes { id title body } } } articlesOfDay(day: "${publishedAt.toISOString().slice(0, 10)}") { nodes { id title body } } }`,
    ),
  ).toEqual({ article: nodes[0], user: { articles: { nodes } }, articlesOfDay: { nodes } });
});

test('a tweet of 10,000 Chinese characters is imported with a record of a megabyte, and shared', async () => {
  const content = '長い長い話'.repeat(2000);
  const record = { text: content, padding: '長'.repeat(350_000) };
  const raw = JSON.stringify(record);
  await server.store([
    tweet('77', AUTHOR, 0, {
      content,
      raw,
      hashtags: Array.from({ length: 100 }, (_, n) => content.slice(0, 30 + n)),
    }),
    ...Array.from({ length: 20 }, (_, n) => tweet(String(100 + n), AUTHOR, 1, { content })),
  ]);
  const id = encodeNodeId('Tweet', '77');
  expect(await ask(server, `{ node(id: "${id}") { ... on Tweet { content raw } } }`)).toEqual({
    node: { content, raw: record },
  });
  await act(server, READER, 'shareTweet', { id });
  expect(
    await ask(server, '{ user(username: "reader") { tweets(first: 1) { nodes { content } } } }'),
  ).toEqual({
    user: { tweets: { nodes: [{ content }] } },
  });
});

/** A tweet of a text, as it is stored. */
const rowWith = (content: string, tweetId = '900') => ({
  ...plain,
  content,
  hashtags: findHashtags(content),
  tweetId,
  authorId: AUTHOR,
  createdAt: new Date('2026-01-02'),
  inReplyToId: '77',
  location: { latitude: 1, longitude: 2, country: '日本' },
});
const sizeOf = (writes: readonly Write[]) => writes.reduce((sum, write) => sum + writeBytes(write), 0);

test('writes are counted as what Cassandra counts, or a little more', async () => {
  const texts = [...Object.values(heaviest), 'plain text'.repeat(120)].map((text) => text.slice(0, 1200));
  const batches = texts.flatMap((text) => [
    tweetRows(rowWith(text)),
    Array.from({ length: 12 }, (_, n) =>
      writeOf(timelinesByUser, { ...rowWith(text.slice(0, 300)), userId: String(n) }, { at: 1, ttl: 100 }),
    ),
  ]);
  for (const writes of batches) {
    const counted = await countedBy(writes);
    expect(sizeOf(writes)).toBeGreaterThanOrEqual(counted);
    expect(sizeOf(writes)).toBeLessThan(1.2 * counted);
  }
  // Of what is only a key Cassandra counts less: nothing of its cells.
  const keys = Array.from({ length: 30 }, (_, n) => buildIndexRows(rowWith('', String(n))).writes).flat();
  const removals = Array.from({ length: 150 }, (_, n) =>
    buildTweetRemovals(rowWith('', String(n)), 1),
  ).flat();
  for (const writes of [keys, removals])
    expect(sizeOf(writes)).toBeGreaterThanOrEqual(await countedBy(writes));
});

/** How many bytes Cassandra says that a batch has, which it says only of more than 5 KiB and less than 50. */
async function countedBy(writes: readonly Write[]): Promise<number> {
  const assigned = await bucketAssignerOf(server.database).assignBuckets(writes);
  const queries = assigned.map(({ query, params }) => ({ query, params: [...params] }));
  const { info } = await client.batch(queries, { prepare: true, logged: false });
  return Number(/is of size (\d+),/.exec(String(info.warnings))?.[1]);
}

test('no batch of those who write many rows is larger than Cassandra takes without a warning', async () => {
  const sizes: number[] = [];
  const database: Database = {
    ...server.database,
    batch(writes, options) {
      if (new Set(writes.map(({ partition }) => partition)).size > 1) sizes.push(sizeOf(writes));
      return server.database.batch(writes, options);
    },
  };
  const bulk = createBulkWriter(database)();
  for (const writer of [bulk, createGroupingWriter(database)]) {
    sizes.length = 0;
    for (const [n, text] of [
      ...Object.values(heaviest),
      ...Array.from({ length: 100 }, () => 'short'),
    ].entries())
      for (const write of [...tweetRows(rowWith(text, String(n))), ...buildIndexRows(rowWith(text)).writes])
        await writer.put(write);
    await writer.flush();
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_BATCH_BYTES);
  }
});

test('rows of one partition go out together, and those of a split list in batches that Cassandra takes', async () => {
  const batches: (readonly Write[])[] = [];
  const database: Database = {
    ...server.database,
    batch(writes, options) {
      batches.push(writes);
      return server.database.batch(writes, options);
    },
  };
  const rowsOfReader = (userId: string) =>
    Array.from({ length: 300 }, (_, n) =>
      writeOf(timelinesByUser, { ...rowWith('plain text'.repeat(10), String(1000 + n)), userId }, { at: 1 }),
    );
  const partitionsOf = (batch: readonly Write[]) => new Set(batch.map(({ partition }) => partition)).size;
  const store = async (userId: string) => {
    batches.length = 0;
    const writer = createGroupingWriter(database);
    for (const write of rowsOfReader(userId)) await writer.put(write);
    await writer.flush();
    expect(batches.flat()).toHaveLength(300);
    for (const batch of batches)
      if (partitionsOf(batch) > 1) expect(sizeOf(batch)).toBeLessThanOrEqual(MAX_BATCH_BYTES);
  };
  await store('71');
  expect(batches.length).toBeLessThan(6);
  // Every other row belongs to another bucket.
  const list = { owner: '72', list: timelinesByUser.name, others: [], effectiveAt: new Date(1) };
  const stretches = Array.from({ length: 301 }, (_, n) => ({
    since: n === 300 ? '' : encodePosition([String(1000 + n)]),
    bucket: n % 2,
  }));
  for (const stretch of stretches) {
    const { query, params } = writeOf(listBuckets, { ...list, ...stretch, buckets: 2 });
    await database.write(query, params);
  }
  await store('72');
  const sizes = batches.map(sizeOf);
  expect(Math.max(...sizes)).toBeGreaterThan(MAX_BATCH_BYTES);
  for (const bucket of [0, 1]) {
    const rows = await database.read(timelinesByUser.positions, ['72', bucket, 1000]);
    expect(rows).toHaveLength(150);
  }
});
