import type { Database } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { readMany } from '../../kit/reads/load';
import { magnitudeOf } from '../../kit/base/magnitude';
import { countRows } from '../../kit/lists/count-rows';
import { putAll, type RowWriter } from '../../kit/writes/row-writer';
import { writeOf } from '../../kit/cassandra/write';
import { quotesByTweet, repliesByTweet, sharesByTweet } from '../../features/tweet/tweet.lists';
import {
  tweetCounts,
  tweets as tweetsTable,
  likesIn,
  type GivenCounts,
} from '../../features/tweet/tweet.table';
import { buildTopTweetRows } from '../../write/tweet/top-rows';
import { LIKE_TASK } from '../../write/like/set-liked';
import { refreshTweetCounts } from '../../write/tweet/tweet-counts';
import type { IndexEntries, LikedTweet } from './index-entries';
import { readGivenCounts } from './given-counts';
import type { TweetRecord } from '../records/record';
import { writesOfTweet, countAtVersion, waitForWrites } from './count-at-version';

type Counting = Parameters<typeof refreshTweetCounts>[0];
type TweetRow = Row<typeof tweetsTable>;
type CountsRow = Row<typeof tweetCounts>;
/** The counts that a record gives, without that of quotes: few sources give one, and an earlier import must leave none behind. */
interface CompleteRow {
  readonly tweetId: string;
  readonly importedLikes: number;
  readonly importedShares: number;
  readonly importedReplies: number;
  readonly importedQuotes: number | null;
}

/** The known tweets and counts, by id, which need not be read. */
interface Known {
  /** The counts that the source of a tweet gave. */
  readonly given: ReadonlyMap<string, GivenCounts>;
  /** Its row of counts as it was before the counting; null if there was none. */
  readonly written: ReadonlyMap<string, CountsRow | null>;
  /** The tweets that may have quotes. */
  readonly quoted: ReadonlySet<string>;
}

/** The tweets that may have replies, shares or quotes. */
export interface Used {
  readonly replied: ReadonlySet<string>;
  readonly shared: ReadonlySet<string>;
  readonly quoted: ReadonlySet<string>;
}

/** Returns the counts that a record gives. Other counts stay as they are. */
export function givenBy(record: TweetRecord): GivenCounts {
  const { tweetId, likeCount, shareCount, replyCount, quoteCount } = record;
  return {
    tweetId,
    importedLikes: likeCount ?? null,
    importedShares: shareCount ?? null,
    importedReplies: replyCount ?? null,
    importedQuotes: quoteCount ?? null,
  };
}

function isComplete(row: GivenCounts): row is CompleteRow {
  return row.importedLikes !== null && row.importedShares !== null && row.importedReplies !== null;
}

/** The counts of the tweets whose records give all of them, by id. */
export function completeCounts(records: readonly TweetRecord[]): ReadonlyMap<string, CompleteRow> {
  const complete = new Map<string, CompleteRow>();
  for (const record of records) {
    const counts = givenBy(record);
    if (isComplete(counts)) complete.set(counts.tweetId, counts);
  }
  return complete;
}

/**
 * Stores the rows that list tweets among the most liked. They must be there before the counts are, which have readers look
 * for them.
 */
export async function listAmongTop(writer: RowWriter, liked: readonly LikedTweet[]): Promise<void> {
  const rows = liked.flatMap(({ tweet, magnitude }) => buildTopTweetRows(tweet, magnitude));
  if (rows.length > 0) await putAll(writer, rows);
}

/**
 * Adds new tweets whose counts are stored to the index of the liked ones, and lists those among the most liked again whose
 * magnitude is not the one that their records give.
 */
export async function listLiked(
  writer: RowWriter,
  entries: IndexEntries,
  complete: readonly { readonly tweet: TweetRow; readonly counts: CompleteRow }[],
  written: ReadonlyMap<string, CountsRow | null>,
): Promise<void> {
  const liked = complete.map(({ tweet, counts }) => ({
    tweet,
    given: magnitudeOf(counts.importedLikes),
    magnitude: magnitudeOf(Math.max(0, counts.importedLikes + (written.get(tweet.tweetId)?.likes ?? 0))),
  }));
  await entries.addLiked(liked);
  await listAmongTop(
    writer,
    liked.filter(({ given, magnitude }) => magnitude !== given),
  );
}

/**
 * Copies the tallies into the counts of tweets whose replies, shares or quotes were deleted here before the tweets themselves
 * were imported. Resolves to the rows of counts of all other tweets, by id, null for a tweet without one; and to those that may have
 * replies, shares or quotes.
 */
export async function showTallies(
  counting: Counting,
  tweetIds: readonly string[],
): Promise<{ readonly written: Map<string, CountsRow | null> } & Used> {
  const { database } = counting;
  const keys = tweetIds.map((tweetId) => ({ tweetId }));
  const writes = await readMany(database, writesOfTweet, keys);
  const unshown = tweetIds.filter((_, index) => writes[index]?.version == null);
  const [replies, shares, quotes] = await Promise.all([
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
    readMany(
      database,
      quotesByTweet.slice,
      unshown.map((quotedTweetId) => ({ quotedTweetId, bucket: 0, limit: 1 })),
    ),
  ]);
  const used = unshown.filter((_, index) =>
    [replies, shares, quotes].some((slices) => slices[index]?.statics != null),
  );
  await Promise.all(used.map((owner) => refreshTweetCounts(counting, owner)));
  const written = new Map(tweetIds.map((tweetId, index) => [tweetId, writes[index] ?? null]));
  for (const tweetId of used) written.delete(tweetId);
  const shown = tweetIds.filter((_, index) => writes[index]?.version != null);
  const having = (slices: readonly { readonly rows: readonly object[] }[]) =>
    new Set([...shown, ...unshown.filter((_, index) => (slices[index]?.rows.length ?? 0) > 0)]);
  return { written, replied: having(replies), shared: having(shares), quoted: having(quotes) };
}

/**
 * Writes the counts of tweets: those that the source gives, or else the number of rows. The changes by mutations are kept separately.
 * Quotes are counted only for tweets that may have any.
 */
export async function countTweets(
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
  const given = await readUnknown(keys, known.given, (unknown) => readGivenCounts(database, unknown));
  const uncounted = keys.filter(
    ({ tweetId }, index) =>
      given[index]?.importedShares == null ||
      given[index].importedReplies == null ||
      (given[index].importedQuotes === null && known.quoted.has(tweetId)),
  );
  const rows = await countUncounted(database, uncounted);
  const written = await readUnknown(keys, known.written, (unknown) =>
    readMany(database, tweetCounts.get, unknown),
  );
  const counted = stored.map((tweet, index) => {
    const { tweetId } = tweet;
    const importedLikes = given[index]?.importedLikes ?? 0;
    const importedShares = given[index]?.importedShares ?? rows.get(tweetId)?.shares ?? 0;
    const importedReplies = given[index]?.importedReplies ?? rows.get(tweetId)?.replies ?? 0;
    const magnitude = magnitudeOf(Math.max(0, importedLikes + (written[index]?.likes ?? 0)));
    const before = magnitudeOf(likesIn(written[index] ?? null));
    const importedQuotes = given[index]?.importedQuotes ?? rows.get(tweetId)?.quotes ?? null;
    const counts = { tweetId, importedLikes, importedShares, importedReplies, importedQuotes };
    return { tweet, magnitude, before, counts };
  });
  await entries.addLiked(counted);
  await listAmongTop(writer, counted);
  for (const { counts } of counted) await writer.put(writeOf(tweetCounts, counts));
  await writer.flush();
  // A like that is counted meanwhile may not have seen the counts written here. Then its task is pending still.
  await waitForLikes(database, new Set(uniqueIds));
  const shown = await readMany(database, tweetCounts.get, keys);
  const changed = stored.flatMap((tweet, index) => {
    if ((shown[index]?.likes ?? 0) === (written[index]?.likes ?? 0)) return [];
    return { tweet, magnitude: magnitudeOf(likesIn(shown[index] ?? null)) };
  });
  await listAmongTop(writer, changed);
  await entries.addLiked(changed);
}

/** Resolves when the likes of some tweets that are under way now are counted, and these are listed by the counts that they have seen. */
export function waitForLikes(database: Database, tweetIds: ReadonlySet<string>): Promise<void> {
  return waitForWrites(
    database,
    ({ kind, payload }) =>
      kind === LIKE_TASK && tweetIds.has((JSON.parse(payload ?? '{}') as { tweetId?: string }).tweetId ?? ''),
  );
}

/** The rows of some tweets, in the order of the keys. Rows that are known are not read. */
async function readUnknown<R extends object>(
  keys: readonly { tweetId: string }[],
  known: ReadonlyMap<string, R | null>,
  read: (keys: readonly { tweetId: string }[]) => Promise<readonly (R | null)[]>,
): Promise<(R | null)[]> {
  const unknown = keys.filter(({ tweetId }) => !known.has(tweetId));
  const rows = await read(unknown);
  const found = new Map(unknown.map(({ tweetId }, index) => [tweetId, rows[index] ?? null]));
  return keys.map(({ tweetId }) => known.get(tweetId) ?? found.get(tweetId) ?? null);
}

/** Counts the rows of shares, replies and quotes of tweets that writes have not counted. */
async function countUncounted(
  database: Database,
  keys: readonly { tweetId: string }[],
): Promise<ReadonlyMap<string, { shares: number; replies: number; quotes: number }>> {
  const counted = await countAtVersion(database, keys, writesOfTweet, async (chunk) => {
    const ids = chunk.map(({ tweetId }) => tweetId);
    const [shares, replies, quotes] = await Promise.all([
      countRows(database, sharesByTweet, ids),
      countRows(database, repliesByTweet, ids),
      countRows(database, quotesByTweet, ids),
    ]);
    return ids.map((id) => ({
      shares: shares.get(id) ?? 0,
      replies: replies.get(id) ?? 0,
      quotes: quotes.get(id) ?? 0,
    }));
  });
  return new Map(
    counted.map(({ key, acts, count }) => [
      key.tweetId,
      {
        shares: (count?.shares ?? 0) - (acts?.shares ?? 0),
        replies: (count?.replies ?? 0) - (acts?.replies ?? 0),
        quotes: (count?.quotes ?? 0) - (acts?.quotes ?? 0),
      },
    ]),
  );
}
