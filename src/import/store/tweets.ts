import { createGrowingCache } from '../../kit/base/growing-cache';
import type { Database, Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { magnitudeOf } from '../../kit/base/magnitude';
import { readMany } from '../../kit/reads/load';
import { createTally } from '../../kit/work/tally';
import { writeOf } from '../../kit/cassandra/write';
import {
  rawTweets,
  tweetCounts,
  tweets as tweetsTable,
  type StoredTweet,
} from '../../features/tweet/tweet.table';
import { buildIndexRemovals } from '../../write/tweet/index-rows';
import { readGivenCounts } from './given-counts';
import { isInCircle, type ImportedLinks } from './links';
import { createIndexEntries } from './index-entries';
import { changedAmong } from './changed-tweets';
import { invalidateTweets } from '../../write/tweet/invalidate-tweet';
import type { TweetRecord } from '../records/record';
import { createLinksCheck, repairLinks } from '../../write/thread/repair-links';
import { buildEntryRemoval } from '../../write/tweet/thread-entries';
import { buildTopTweetRemovals, magnitudesIn } from '../../write/tweet/top-rows';
import { buildTweetRemovals } from '../../write/tweet/tweet-rows';
import { makeTweetRow, storeTweet, type Authored } from './rows';
import {
  completeCounts,
  countTweets,
  givenBy,
  listAmongTop,
  listLiked,
  showTallies,
  type Used,
} from './tweet-counts';
import { removeOrphans, withoutDeleted, withoutSecondShares } from './unwanted';
import type { RowWriter } from '../../kit/writes/row-writer';
import type { Outcome } from './outcome';
import { chooseVersions, countsDiffer, decideOutcomes, type Version } from './versions';

/** How many tweets are counted at a time. */
const COUNTED_AT_ONCE = 1000;
/** Of how many tweets with other links at a time the magnitudes are read. */
const MOVED_AT_ONCE = 100;

/** The result of adding tweets. */
interface Added {
  /** The outcome of each, in their order. */
  readonly outcomes: readonly Outcome[];
  /** The UTC days from which tweets have moved, because their records now give another time. */
  readonly formerDays: readonly string[];
}

/** Writes tweets with their counts. */
interface Tweets {
  /** Stores tweets. */
  add(authored: readonly Authored[]): Promise<Added>;
  /** Counts every stored tweet again, because an import that was killed may have left some uncounted. */
  recount(): Promise<void>;
  /** Stores the entries of the indexes that are only in memory. */
  flush(): Promise<void>;
}

/** Creates the `Tweets` of an import. `nameOf` gives the name of a user, for messages. `links` settles the links of tweets to others. */
export function createTweets(
  database: Database,
  writer: RowWriter,
  bulk: () => RowWriter,
  nameOf: (userId: string) => string,
  links: ImportedLinks,
): Tweets {
  const entries = createIndexEntries(database, bulk);
  const shared = createGrowingCache<string>(50_000);
  const counting = { database, tally: createTally(database), bulk };
  return {
    async add(authored) {
      if (authored.length === 0) return { outcomes: [], formerDays: [] };
      const ids = [...new Set(authored.map(({ record: { tweetId } }) => tweetId))];
      const keys = ids.map((tweetId) => ({ tweetId }));
      const found = await readMany(database, tweetsTable.get, keys);
      const stored = new Map(found.flatMap((tweet) => (tweet === null ? [] : [[tweet.tweetId, tweet]])));
      const chosen = chooseVersions(authored, stored, nameOf);
      const { versions } = chosen;
      const last = [...versions.values()].flatMap((version) => version.authored ?? []);
      const once = await withoutSecondShares(database, shared, await withoutDeleted(database, last));
      const before = once.map(({ record: { tweetId } }) => stored.get(tweetId) ?? null);
      const rows = await links.link(once.map(({ record, authorId }) => makeTweetRow(record, authorId)));
      const changed = changedAmong(rows, before);
      await invalidateTweets(database, changed);
      await entries.replaceChanged(rows, before);
      const given = completeCounts(once.map(({ record }) => record));
      /** New tweets whose records give all counts: nothing has to be counted, so these are stored with the tweets. */
      const complete = new Map(
        rows.flatMap((tweet, index) => {
          const counts = given.get(tweet.tweetId);
          return counts === undefined || before[index] !== null ? [] : [[tweet.tweetId, { tweet, counts }]];
        }),
      );
      await listAmongTop(
        writer,
        Array.from(complete.values(), ({ tweet, counts }) => ({
          tweet,
          magnitude: magnitudeOf(counts.importedLikes),
        })),
      );
      const again = once.flatMap(({ record: { tweetId } }) => (stored.has(tweetId) ? [{ tweetId }] : []));
      // These are the given counts, not the shown ones, which include acts.
      const formerCounts = await readGivenCounts(database, again);
      const recountedAgain = again.filter(({ tweetId }, index) =>
        countsDiffer(versions.get(tweetId)?.counts ?? {}, formerCounts[index] ?? {}),
      );
      const magnitudes = await magnitudesOfMoved(database, rows, before);
      for (const [index, { record }] of once.entries()) {
        const [now, former] = [rows[index], before[index]];
        // Directly before the rows that take their places: a removal that is stored alone would lose what only the former row says.
        const stale = now && former ? staleRows(now, former, magnitudes.get(now.tweetId)) : [];
        for (const write of stale) await writer.put(write);
        await storeRecord(writer, record, now);
        const counts = complete.get(record.tweetId)?.counts;
        if (counts !== undefined) await writer.put(writeOf(tweetCounts, counts));
      }
      await writer.flush();
      await invalidateTweets(database, changed);
      await entries.replaceChanged(rows, before);
      await entries.addTweets(rows, before);
      await removeOrphans(database, writer, once);
      // The tallies are read after the counts are stored, so that a like which is counted later sees them.
      const { written, ...used } = await showTallies(
        counting,
        once.map(({ record }) => record.tweetId),
      );
      await links.arrived(lateAmong(rows, before, used));
      await listLiked(writer, entries, [...complete.values()], written);
      const recounted = await storeCounts(database, writer, versions);
      // Also what earlier versions replied to, shared or quoted.
      const { counted, quoted } = countedWith([...rows, ...before.flatMap((tweet) => tweet ?? [])]);
      const known = { given, written, quoted: new Set([...used.quoted, ...quoted]) };
      const uncounted = counted.filter((tweetId) => !complete.has(tweetId));
      await countTweets(database, writer, entries, [...uncounted, ...known.quoted, ...recounted], known);
      const outcomes = decideOutcomes(authored, chosen, {
        taken: new Set(once.map(({ record: { tweetId } }) => tweetId)),
        recounted: new Set([...recounted, ...recountedAgain.map(({ tweetId }) => tweetId)]),
      });
      return { outcomes, formerDays: formerDaysOf(rows, before) };
    },
    async recount() {
      let chunk: string[] = [];
      const checkLinks = createLinksCheck(database);
      const flush = async () => {
        const stored = (
          await readMany(
            database,
            tweetsTable.get,
            chunk.map((tweetId) => ({ tweetId })),
          )
        ).flatMap((tweet) => tweet ?? []);
        await repairLinks(database, writer, await checkLinks(stored));
        await entries.addTweets(stored, stored);
        const { written, quoted } = await showTallies(counting, chunk);
        await countTweets(database, writer, entries, chunk, { given: new Map(), written, quoted });
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

/** The ids of tweets whose replies may have another root, or whose shares do not name their author. */
function lateAmong(
  rows: readonly StoredTweet[],
  before: readonly (StoredTweet | null)[],
  { replied, shared }: Omit<Used, 'quoted'>,
): string[] {
  return rows.flatMap((row, index) => {
    const { tweetId, rootId } = row;
    const former = before[index] ?? null;
    // Replies to a tweet that was not there have taken it for the root.
    const isMoved = (former === null ? tweetId : former.rootId) !== rootId || isInCircle(row);
    return (isMoved && replied.has(tweetId)) || (former === null && shared.has(tweetId)) ? [tweetId] : [];
  });
}

/** The magnitudes under which tweets may be listed that have other links than before, by id. */
async function magnitudesOfMoved(
  database: Database,
  rows: readonly StoredTweet[],
  before: readonly (StoredTweet | null)[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const moved = rows.filter((now, index) => before[index] && hasOtherLinks(now, before[index]));
  const found = new Map<string, readonly number[]>();
  for (let n = 0; n < moved.length; n += MOVED_AT_ONCE)
    await Promise.all(
      moved.slice(n, n + MOVED_AT_ONCE).map(async (tweet) => {
        found.set(tweet.tweetId, await magnitudesIn(database, tweet));
      }),
    );
  return found;
}

/** The removals of the rows of a tweet's former version that do not fit its new text, time, location or links. */
function staleRows(now: StoredTweet, former: StoredTweet, magnitudes: readonly number[] = []): Write[] {
  const entry = now.rootId === former.rootId ? [] : buildEntryRemoval(former);
  const isLinkedAnew = hasOtherLinks(now, former);
  if (indexedIn(now) === indexedIn(former) && !isLinkedAnew) return entry;
  // A millisecond ago, so that the new rows have later timestamps.
  const at = (Date.now() - 1) * 1000;
  // With another time, the new rows are in other buckets, and with another link in other lists. A value that is gone is not written at all,
  // so the old one would stay if the rows were not removed. The record is written over: counts that it does not give again must stay.
  const isElsewhere = hasMoved(now, former) || hasLost(now, former) || isLinkedAnew;
  return [
    ...entry,
    ...buildIndexRemovals(former, at),
    ...(isElsewhere ? buildTweetRemovals(former, at) : []),
    ...(isLinkedAnew ? buildTopTweetRemovals(former, magnitudes, at) : []),
  ];
}

/** The UTC days from which tweets have moved. */
function formerDaysOf(rows: readonly StoredTweet[], before: readonly (StoredTweet | null)[]): string[] {
  return rows.flatMap((now, index) => {
    const former = before[index];
    return former && hasMoved(now, former) ? [former.createdAt.toISOString().slice(0, 10)] : [];
  });
}

/** The tweets whose counts may change with some tweets: these themselves, what they reply to or share, and what they quote. */
function countedWith(tweets: readonly StoredTweet[]): {
  readonly counted: string[];
  readonly quoted: string[];
} {
  return {
    counted: tweets.flatMap(({ tweetId, inReplyToId, sharedTweetId }) =>
      [tweetId, inReplyToId ?? [], sharedTweetId ?? []].flat(),
    ),
    quoted: tweets.flatMap(({ quotedTweetId }) => quotedTweetId ?? []),
  };
}

function hasMoved(now: StoredTweet, former: StoredTweet): boolean {
  return Number(now.createdAt) !== Number(former.createdAt);
}

function hasOtherLinks(now: StoredTweet, former: StoredTweet): boolean {
  return linksOf(now).join() !== linksOf(former).join();
}

/** The tweets that a tweet replies to, shares and quotes. */
function linksOf({ inReplyToId, sharedTweetId, quotedTweetId }: StoredTweet): readonly (string | null)[] {
  return [inReplyToId, sharedTweetId, quotedTweetId];
}

/** Whether a tweet has no location, hashtags or mentions any more. */
function hasLost(now: Row<typeof tweetsTable>, before: Row<typeof tweetsTable>): boolean {
  const kinds = ['location', 'hashtags', 'mentions'] as const;
  const isEmpty = (value: object | null) => value === null || (Array.isArray(value) && value.length === 0);
  return kinds.some((kind) => isEmpty(now[kind]) && !isEmpty(before[kind]));
}

/** The values from which the index rows of a tweet are made, as a string that can be compared. */
function indexedIn({ content, createdAt, location, hashtags, mentions }: Row<typeof tweetsTable>): string {
  const { latitude, longitude } = location ?? {};
  return JSON.stringify([content, createdAt, latitude, longitude, hashtags ?? [], mentions ?? []]);
}

/**
 * Stores the counts that records give of tweets whose stored text stays, because it is more whole. Resolves to the ids of the tweets
 * whose counts change. A tweet that was posted here has no counts of a source.
 */
async function storeCounts(
  database: Database,
  writer: RowWriter,
  versions: ReadonlyMap<string, Version>,
): Promise<string[]> {
  const kept = [...versions].filter(
    ([, { authored, counts }]) => !authored && Object.keys(counts).length > 0,
  );
  if (kept.length === 0) return [];
  const keys = kept.map(([tweetId]) => ({ tweetId }));
  const shown = await readMany(database, tweetCounts.get, keys);
  const changed = kept.filter(([, { counts }], index) => countsDiffer(counts, shown[index] ?? {}));
  const records = await readMany(
    database,
    rawTweets.get,
    changed.map(([tweetId]) => ({ tweetId })),
  );
  const recounted: string[] = [];
  for (const [index, [tweetId, { counts }]] of changed.entries()) {
    const record = records[index];
    if (record == null) continue;
    await writer.put(writeOf(rawTweets, { ...record, ...counts }));
    recounted.push(tweetId);
  }
  await writer.flush();
  return recounted;
}

async function storeRecord(
  writer: RowWriter,
  record: TweetRecord,
  row: StoredTweet | undefined,
): Promise<void> {
  if (row !== undefined) await storeTweet(writer, row);
  await writer.put(writeOf(rawTweets, { ...givenBy(record), raw: record.raw }));
}
