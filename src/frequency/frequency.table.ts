import { id, int, optional, text, timestamp } from '../kit/cassandra/column';
import { table } from '../kit/cassandra/table';

/**
 * How many tweets of a language there were in a minute, an hour or a day: those that were imported, and those that acts have
 * added since or taken away. `version` grows with `posted`.
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

/** The tweets of a minute, for the edges of a period that begins or ends within one. */
export const tweetsByMinute = table(
  'tweets_by_minute',
  { minute: int, createdAt: timestamp, tweetId: id, language: optional(text) },
  { partition: ['minute'], clustering: ['createdAt', 'tweetId'], order: 'asc' },
);

/** Minutes since 1970, UTC. */
export function minuteOf(moment: Date): number {
  return Math.floor(Number(moment) / 60_000);
}
