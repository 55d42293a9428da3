import { LRUCache } from 'lru-cache';
import type { BulkWriter } from '../../kit/data/bulk';
import type { Database } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { createLoad, readMany } from '../../kit/data/load';
import { magnitudeOf } from '../../kit/base/magnitude';
import { buckets } from '../../kit/data/buckets';
import { createTally, tallies } from '../../kit/work/tally';
import { writeOf } from '../../kit/data/write';
import {
  deletedTweets,
  rawTweets,
  repliesByTweet,
  sharesByTweet,
  tweetCounts,
  tweets as tweetsTable,
} from '../../tweet/tweet.table';
import { indexRemovalsOf } from '../../write/tweet/index-rows';
import { likesIn } from '../../tweet/like-count';
import { magnitudesIn, putTopRows } from '../../write/tweet/top-rows';
import { refreshTweetCounts } from '../../write/tweet/tweet-counts';
import { importedCounts } from './import.table';
import type { TweetRecord } from '../records/record';
import { removalsOf } from '../../write/tweet/tweet-rows';
import { shareOf, storeTweet } from './rows';
import { countAll } from './count';
import { writesOfTweet, countSteadily } from './steady';
import type { Writer } from './writer';

/** How many tweets are counted at a time. */
const COUNTED_AT_ONCE = 1000;

/** A tweet whose author is known. */
export interface Authored {
  readonly record: TweetRecord;
  readonly authorId: string;
}

/** What the counts of tweets are shown with. */
type Counting = Parameters<typeof refreshTweetCounts>[0];

/** Writes tweets with their counts. */
export interface Tweets {
  /** Resolves to the UTC days that tweets have left: their records give another time now. */
  add(authored: readonly Authored[]): Promise<readonly string[]>;
  /** Counts every tweet that is there, for what a killed import left. */
  recount(): Promise<void>;
}

/** Makes the tweets of an import. */
export function createTweets(database: Database, writer: Writer, bulk: () => BulkWriter): Tweets {
  const shared = new LRUCache<string, string>({ max: 50_000 });
  const counting = { database, tally: createTally(database), bulk };
  return {
    async add(authored) {
      if (authored.length === 0) return [];
      const last = [...new Map(authored.map((tweet) => [tweet.record.tweetId, tweet])).values()];
      const once = await withoutSecondShares(database, shared, await withoutDeleted(database, last));
      const left = await removeStale(database, writer, once);
      for (const { record, authorId } of once) await storeRecord(writer, record, authorId);
      await writer.flush();
      await showTallies(
        counting,
        once.map(({ record }) => record.tweetId),
      );
      await countTweets(
        database,
        writer,
        once.flatMap(({ record }) =>
          [record.tweetId, record.inReplyToId ?? [], record.sharedTweetId ?? []].flat(),
        ),
      );
      return left;
    },
    async recount() {
      let some: string[] = [];
      const flush = async () => {
        await showTallies(counting, some);
        await countTweets(database, writer, some);
        some = [];
      };
      for await (const row of database.stream('SELECT CAST(tweet_id AS text) AS id FROM tweets', [])) {
        some.push(String(Reflect.get(row, 'id')));
        if (some.length >= COUNTED_AT_ONCE) await flush();
      }
      await flush();
    },
  };
}

/** Leaves out what was deleted here: that is for good. */
async function withoutDeleted(database: Database, authored: readonly Authored[]): Promise<Authored[]> {
  const keys = authored.map(({ record: { tweetId } }) => ({ tweetId }));
  const deleted = await readMany(database, deletedTweets.get, keys);
  return authored.filter((_, place) => deleted[place] === null);
}

/** Leaves out what its author shared before: of two shares of one tweet by one author, the first that came stays. */
async function withoutSecondShares(
  database: Database,
  shared: LRUCache<string, string>,
  authored: readonly Authored[],
): Promise<Authored[]> {
  const load = createLoad(database);
  await Promise.all(
    authored.map(async ({ record: { sharedTweetId }, authorId }) => {
      const key = `${authorId} ${sharedTweetId ?? ''}`;
      if (sharedTweetId === undefined || shared.has(key)) return;
      const share = await load(tallies.get, shareOf(sharedTweetId, authorId));
      if (share?.item != null) shared.set(key, share.item);
    }),
  );
  return authored.filter(({ record: { tweetId, sharedTweetId }, authorId }) => {
    if (sharedTweetId === undefined) return true;
    const key = `${authorId} ${sharedTweetId}`;
    const first = shared.get(key) ?? tweetId;
    shared.set(key, first);
    return first === tweetId;
  });
}

/** Removes what finds tweets by what was in them, where that comes otherwise now. Resolves to the days that they leave. */
async function removeStale(
  database: Database,
  writer: Writer,
  authored: readonly Authored[],
): Promise<string[]> {
  const left: string[] = [];
  const load = createLoad(database);
  const keys = authored.map(({ record: { tweetId } }) => ({ tweetId }));
  const before = await readMany(database, tweetsTable.get, keys);
  for (const [place, { record, authorId }] of authored.entries()) {
    const tweet = before[place];
    if (tweet == null) continue;
    const now = rowOf(record, authorId);
    if (indexedIn(now) === indexedIn(tweet)) continue;
    // As of a moment ago: the new rows are later.
    const at = (Date.now() - 1) * 1000;
    const stood = await magnitudesIn(database, tweet);
    for (const write of await indexRemovalsOf(load, tweet, stood, at, now)) await writer.put(write);
    const isMoved = Number(now.createdAt) !== Number(tweet.createdAt);
    if (isMoved) left.push(tweet.createdAt.toISOString().slice(0, 10));
    // It stands in other months; and a place that is gone is left unset, which would leave the old one.
    if (isMoved || (now.location === null && tweet.location !== null))
      for (const write of removalsOf(tweet, at)) await writer.put(write);
  }
  return left;
}

/** What a tweet is found by. */
function indexedIn({ content, createdAt, location, hashtags, mentions }: Row<typeof tweetsTable>): string {
  const { latitude, longitude } = location ?? {};
  return JSON.stringify([content, createdAt, latitude, longitude, hashtags ?? [], mentions ?? []]);
}

/** The row of a tweet that a source gives. */
function rowOf(record: TweetRecord, authorId: string): Row<typeof tweetsTable> {
  return {
    tweetId: record.tweetId,
    authorId,
    content: record.content,
    createdAt: record.createdAt,
    language: record.language,
    location: record.location ?? null,
    hashtags: record.hashtags,
    mentions: record.mentions,
    inReplyToId: record.inReplyToId ?? null,
    sharedTweetId: record.sharedTweetId ?? null,
    quotedTweetId: record.quotedTweetId ?? null,
  };
}

async function storeRecord(writer: Writer, record: TweetRecord, authorId: string): Promise<void> {
  const { tweetId, likeCount, shareCount, replyCount } = record;
  await storeTweet(writer, rowOf(record, authorId));
  await writer.put(writeOf(rawTweets, { tweetId, raw: record.raw }));
  if (likeCount === undefined && shareCount === undefined && replyCount === undefined) return;
  await writer.put(
    writeOf(importedCounts, {
      tweetId,
      likeCount: likeCount ?? null,
      shareCount: shareCount ?? null,
      replyCount: replyCount ?? null,
    }),
  );
}

/** Has the tallies shown of tweets whose replies or shares were deleted before they came themselves. */
async function showTallies(counting: Counting, tweetIds: readonly string[]): Promise<void> {
  const { database } = counting;
  const keys = tweetIds.map((tweetId) => ({ tweetId }));
  const acts = await readMany(database, writesOfTweet, keys);
  const unshown = tweetIds.filter((_, place) => acts[place]?.version == null);
  const lists = unshown.flatMap((owner) =>
    [repliesByTweet, sharesByTweet].map(({ name }) => ({ owner, list: name, limit: 1 })),
  );
  const known = (await readMany(database, buckets.page, lists)).flat();
  const owners = new Set(known.map(({ owner }) => owner));
  await Promise.all([...owners].map((owner) => refreshTweetCounts(counting, owner)));
}

/** A tweet's counts are those that its source gives, or the number of rows where it gives none; what acts added is apart. */
async function countTweets(database: Database, writer: Writer, tweetIds: readonly string[]): Promise<void> {
  // A tweet that is not here gets its counts when it comes: with a row now, its shares would show that for their own.
  const named = [...new Set(tweetIds)];
  const here = await readMany(
    database,
    tweetsTable.get,
    named.map((tweetId) => ({ tweetId })),
  );
  const stored = here.flatMap((tweet) => tweet ?? []);
  const keys = stored.map(({ tweetId }) => ({ tweetId }));
  const given = await readMany(database, importedCounts.get, keys);
  const uncounted = keys.filter(
    (_, place) => given[place]?.shareCount == null || given[place].replyCount == null,
  );
  const rows = await countRows(database, uncounted);
  const acts = await readMany(database, tweetCounts.get, keys);
  for (const [place, tweet] of stored.entries()) {
    const { tweetId } = tweet;
    const likeCount = given[place]?.likeCount ?? 0;
    const shareCount = given[place]?.shareCount ?? rows.get(tweetId)?.shares ?? 0;
    const replyCount = given[place]?.replyCount ?? rows.get(tweetId)?.replies ?? 0;
    await writer.put(writeOf(tweetCounts, { tweetId, likeCount, shareCount, replyCount }));
    const magnitude = magnitudeOf(likeCount + (acts[place]?.likes ?? 0));
    await putTopRows(writer, tweet, magnitude);
  }
  await writer.flush();
  // Who likes meanwhile may not have seen what was written here: whichever of the two looks last sees both.
  const shown = await readMany(database, tweetCounts.get, keys);
  for (const [place, tweet] of stored.entries()) {
    if ((shown[place]?.likes ?? 0) === (acts[place]?.likes ?? 0)) continue;
    await putTopRows(writer, tweet, magnitudeOf(likesIn(shown[place] ?? null)));
  }
}

/** How many rows of shares and replies some tweets have that no act has counted. */
async function countRows(
  database: Database,
  keys: readonly { tweetId: string }[],
): Promise<ReadonlyMap<string, { shares: number; replies: number }>> {
  const counted = await countSteadily(database, keys, writesOfTweet, async (some) => {
    const ids = some.map(({ tweetId }) => tweetId);
    const [shares, replies] = await Promise.all([
      countAll(database, sharesByTweet, ids, (sharedTweetId, bucket) => ({ sharedTweetId, bucket })),
      countAll(database, repliesByTweet, ids, (inReplyToId, bucket) => ({ inReplyToId, bucket })),
    ]);
    return ids.map((id) => ({ shares: shares.get(id) ?? 0, replies: replies.get(id) ?? 0 }));
  });
  return new Map(
    counted.map(({ key, acts, count }) => [
      key.tweetId,
      {
        shares: (count?.shares ?? 0) - (acts?.shares ?? 0),
        replies: (count?.replies ?? 0) - (acts?.replies ?? 0),
      },
    ]),
  );
}
