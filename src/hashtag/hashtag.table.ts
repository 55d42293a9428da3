import { id, int, text, timestamp } from '../kit/cassandra/column';
import { table } from '../kit/cassandra/table';

/** Who used which hashtag in an hour; a partition is a share of the authors. Rows are gone after two weeks. */
export const hashtagsByHour = table(
  'hashtags_by_hour',
  { hour: int, part: int, hashtag: text, authorId: id, tweetId: id, createdAt: timestamp },
  { partition: ['hour', 'part'], clustering: ['hashtag', 'authorId', 'tweetId'], order: 'asc' },
);

/** Into how many shares an hour is cut: a prime, since ids are often multiples of powers of two. */
export const HOUR_SHARDS = 5;

/** The longest time that trends look back, in milliseconds. */
export const MAX_TREND_WINDOW_MS = 7 * 24 * 3_600_000;

/** Hours since 1970, UTC. */
export function hourOf(moment: Date): number {
  return Math.floor(Number(moment) / 3_600_000);
}
