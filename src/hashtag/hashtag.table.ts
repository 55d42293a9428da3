import { id, int, text, timestamp } from '../kit/cassandra/column';
import { rangeStatement } from '../kit/cassandra/range-statement';
import { table } from '../kit/cassandra/table';

/** Which author used which hashtag in an hour; a partition is a shard of the authors. Rows expire after two weeks. */
export const hashtagsByHour = table(
  'hashtags_by_hour',
  { hour: int, part: int, hashtag: text, authorId: id, tweetId: id, createdAt: timestamp },
  { partition: ['hour', 'part'], clustering: ['hashtag', 'authorId', 'tweetId'], order: 'asc' },
);

/** The last use of each hashtag by each author in an hour. */
export const lastUses = rangeStatement(hashtagsByHour, {
  by: ['hashtag', 'authorId'],
  take: { createdAt: 'max' },
});

/** The number of shards of an hour: a prime, because ids are often multiples of powers of two. */
export const HOUR_SHARDS = 5;

/** The longest time that trends look back, in milliseconds. */
export const MAX_TREND_WINDOW_MS = 7 * 24 * 3_600_000;

/** The hour of a moment: hours since 1970, UTC. */
export function hourOf(moment: Date): number {
  return Math.floor(Number(moment) / 3_600_000);
}
