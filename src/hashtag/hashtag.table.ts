import { id, int, text, timestamp } from '../kit/cassandra/column';
import { table } from '../kit/cassandra/table';

/** Who used which hashtag in an hour; a partition is a share of the hashtags. Rows are gone after two weeks. */
export const hashtagsByHour = table(
  'hashtags_by_hour',
  { hour: int, part: int, hashtag: text, authorId: id, tweetId: id, createdAt: timestamp },
  { partition: ['hour', 'part'], clustering: ['hashtag', 'authorId', 'tweetId'], order: 'asc' },
);

/** Into how many shares the hashtags of an hour are cut. */
export const HOUR_PARTS = 4;

/** Hours since 1970, UTC. */
export function hourOf(moment: Date): number {
  return Math.floor(Number(moment) / 3_600_000);
}
