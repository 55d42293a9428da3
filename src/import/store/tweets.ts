import { LRUCache } from 'lru-cache';
import type { Database } from '../../kit/cassandra/database';
import type { Statement } from '../../kit/cassandra/statement';
import type { Row } from '../../kit/cassandra/table';
import { readMany } from '../../kit/data/load';
import { magnitudeOf } from '../../kit/base/magnitude';
import { countRows } from '../../kit/lists/count-rows';
import { createTally } from '../../kit/work/tally';
import { writeOf } from '../../kit/data/write';
import {
  rawTweets,
  repliesByTweet,
  sharesByTweet,
  tweetCounts,
  tweets as tweetsTable,
} from '../../tweet/tweet.table';
import { indexRemovalsOf } from '../../write/tweet/index-rows';
import { likesIn } from '../../tweet/like-count';
import { topRowsOf } from '../../write/tweet/top-rows';
import { refreshTweetCounts } from '../../write/tweet/tweet-counts';
import { createIndexEntries, type IndexEntries } from './index-entries';
import { importedCounts } from './import.table';
import type { TweetRecord } from '../records/record';
import { removalsOf } from '../../write/tweet/tweet-rows';
import { rowOf, storeTweet, type Authored } from './rows';
import { removeOrphans, withoutDeleted, withoutSecondShares } from './unwanted';
import { writesOfTweet, countAtVersion } from './count-at-version';
import type { RowWriter } from '../../kit/data/row-writer';

/** How many tweets are counted at a time. */
const COUNTED_AT_ONCE = 1000;

type Counting = Parameters<typeof refreshTweetCounts>[0];
type GivenRow = Row<typeof importedCounts>;
type CountsRow = Row<typeof tweetCounts>;
/** Counts that a record gives, all of them, so that nothing is left of an earlier import. */
interface CompleteRow {
  readonly tweetId: string;
  readonly likeCount: number;
  readonly shareCount: number;
  readonly replyCount: number;
}

/** What is known of tweets, by id, and need not be read. */
interface Known {
  /** The counts that the source of a tweet gave. */
  readonly given: ReadonlyMap<string, GivenRow>;
  /** Its row of counts as it was before the counting; null if there was none. */
  readonly written: ReadonlyMap<string, CountsRow | null>;
}

/** Writes tweets with their counts. */
export interface Tweets {
  /** Stores tweets. Resolves to the UTC days from which tweets have moved, because their records now give another time. */
  add(authored: readonly Authored[]): Promise<readonly string[]>;
  /** Counts every stored tweet again, because an import that was killed may have left some uncounted. */
  recount(): Promise<void>;
  /** Stores the entries of the indexes that are only in memory. */
  flush(): Promise<void>;
}

/** Creates the `Tweets` of an import. */
export function createTweets(database: Database, writer: RowWriter, bulk: () => RowWriter): Tweets {
  const entries = createIndexEntries(database, bulk);
  const shared = new LRUCache<string, string>({ max: 50_000 });
  const counting = { database, tally: createTally(database), bulk };
  return {
    async add(authored) {
      if (authored.length === 0) return [];
      const last = [...new Map(authored.map((tweet) => [tweet.record.tweetId, tweet])).values()];
      const once = await withoutSecondShares(database, shared, await withoutDeleted(database, last));
      const before = await readMany(
        database,
        tweetsTable.get,
        once.map(({ record: { tweetId } }) => ({ tweetId })),
      );
      const formerDays = await removeStale(writer, once, before);
      const rows = once.map(({ record, authorId }) => rowOf(record, authorId));
      await entries.replaceChanged(rows, before);
      const given = new Map<string, CompleteRow>();
      /** New tweets whose records give all counts: nothing has to be counted, so these are stored with the tweets. */
      const complete = new Map<string, CompleteRow>();
      for (const [index, { record, authorId }] of once.entries()) {
        const counts = givenBy(record);
        await storeRecord(writer, record, authorId, counts);
        if (counts === undefined || !isComplete(counts)) continue;
        given.set(counts.tweetId, counts);
        if (before[index] !== null) continue;
        complete.set(counts.tweetId, counts);
        await writer.put(writeOf(tweetCounts, counts));
      }
      await writer.flush();
      await entries.addTweets(rows, before);
      await removeOrphans(database, writer, once);
      // Read after the counts are stored: a like that is counted later sees them.
      const written = await showTallies(
        counting,
        once.map(({ record }) => record.tweetId),
      );
      await listLiked(writer, entries, rows, complete, written);
      const counted = once
        .flatMap(({ record }) =>
          [record.tweetId, record.inReplyToId ?? [], record.sharedTweetId ?? []].flat(),
        )
        .filter((tweetId) => !complete.has(tweetId));
      await countTweets(database, writer, entries, counted, { given, written });
      return formerDays;
    },
    async recount() {
      let chunk: string[] = [];
      const flush = async () => {
        const stored = (
          await readMany(
            database,
            tweetsTable.get,
            chunk.map((tweetId) => ({ tweetId })),
          )
        ).flatMap((tweet) => tweet ?? []);
        await entries.addTweets(stored, stored);
        const written = await showTallies(counting, chunk);
        await countTweets(database, writer, entries, chunk, { given: new Map(), written });
        chunk = [];
      };
      for await (const row of database.stream('SELECT CAST(tweet_id AS text) AS id FROM tweets', [])) {
        chunk.push(String(Reflect.get(row, 'id')));
        if (chunk.length >= COUNTED_AT_ONCE) await flush();
      }
      await flush();
    },
    flush: () => entries.flush(),
  };
}

/**
 * Removes the index rows of stored tweets whose text, time or location has changed. Resolves to the UTC days from which
 * tweets have moved.
 */
async function removeStale(
  writer: RowWriter,
  authored: readonly Authored[],
  before: readonly (Row<typeof tweetsTable> | null)[],
): Promise<string[]> {
  const formerDays: string[] = [];
  for (const [index, { record, authorId }] of authored.entries()) {
    const tweet = before[index];
    if (tweet == null) continue;
    const now = rowOf(record, authorId);
    if (indexedIn(now) === indexedIn(tweet)) continue;
    // A millisecond ago, so that the new rows have later timestamps.
    const at = (Date.now() - 1) * 1000;
    for (const write of indexRemovalsOf(tweet, at)) await writer.put(write);
    const isMoved = Number(now.createdAt) !== Number(tweet.createdAt);
    if (isMoved) formerDays.push(tweet.createdAt.toISOString().slice(0, 10));
    // With another time, the new rows are in other buckets. A location that is gone is not written at all, so the old one
    // would stay if the rows were not removed.
    if (isMoved || (now.location === null && tweet.location !== null))
      for (const write of removalsOf(tweet, at)) await writer.put(write);
  }
  return formerDays;
}

/** What the index rows of a tweet are made from, as a string that can be compared. */
function indexedIn({ content, createdAt, location, hashtags, mentions }: Row<typeof tweetsTable>): string {
  const { latitude, longitude } = location ?? {};
  return JSON.stringify([content, createdAt, latitude, longitude, hashtags ?? [], mentions ?? []]);
}

/** Lists new tweets whose counts are stored among the most liked. */
async function listLiked(
  writer: RowWriter,
  entries: IndexEntries,
  rows: readonly Row<typeof tweetsTable>[],
  complete: ReadonlyMap<string, CompleteRow>,
  written: ReadonlyMap<string, CountsRow | null>,
): Promise<void> {
  const liked = rows.flatMap((tweet) => {
    const counts = complete.get(tweet.tweetId);
    if (counts === undefined) return [];
    return { tweet, magnitude: magnitudeOf(counts.likeCount + (written.get(tweet.tweetId)?.likes ?? 0)) };
  });
  await entries.addLiked(liked);
  for (const { tweet, magnitude } of liked)
    for (const write of topRowsOf(tweet, magnitude)) await writer.put(write);
}

async function storeRecord(
  writer: RowWriter,
  record: TweetRecord,
  authorId: string,
  given: GivenRow | undefined,
): Promise<void> {
  const { tweetId, raw } = record;
  await storeTweet(writer, rowOf(record, authorId));
  await writer.put(writeOf(rawTweets, { tweetId, raw }));
  if (given !== undefined) await writer.put(writeOf(importedCounts, given));
}

/** The row of the counts that a record gives; undefined if it gives none. Counts that it does not give stay as they are. */
function givenBy({ tweetId, likeCount, shareCount, replyCount }: TweetRecord): GivenRow | undefined {
  if (likeCount === undefined && shareCount === undefined && replyCount === undefined) return undefined;
  return {
    tweetId,
    likeCount: likeCount ?? null,
    shareCount: shareCount ?? null,
    replyCount: replyCount ?? null,
  };
}

function isComplete(row: GivenRow): row is CompleteRow {
  return row.likeCount !== null && row.shareCount !== null && row.replyCount !== null;
}

/**
 * Copies the tallies into the counts of tweets whose replies or shares were deleted here before the tweets themselves
 * were imported. Resolves to the rows of counts of all other tweets, by id; null for a tweet without one.
 */
async function showTallies(
  counting: Counting,
  tweetIds: readonly string[],
): Promise<Map<string, CountsRow | null>> {
  const { database } = counting;
  const keys = tweetIds.map((tweetId) => ({ tweetId }));
  const writes = await readMany(database, writesOfTweet, keys);
  const unshown = tweetIds.filter((_, index) => writes[index]?.version == null);
  const [replies, shares] = await Promise.all([
    readMany(
      database,
      repliesByTweet.slice,
      unshown.map((inReplyToId) => ({ inReplyToId, bucket: 0, limit: 1 })),
    ),
    readMany(
      database,
      sharesByTweet.slice,
      unshown.map((sharedTweetId) => ({ sharedTweetId, bucket: 0, limit: 1 })),
    ),
  ]);
  const used = unshown.filter(
    (_, index) => replies[index]?.statics != null || shares[index]?.statics != null,
  );
  await Promise.all(used.map((owner) => refreshTweetCounts(counting, owner)));
  const unchanged = new Map(tweetIds.map((tweetId, index) => [tweetId, writes[index] ?? null]));
  for (const tweetId of used) unchanged.delete(tweetId);
  return unchanged;
}

/** Writes the counts of tweets: those that the source gives, else the number of rows. What writes added is kept separately. */
async function countTweets(
  database: Database,
  writer: RowWriter,
  entries: IndexEntries,
  tweetIds: readonly string[],
  known: Known,
): Promise<void> {
  // A tweet that is not stored gets its counts when it is imported. With a row of counts now, its shares would show
  // those counts as their own.
  const uniqueIds = [...new Set(tweetIds)];
  if (uniqueIds.length === 0) return;
  const found = await readMany(
    database,
    tweetsTable.get,
    uniqueIds.map((tweetId) => ({ tweetId })),
  );
  const stored = found.flatMap((tweet) => tweet ?? []);
  const keys = stored.map(({ tweetId }) => ({ tweetId }));
  const given = await readUnknown(database, importedCounts.get, keys, known.given);
  const uncounted = keys.filter(
    (_, index) => given[index]?.shareCount == null || given[index].replyCount == null,
  );
  const rows = await countUncounted(database, uncounted);
  const written = await readUnknown(database, tweetCounts.get, keys, known.written);
  const counted = stored.map((tweet, index) => {
    const { tweetId } = tweet;
    const likeCount = given[index]?.likeCount ?? 0;
    const shareCount = given[index]?.shareCount ?? rows.get(tweetId)?.shares ?? 0;
    const replyCount = given[index]?.replyCount ?? rows.get(tweetId)?.replies ?? 0;
    const magnitude = magnitudeOf(likeCount + (written[index]?.likes ?? 0));
    return { tweet, magnitude, counts: { tweetId, likeCount, shareCount, replyCount } };
  });
  await entries.addLiked(counted);
  for (const { tweet, magnitude, counts } of counted) {
    for (const write of topRowsOf(tweet, magnitude)) await writer.put(write);
    await writer.put(writeOf(tweetCounts, counts));
  }
  await writer.flush();
  // A like that is counted meanwhile may not have seen the counts written here. Both sides look again after they write,
  // so the one that looks last sees both.
  const shown = await readMany(database, tweetCounts.get, keys);
  for (const [index, tweet] of stored.entries()) {
    if ((shown[index]?.likes ?? 0) === (written[index]?.likes ?? 0)) continue;
    const magnitude = magnitudeOf(likesIn(shown[index] ?? null));
    for (const write of topRowsOf(tweet, magnitude)) await writer.put(write);
    await entries.addLiked([{ tweet, magnitude }]);
  }
}

/** The rows of some tweets, in the order of the keys. Rows that are known are not read. */
async function readUnknown<R extends object>(
  database: Database,
  statement: Statement<{ tweetId: string }, R | null>,
  keys: readonly { tweetId: string }[],
  known: ReadonlyMap<string, R | null>,
): Promise<(R | null)[]> {
  const unknown = keys.filter(({ tweetId }) => !known.has(tweetId));
  const rows = await readMany(database, statement, unknown);
  const read = new Map(unknown.map(({ tweetId }, index) => [tweetId, rows[index] ?? null]));
  return keys.map(({ tweetId }) => known.get(tweetId) ?? read.get(tweetId) ?? null);
}

/** Counts the rows of shares and replies of tweets that writes have not counted. */
async function countUncounted(
  database: Database,
  keys: readonly { tweetId: string }[],
): Promise<ReadonlyMap<string, { shares: number; replies: number }>> {
  const counted = await countAtVersion(database, keys, writesOfTweet, async (chunk) => {
    const ids = chunk.map(({ tweetId }) => tweetId);
    const [shares, replies] = await Promise.all([
      countRows(database, sharesByTweet, ids),
      countRows(database, repliesByTweet, ids),
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
