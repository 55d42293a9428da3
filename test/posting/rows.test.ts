import type { Database } from '../../src/kit/cassandra/database';
import { postingsTables } from '../../src/kit/postings/postings.table';
import { tables } from '../../src/app';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { post } from '../support/mutations';
import { tweetNode } from './tweets';

// The table of these rows, with the question that each answers, is in docs/writes.md.

/** Tables that change by themselves, or in which a slow server records something. */
const LEFT_OUT = ['servers', 'server_numbers', 'leases', 'recent_writers', 'outbox_windows', 'late_arrivals'];
/** What an import writes to the index is shared by all tweets of a segment. */
const INDEX = postingsTables.map(({ name }) => name);

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([
    ...['1', '2', '3', '4'].map((id) => person(id, `user${id}`)),
    follow('2', '1'),
    follow('3', '1'),
    tweet('100', '4'),
  ]);
});
afterAll(() => server.close());

/** All rows of the tables that are counted, as JSON. */
async function allRows(database: Database, leftOut: readonly string[]): Promise<Map<string, Set<string>>> {
  const names = tables.map(({ name }) => name).filter((name) => !leftOut.includes(name));
  const rows = names.map(async (name): Promise<[string, Set<string>]> => {
    const found = await database.run(`SELECT JSON * FROM ${name}`);
    return [name, new Set(found.map((row) => String(row['[json]'])))];
  });
  return new Map(await Promise.all(rows));
}

/** How many rows of each table a tweet adds or changes: its own, which have its id, and those that it shares with other tweets. */
async function rowsOf(store: () => Promise<string>, leftOut = LEFT_OUT) {
  const before = await allRows(server.database, leftOut);
  const tweetId = await store();
  await server.writeServices.outbox.idle();
  const counts = { own: new Map<string, number>(), shared: new Map<string, number>() };
  for (const [name, rows] of await allRows(server.database, leftOut))
    for (const row of rows) {
      if (before.get(name)?.has(row)) continue;
      const byTable = row.includes(tweetId) ? counts.own : counts.shared;
      byTable.set(name, (byTable.get(name) ?? 0) + 1);
    }
  return { own: Object.fromEntries(counts.own), shared: Object.fromEntries(counts.shared) };
}

const posted = (input: Readonly<Record<string, unknown>>) => async () =>
  (await post(server, '1', input)).tweetId;

test('a plain tweet of an author with two followers has nine rows of its own, and changes six', async () => {
  expect(await rowsOf(posted({ content: 'a few words', language: 'en' }))).toEqual({
    own: {
      tweets: 1,
      tweets_by_author: 1,
      tweets_by_day: 1,
      tweets_by_minute: 1,
      unsealed_entries: 1,
      timelines_by_user: 2,
      // One for the count of the author, one for that of the minute.
      tallies: 2,
    },
    shared: { user_counts: 1, tweet_frequency: 3, tallies: 2 },
  });
});

const TEXT = '#one #two @user2 @user3 in a few words';
const PLACE = { latitude: 52.5, longitude: 13.4, country: 'Germany' };

test('a reply with two hashtags, two mentions, a quote and a place has 27 rows of its own, and changes 14', async () => {
  const target = tweetNode('100');
  const rich = { content: TEXT, language: 'de', location: PLACE, inReplyTo: target, quotes: target };
  expect(await rowsOf(posted(rich))).toEqual({
    own: {
      tweets: 1,
      tweets_by_author: 1,
      tweets_by_day: 1,
      tweets_by_minute: 1,
      unsealed_entries: 1,
      timelines_by_user: 2,
      replies_by_tweet: 1,
      quotes_by_tweet: 1,
      thread_entries: 1,
      hashtags_by_hour: 2,
      tweets_by_area: 5,
      tallies: 4,
      notified_by_tweet: 3,
      notifications_by_user: 3,
    },
    shared: { user_counts: 1, tweet_counts: 1, tweet_frequency: 3, tallies: 4, buckets: 5 },
  });
});

test('an imported tweet has its record and its counts besides, and no rows of tallies', async () => {
  const tweetId = '2000000000000000001';
  const store = async () => {
    await server.store([tweet(tweetId, '1')]);
    return tweetId;
  };
  expect(await rowsOf(store, [...LEFT_OUT, ...INDEX])).toEqual({
    own: {
      tweets: 1,
      tweets_by_author: 1,
      tweets_by_day: 1,
      tweets_by_minute: 1,
      timelines_by_user: 2,
      raw_tweets: 1,
      tweet_counts: 1,
    },
    shared: { user_counts: 1, tweet_frequency: 3 },
  });
});

test('an imported tweet with likes is also among the most liked of its author and of the replies', async () => {
  const tweetId = '2000000000000000002';
  const rich = {
    content: TEXT,
    createdAt: new Date(),
    language: 'fr',
    hashtags: ['one', 'two'],
    mentions: ['user2', 'user3'],
    location: { ...PLACE, latitude: -33.9 },
    inReplyToId: '100',
    quotedTweetId: '100',
    likeCount: 5,
  };
  const store = async () => {
    await server.store([tweet(tweetId, '1', 0, rich)]);
    return tweetId;
  };
  expect(await rowsOf(store, [...LEFT_OUT, ...INDEX])).toEqual({
    own: {
      tweets: 1,
      tweets_by_author: 1,
      top_tweets_by_author: 1,
      tweets_by_day: 1,
      tweets_by_minute: 1,
      timelines_by_user: 2,
      replies_by_tweet: 1,
      quotes_by_tweet: 1,
      thread_entries: 1,
      top_replies_by_tweet: 1,
      hashtags_by_hour: 2,
      tweets_by_area: 5,
      raw_tweets: 1,
      tweet_counts: 1,
    },
    shared: { user_counts: 1, tweet_counts: 1, tweet_frequency: 3, buckets: 5 },
  });
});
