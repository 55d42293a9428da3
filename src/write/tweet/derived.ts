import { tweetsByMinute } from '../../features/frequency/frequency.table';
import { hashtagsByHour, MAX_TREND_WINDOW_MS } from '../../features/hashtag/hashtag.table';
import { magnitudeOf, parseMagnitude } from '../../kit/base/magnitude';
import type { AnyTable } from '../../kit/cassandra/table';
import { readMany } from '../../kit/reads/load';
import { tweetsByArea } from '../../features/map/map.table';
import {
  likesIn,
  topRepliesByTweet,
  topTweetsByAuthor,
  tweetCounts,
  tweets,
} from '../../features/tweet/tweet.table';
import {
  joinProperties,
  writesWithBuckets,
  type DerivationSource,
  type DerivedTable,
} from '../derived-table';
import { isNewTweet } from '../../features/tweet/new-tweet';
import { buildIndexRows } from './index-rows';
import { buildTopTweetRows } from './top-rows';
import { tweetRows } from './tweet-rows';

/**
 * The tweets. The source key is `<tweet id> <magnitude>`, of which the magnitude may be left out. It selects one of the top
 * lists' rows, because rows of earlier magnitudes stay.
 */
const tweetSource: DerivationSource = {
  table: tweets,
  keyOf: (key) => joinProperties(key, 'tweetId'),
  async *writesOf({ database }, sourceKeys) {
    const named = sourceKeys.map((one) => one.split(' '));
    const keys = named.map(([tweetId = '']) => ({ tweetId }));
    const [found, counts] = await Promise.all([
      readMany(database, tweets.get, keys),
      readMany(database, tweetCounts.get, keys),
    ]);
    yield found.flatMap((tweet, index) => {
      if (tweet === null) return [];
      const magnitude = parseMagnitude(named[index]?.[1]) ?? magnitudeOf(likesIn(counts[index] ?? null));
      return [
        ...tweetRows(tweet),
        ...writesWithBuckets(buildIndexRows(tweet)),
        ...buildTopTweetRows(tweet, magnitude),
      ];
    });
  },
};

/** A list of tweets. */
function tweetList(table: AnyTable): DerivedTable {
  return {
    table,
    sources: [tweetSource],
    sourceKeyOf: (row) => joinProperties(row, 'tweetId'),
    isTransient: (_, row) => isNewTweet(row),
  };
}

/** A list of the most liked tweets, in which rows of earlier magnitudes stay. */
function topList(table: AnyTable): DerivedTable {
  return {
    ...tweetList(table),
    isFromCounts: true,
    sourceKeyOf: (row) => joinProperties(row, 'tweetId', 'magnitude'),
  };
}

/** Rows older than the longest trend window are not read any more, and expire; so do those that say that a use was removed. */
const trends: DerivedTable = {
  ...tweetList(hashtagsByHour),
  isTransient: (_, row) => isNewTweet(row) || Date.now() - Number(row['createdAt']) > MAX_TREND_WINDOW_MS,
};

/** The tables that are derived from the tweets alone, besides lists. Timelines depend on follows, too. */
export const tweetTables: readonly DerivedTable[] = [
  { ...tweetList(tweetsByArea), hasBuckets: true },
  tweetList(tweetsByMinute),
  trends,
  ...[topTweetsByAuthor, topRepliesByTweet].map(topList),
];
