import { cacheable, type LongerCaching } from '../../kit/cassandra/statement';
import { minuteOf } from '../../kit/base/period';
import type { Row } from '../../kit/cassandra/table';
import { cachedInvalidations, MAX_INVALIDATIONS_READ, tweets, type tweetInvalidations } from './tweet.table';

/** How often an invalidation is written again until its deletion is completed, in milliseconds. */
export const RENEWED_EVERY_MS = 20_000;

/** How long a server keeps a tweet that is not invalidated. */
const CACHED_SECONDS = 60;

/**
 * The minutes that are read, relative to this one. They cover at least the last 120 seconds: 60 for which a tweet is cached, 20
 * since its last invalidation, and 40 by which clocks of servers may differ.
 */
const MINUTES = [-2, -1, 0, 1];

/** How many minutes a request reads, which may run into another minute. */
export const MINUTES_READ = MINUTES.length + 1;

/**
 * Finds out which tweets may have been deleted or changed in the last minutes, or have shares that are still being removed. A server
 * keeps the answer for a moment.
 */
export const changedTweets: LongerCaching['changes'] = async (read) => {
  const now = minuteOf(new Date());
  const minutes = await Promise.all(
    MINUTES.map((n) => read(cachedInvalidations, { minute: now + n, limit: MAX_INVALIDATIONS_READ })),
  );
  if (minutes.some((rows) => rows.length >= MAX_INVALIDATIONS_READ)) return () => true;
  const invalidated = minutes.map(tweetsIn);
  return (tweetId) => invalidated.some((tweets) => tweets.has(String(tweetId)));
};

type Rows = readonly Row<typeof tweetInvalidations>[];
const known = new WeakMap<Rows, ReadonlySet<string>>();

/** The tweets in the rows of a minute. All requests that are shown the same rows by the cache share the set. */
function tweetsIn(rows: Rows): ReadonlySet<string> {
  let found = known.get(rows);
  if (found === undefined) known.set(rows, (found = new Set(rows.flatMap(({ tweetIds }) => tweetIds ?? []))));
  return found;
}

/**
 * Reads a tweet that a list points to, perhaps as it was a moment ago. Only imports and deletions change tweets, and they
 * invalidate them first.
 */
export const cachedTweets = cacheable(tweets.get, {
  absence: false,
  longer: { seconds: CACHED_SECONDS, changes: changedTweets },
});
