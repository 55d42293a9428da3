import { isDeepStrictEqual } from 'node:util';
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
import { likesIn, tweetCounts, tweets, type StoredTweet } from '../../features/tweet/tweet.table';
import { listMostLiked } from './top-rows';

/** An act on a tweet. */
export interface ActOnTweet {
  /** The rows of lists that it makes. */
  readonly rows: readonly Write[];
  /** The tweet as it was read for the act; null if it was not. */
  readonly tweet: StoredTweet | null;
  /** Whether a server that was interrupted may have done a part of it. */
  readonly isRepeated: boolean;
}

/** The state of a tweet when it was counted. */
interface CountedTweet {
  readonly tweetId: string;
  /** The tweet as it was listed by its likes; null if it was not listed anew. */
  readonly listed: StoredTweet | null;
  /** The magnitude of its likes, by which it is listed. */
  readonly magnitude: number;
  /** Its counts as they are shown; null if nothing was ever counted. */
  readonly counts: Row<typeof tweetCounts> | null;
}

/** The services by which tweets are counted. */
type Counting = Pick<WriteServices, 'database' | 'tally' | 'bulk'> & Partial<Pick<WriteServices, 'signals'>>;

/** Sets the counts shown of a tweet to those of the tallies, and lists it among the most liked. */
export async function refreshTweetCounts(writeServices: Counting, tweetId: string): Promise<void> {
  const counted = await runRefresh(writeServices, tweetId);
  await listAsShown(
    writeServices,
    counted,
    await createLoad(writeServices.database)(tweetCounts.get, counted),
  );
}

/**
 * The same while the rows of an act are stored, together with those of other acts on the tweet at the same time. This does not look whether an
 * import has written its number of likes meanwhile: imports wait for the tasks of acts, and then look themselves. Nor does it look
 * whether the tweet was deleted or changed: `lookAgain` must follow.
 */
export function storeAndCount(
  writeServices: Counting,
  tweetId: string,
  act: ActOnTweet,
): Promise<CountedTweet> {
  return runRefresh(writeServices, tweetId, act);
}

function runRefresh(
  writeServices: Counting,
  tweetId: string,
  act: ActOnTweet | null = null,
): Promise<CountedTweet> {
  return runShared(writeServices.database, `tweet ${tweetId}`, act, (all) =>
    refresh(
      writeServices,
      tweetId,
      all.filter((one) => one !== null),
    ),
  );
}

async function refresh(
  writeServices: Counting,
  tweetId: string,
  acts: readonly ActOnTweet[],
): Promise<CountedTweet> {
  const { database, tally, bulk } = writeServices;
  const [totals, before] = await Promise.all([
    tally.totals(tweetId),
    createLoad(database)(tweetCounts.get, { tweetId }),
  ]);
  const { version } = totals;
  const totalOf = (list: string) => totals.counts.get(list) ?? 0;
  const after = {
    likes: totalOf('likes'),
    shares: totalOf('shares'),
    replies: totalOf('replies'),
    quotes: totalOf('quotes'),
  };
  const likes = (before?.importedLikes ?? 0) + after.likes;
  const magnitude = magnitudeOf(likes);
  const began = Date.now();
  const former = magnitudeOf(likesIn(before));
  const isListedAnew = version > 0 && (magnitude !== former || acts.some((act) => act.isRepeated));
  const rows = acts.flatMap((act) => act.rows);
  // The version is the write timestamp: the newer totals win, in whatever order the writes come.
  const shown = version > 0 ? [writeOf(tweetCounts, { tweetId, ...after }, { at: version })] : [];
  const tweet = isListedAnew
    ? (acts.find((act) => act.tweet)?.tweet ?? (await createLoad(database)(tweets.get, { tweetId })))
    : null;
  if (tweet === null) await putAll(bulk(), [...rows, ...shown]);
  // The tweet was in no such list before, and a repeated act lists it in any case.
  else if (former === 0 && acts.length > 0)
    await listMostLiked(database, () => bulk(), tweet, magnitude, [...rows, ...shown]);
  else {
    // Stored before the count is shown: readers leave out an entry whose magnitude is not that of the count, so the tweet would be in no list.
    await listMostLiked(database, () => bulk(), tweet, magnitude, rows);
    await putAll(bulk(), shown);
  }
  if (version > 0) writeServices.signals?.publish([tweetTopic(tweetId)]);
  // If the count came late, a merge of the index may have left out the entry that did not agree with the count.
  if (isListedAnew && tookTooLong(began)) await listByLikes(writeServices, tweetId, magnitude);
  const counts = version > 0 ? { ...NO_COUNTS, ...before, tweetId, ...after } : before;
  return { tweetId, listed: tweet, magnitude, counts };
}

/**
 * Looks at a tweet when all that follows from an act on it is stored, and lists it again if an import has changed it meanwhile. Resolves to
 * the tweet; null if it was deleted. A deletion removes the tweet first and then looks for its likes, so one of the two sees the other.
 */
export async function lookAgain(
  writeServices: Counting,
  { tweetId, magnitude, listed }: Pick<CountedTweet, 'tweetId' | 'magnitude' | 'listed'>,
): Promise<StoredTweet | null> {
  const there = await createLoad(writeServices.database)(tweets.get, { tweetId });
  if (there !== null && listed !== null && !isDeepStrictEqual(there, listed))
    await listByLikes(writeServices, tweetId, magnitude);
  return there;
}

const NO_COUNTS = { importedLikes: null, importedShares: null, importedReplies: null, importedQuotes: null };

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
