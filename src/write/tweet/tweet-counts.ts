import { createLoad } from '../../kit/reads/load';
import { magnitudeOf } from '../../kit/base/magnitude';
import { runShared } from '../../kit/base/shared-runs';
import type { Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { putAll } from '../../kit/writes/row-writer';
import { writeOf } from '../../kit/cassandra/write';
import { tookTooLong } from '../../kit/postings/unsealed';
import { tweetTopic } from '../../features/live/topics';
import type { WriteServices } from '../write-services';
import { likesIn, tweetCounts, tweets } from '../../features/tweet/tweet.table';
import { listMostLiked } from './top-rows';

/** What was found when a tweet was counted. */
interface CountedTweet {
  readonly tweetId: string;
  /** The tweet when the rows of acts were stored; null if it was deleted, or if there is no act. */
  readonly tweet: Row<typeof tweets> | null;
  /** The magnitude of its likes, by which it is listed. */
  readonly magnitude: number;
}

/** What counting needs. */
type Counting = Pick<WriteServices, 'database' | 'tally' | 'bulk'> & Partial<Pick<WriteServices, 'signals'>>;

/** The least time, in milliseconds, between two reads of counts that nobody waits for. */
const CHECK_PAUSE_MS = 50;

/** Sets the counts shown of a tweet to those of the tallies, and lists it among the most liked. */
export async function refreshTweetCounts(writeServices: Counting, tweetId: string): Promise<void> {
  const counted = await runRefresh(writeServices, tweetId, null);
  await listAsShown(
    writeServices,
    counted,
    await createLoad(writeServices.database)(tweetCounts.get, counted),
  );
}

/**
 * The same after the rows of an act are stored, together with those of other acts on the tweet at the same time. The caller must
 * call `checkListing` before its task is completed.
 */
export function storeAndCount(
  writeServices: Counting,
  tweetId: string,
  rows: readonly Write[],
): Promise<CountedTweet> {
  return runRefresh(writeServices, tweetId, rows);
}

/** `rows` are those of an act, which the refresh stores first; null if there is no act. */
function runRefresh(
  writeServices: Counting,
  tweetId: string,
  rows: readonly Write[] | null,
): Promise<CountedTweet> {
  return runShared(writeServices.database, `tweet ${tweetId}`, rows, (all) => {
    const ofActs = all.filter((some) => some !== null);
    return refresh(writeServices, tweetId, ofActs.length === 0 ? null : ofActs.flat());
  });
}

async function refresh(
  writeServices: Counting,
  tweetId: string,
  rows: readonly Write[] | null,
): Promise<CountedTweet> {
  const { database, tally, bulk } = writeServices;
  const load = createLoad(database);
  const [{ counts, version }, before] = await Promise.all([
    tally.totals(tweetId),
    load(tweetCounts.get, { tweetId }),
  ]);
  const after = {
    likes: counts.get('likes') ?? 0,
    shares: counts.get('shares') ?? 0,
    replies: counts.get('replies') ?? 0,
    quotes: counts.get('quotes') ?? 0,
  };
  const likes = (before?.importedLikes ?? 0) + after.likes;
  const magnitude = magnitudeOf(likes);
  const began = Date.now();
  const isListedAnew = version > 0 && magnitude !== magnitudeOf(likesIn(before));
  const tweet = isListedAnew ? await load(tweets.get, { tweetId }) : null;
  // Stored before the count is shown, so that no list misses what is counted.
  if (tweet) await listMostLiked(database, () => bulk(), tweet, magnitude, rows ?? []);
  else if (rows !== null) await putAll(bulk(), rows);
  const [there] = await Promise.all([
    // A deletion removes the tweet first and then looks for its likes, so one of the two sees the other.
    rows !== null && createLoad(database)(tweets.get, { tweetId }),
    version > 0 && show(writeServices, { tweetId, ...after }, version),
  ]);
  // If the count came late, a merge of the index may have left out the entry that did not agree with the count.
  if (isListedAnew && tookTooLong(began)) await listByLikes(writeServices, tweetId, magnitude);
  return { tweetId, tweet: there === false ? null : there, magnitude };
}

async function show(
  { database, signals }: Counting,
  row: Pick<Row<typeof tweetCounts>, 'tweetId' | 'likes' | 'shares' | 'replies' | 'quotes'>,
  version: number,
): Promise<void> {
  // The version is the write timestamp: the newer totals win, in whatever order the writes come.
  const { query, params } = writeOf(tweetCounts, row, { at: version });
  await database.write(query, params);
  signals?.publish([tweetTopic(row.tweetId)]);
}

/**
 * Lists a tweet that was counted again if an import has written its number of likes meanwhile: whichever of the two reads last
 * sees both. Many tweets are checked by one read, a moment later.
 */
export async function checkListing(writeServices: Counting, counted: CountedTweet): Promise<void> {
  const { database } = writeServices;
  const readAll = async (all: readonly CountedTweet[]) => {
    const load = createLoad(database);
    const rows = await Promise.all(all.map((one) => load(tweetCounts.get, one)));
    return new Map(all.map((one, index) => [one, rows[index] ?? null]));
  };
  const rows = await runShared(database, 'counts to check', counted, readAll, CHECK_PAUSE_MS);
  await listAsShown(writeServices, counted, rows.get(counted) ?? null);
}

async function listAsShown(
  writeServices: Counting,
  { tweetId, magnitude }: Pick<CountedTweet, 'tweetId' | 'magnitude'>,
  row: Row<typeof tweetCounts> | null,
): Promise<void> {
  const shown = magnitudeOf(likesIn(row));
  if (shown !== magnitude) await listByLikes(writeServices, tweetId, shown);
}

async function listByLikes(
  writeServices: Pick<WriteServices, 'database' | 'bulk'>,
  tweetId: string,
  magnitude: number,
): Promise<void> {
  const tweet = await createLoad(writeServices.database)(tweets.get, { tweetId });
  if (tweet !== null)
    await listMostLiked(writeServices.database, () => writeServices.bulk(), tweet, magnitude);
}
