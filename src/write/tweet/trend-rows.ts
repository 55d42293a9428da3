import { shardOf } from '../../kit/base/shard-of';
import type { Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { writeOf } from '../../kit/cassandra/write';
import { hashtagsIn } from '../../features/search/words';
import type { tweets } from '../../features/tweet/tweet.table';
import {
  HOUR_SHARDS,
  hashtagsByHour,
  hourOf,
  MAX_TREND_WINDOW_MS,
  REMOVED_USE,
  USES_TTL_SECONDS,
} from '../../features/hashtag/hashtag.table';

type Tagged = Pick<Row<typeof tweets>, 'tweetId' | 'authorId' | 'createdAt' | 'hashtags' | 'sharedTweetId'>;

function keysOf(tweet: Tagged) {
  const { tweetId, authorId, createdAt } = tweet;
  // Shares do not count towards trends. Uses older than the longest window are ignored.
  if (tweet.sharedTweetId !== null || Number(createdAt) < Date.now() - MAX_TREND_WINDOW_MS) return [];
  const hour = hourOf(createdAt);
  return hashtagsIn(tweet).map((hashtag) => ({
    hour,
    shard: shardOf(authorId, HOUR_SHARDS),
    hashtag,
    authorId,
    tweetId,
    createdAt,
  }));
}

/** The rows by which a tweet counts towards trends, one for each hashtag. */
export function trendRowsOf(tweet: Tagged): Write[] {
  return keysOf(tweet).map((row) => writeOf(hashtagsByHour, row));
}

/** The removals of those rows: rows that say so. `at` is their write time in microseconds. */
export function trendRemovalsOf(tweet: Tagged, at: number): Write[] {
  const timing = { at, ttl: USES_TTL_SECONDS };
  return keysOf(tweet).map((key) => writeOf(hashtagsByHour, { ...key, createdAt: REMOVED_USE }, timing));
}
