import { idOf, int, label, optional, timestamp } from '../../kit/cassandra/column';
import { rangeStatement } from '../../kit/cassandra/range-statement';
import { cacheable } from '../../kit/cassandra/statement';
import { table } from '../../kit/cassandra/table';
import { language } from '../tweet/tweet.table';

/**
 * How many tweets of a language were posted in a minute, an hour or a day: the imported number, and what mutations have added
 * or removed since (`posted`). `version` grows with each change of `posted`.
 */
export const tweetFrequency = table(
  'tweet_frequency',
  {
    unit: label,
    period: int,
    at: timestamp,
    language,
    imported: optional(int),
    posted: optional(int),
    version: optional(int),
  },
  {
    writeLoad: {
      rows: { frequencySum: 1 },
      bytes: 30,
      spread: { over: 'time', seconds: 86_400 },
      most: 1440 * 60,
    },
    partition: ['period', 'unit'],
    clustering: ['at', 'language'],
    order: 'asc',
  },
);

/** The numbers of posted tweets, which only mutations change. */
export const postedFrequency = rangeStatement(tweetFrequency, {
  by: ['at', 'language'],
  take: { posted: 'value', version: 'value' },
});

/** The counts of a period to show them, perhaps as they were a moment ago: many ask for the same days. */
export const cachedFrequency = {
  byLanguage: cacheable(
    rangeStatement(tweetFrequency, {
      by: ['at', 'language'],
      take: { imported: 'value', posted: 'value' },
    }),
    { absence: true },
  ),
  /** Sums of all languages. */
  ofAll: cacheable(rangeStatement(tweetFrequency, { by: ['at'], take: { imported: 'sum', posted: 'sum' } }), {
    absence: true,
  }),
};

/** The number of equal shards into which the tweets of a minute are divided: a prime, because ids are often multiples of powers of two. */
export const MINUTE_SHARDS = 11;

/** The tweets of a minute, for periods that begin or end within one. */
export const tweetsByMinute = table(
  'tweets_by_minute',
  { shard: int, minute: int, createdAt: timestamp, tweetId: idOf('Tweet'), language: optional(language) },
  {
    writeLoad: {
      rows: { tweet: 1 },
      bytes: 30,
      spread: { over: 'time', seconds: 60, shards: MINUTE_SHARDS },
    },
    partition: ['shard', 'minute'],
    clustering: ['createdAt', 'tweetId'],
    order: 'asc',
  },
);

/** The tweets of a part of a minute. */
export const partOfMinute = rangeStatement(tweetsByMinute, {
  by: ['createdAt', 'tweetId'],
  take: { language: 'value' },
});
