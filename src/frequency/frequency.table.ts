import { id, int, optional, text, timestamp } from '../kit/cassandra/column';
import { table } from '../kit/cassandra/table';

/**
 * How many tweets of a language were posted in a minute, an hour or a day: the imported number, and what mutations have added
 * or removed since (`posted`). `version` grows with each change of `posted`.
 */
export const tweetFrequency = table(
  'tweet_frequency',
  {
    unit: text,
    period: int,
    at: timestamp,
    language: text,
    imported: optional(int),
    posted: optional(int),
    version: optional(int),
  },
  { partition: ['period', 'unit'], clustering: ['at', 'language'], order: 'asc' },
);

/** The tweets of a minute, for periods that begin or end within one. */
export const tweetsByMinute = table(
  'tweets_by_minute',
  { minute: int, createdAt: timestamp, tweetId: id, language: optional(text) },
  { partition: ['minute'], clustering: ['createdAt', 'tweetId'], order: 'asc' },
);

/** The minute of a moment: minutes since 1970, UTC. */
export function minuteOf(moment: Date): number {
  return Math.floor(Number(moment) / 60_000);
}
