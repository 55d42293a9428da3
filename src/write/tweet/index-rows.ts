import type { Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import type { ListRows } from '../../kit/writes/row-writer';
import type { tweets } from '../../features/tweet/tweet.table';
import { areaRemovalsOf, areaRowsOf } from './area-rows';
import { minuteRemovalOf, minuteRowOf } from './count-in-time';
import { trendRemovalsOf, trendRowsOf } from './trend-rows';

type TweetRow = Row<typeof tweets>;

/** The rows that index a tweet by its hashtags, location and minute, with the buckets of their lists. */
export function indexRowsOf(tweet: TweetRow): ListRows {
  const { writes, listBuckets } = areaRowsOf(tweet);
  return { writes: [minuteRowOf(tweet), ...trendRowsOf(tweet), ...writes], listBuckets };
}

/** The removals of those rows; `at` is their write time in microseconds. */
export function indexRemovalsOf(tweet: TweetRow, at: number): Write[] {
  return [minuteRemovalOf(tweet, at), ...trendRemovalsOf(tweet, at), ...areaRemovalsOf(tweet, at)];
}
