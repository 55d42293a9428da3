import { id, int } from '../kit/cassandra/column';
import { cacheable, type KeptLonger } from '../kit/cassandra/statement';
import { table } from '../kit/cassandra/table';

/**
 * The tweets that were deleted in a minute, or whose shares were still being removed then. `minute` counts minutes since 1970.
 * Rows expire after some minutes.
 */
export const recentDeletions = table(
  'recent_deletions',
  { minute: int, tweetId: id },
  { partition: ['minute'], clustering: ['tweetId'], order: 'asc' },
);

/** Reads the deletions of a minute, perhaps as they were a moment ago. A minute without rows has none. */
export const shownDeletions = cacheable(recentDeletions.page, { absence: true });

const MINUTE_MS = 60_000;

/** How often a mark is written again until the deletion has done everything. */
export const RENEWED_EVERY_MS = 20_000;

/** How long a server keeps a tweet if no mark says that it was deleted. The last mark before a deletion is `RENEWED_EVERY_MS` older at most. */
const KEPT_SECONDS = 60;

/** The minutes that are read, from this one. Clocks of servers may differ by 40 seconds. */
const MINUTES = [-2, -1, 0, 1];

/** For how long a mark is stored, in seconds: all minutes in which it is read. */
export const MARK_SECONDS = 240;

/** How many deletions of a minute are read. If there are more, nothing that is kept can be trusted. */
export const MAX_DELETIONS_READ = 100;

/** How many minutes a request reads, which may run into another minute. */
export const MINUTES_READ = MINUTES.length + 1;

/**
 * Finds out which tweets may have been deleted in the last minutes, or have shares that are still being removed. A server keeps
 * the answer for a moment.
 */
export const changedTweets: KeptLonger['changes'] = async (read) => {
  const now = minuteOf(Date.now());
  const minutes = await Promise.all(
    MINUTES.map((n) => read(shownDeletions, { minute: now + n, limit: MAX_DELETIONS_READ })),
  );
  if (minutes.some((rows) => rows.length >= MAX_DELETIONS_READ)) return () => true;
  const marked = new Set(minutes.flatMap((rows) => rows.map(({ tweetId }) => tweetId)));
  return (tweetId) => marked.has(String(tweetId));
};

/** Tweets never change, but they may be deleted. */
export const untilDeleted: KeptLonger = { seconds: KEPT_SECONDS, changes: changedTweets };

/** The partition of a moment in milliseconds since 1970. */
export function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS);
}
