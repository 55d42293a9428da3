import type { Write } from '../kit/cassandra/database';
import type { Load } from '../kit/data/load';
import { writeOf } from '../kit/data/write';
import { deletedTweets, shareRemovals, shownShareRemovals } from './tweet.table';

const MINUTE_MS = 60_000;

/** How long a removal is found: the minute that it began in, the next one, and one by which clocks of servers may differ. */
const FOUND_SECONDS = 180;

/** How many removals of a minute are read. If there are more, each share is checked by itself. */
export const MAX_REMOVALS_READ = 100;

/** How many minutes a request reads: the last one, this one and the next one of each list, and it may run into another. */
export const MINUTES_READ = 4;

/** The row that says that the shares of a tweet are being removed. It must be written again each minute, as long as that takes. */
export function shareRemovalOf(tweetId: string): Write {
  return writeOf(
    shareRemovals,
    { minute: thisMinute(), tweetId },
    { at: Date.now() * 1000, ttl: FOUND_SECONDS },
  );
}

/**
 * Whether a tweet was deleted whose shares are still being removed. Shares of other deleted tweets are in no list any more.
 * So a page with shares usually reads nothing but the removals of the last minutes, and a server keeps these for a moment.
 */
export async function isRemovingShares(load: Load, tweetId: string): Promise<boolean> {
  const now = thisMinute();
  const removals = await Promise.all(
    [now - 1, now, now + 1].map((minute) => load(shownShareRemovals, { minute, limit: MAX_REMOVALS_READ })),
  );
  if (removals.some((rows) => rows.some((row) => row.tweetId === tweetId))) return true;
  const isWhole = removals.every((rows) => rows.length < MAX_REMOVALS_READ);
  return !isWhole && (await load(deletedTweets.get, { tweetId })) !== null;
}

function thisMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS);
}
