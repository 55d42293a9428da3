import { idOf, int, text, timestamp } from '../../kit/cassandra/column';
import { rangeStatement } from '../../kit/cassandra/range-statement';
import { table } from '../../kit/cassandra/table';
import { MAX_TERM_BYTES } from '../../kit/postings/postings.table';

/** After how many seconds rows expire: `default_time_to_live` of the table. */
export const USES_TTL_SECONDS = 14 * 24 * 3600;

/** The number of shards of an hour: with 10,000 tweets a second, each has less than 100 MB. */
export const HOUR_SHARDS = 8;

/** How many rows are read to count the trends of a window, at most. */
export const MAX_ROWS_OF_TRENDS = 500_000;

/**
 * The uses of hashtags in an hour, with their authors. A partition is a shard of the authors, in the order of their hashes, so its first
 * rows are a uniform sample of them. Rows expire after two weeks. A removed use has the time `REMOVED_USE`.
 */
export const hashtagsByHour = table(
  'hashtags_by_hour',
  {
    hour: int,
    shard: int,
    authorHash: int,
    authorId: idOf('User'),
    hashtag: text(MAX_TERM_BYTES),
    tweetId: idOf('Tweet'),
    createdAt: timestamp,
  },
  {
    writeLoad: {
      rows: { hashtagUse: 1 },
      bytes: 65,
      spread: { over: 'time', seconds: 3600, shards: HOUR_SHARDS },
      keptSeconds: USES_TTL_SECONDS,
      reads: { everySeconds: 60, most: MAX_ROWS_OF_TRENDS / HOUR_SHARDS, isSample: true },
    },
    partition: ['hour', 'shard'],
    clustering: ['authorHash', 'authorId', 'hashtag', 'tweetId'],
    order: 'asc',
  },
);

/**
 * The time of a use that was removed: it is older than any window. A row that says so leaves no tombstone, of which a partition may have
 * 100,000 at most.
 */
export const REMOVED_USE = new Date(0);

/** The uses of an hour after one of them. */
export const usesAfter = rangeStatement(hashtagsByHour, {
  by: ['authorHash', 'authorId', 'hashtag', 'tweetId'],
  take: { createdAt: 'value' },
});

/** The uses of an hour by the authors after one of them. */
export const usesAfterAuthor = rangeStatement(hashtagsByHour, {
  by: ['authorHash', 'authorId'],
  take: { hashtag: 'value', tweetId: 'value', createdAt: 'value' },
});

/** The longest time that trends look back, in milliseconds. */
export const MAX_TREND_WINDOW_MS = 7 * 24 * 3_600_000;

/** The hour of a moment: hours since 1970, UTC. */
export function hourOf(moment: Date): number {
  return Math.floor(Number(moment) / 3_600_000);
}
