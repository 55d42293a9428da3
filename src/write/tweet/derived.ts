import { tweetsByMinute } from '../../frequency/frequency.table';
import { hashtagsByHour, MAX_TREND_WINDOW_MS } from '../../hashtag/hashtag.table';
import { magnitudeOf, parseMagnitude } from '../../kit/base/magnitude';
import type { AnyTable, StoredRow } from '../../kit/cassandra/table';
import { buckets } from '../../kit/data/buckets';
import { readMany } from '../../kit/data/load';
import {
  bucketEntryOf,
  isShard,
  otherPartitionOf,
  shardedRouter,
  unshardedRouter,
} from '../../kit/data/shards';
import { writeOf } from '../../kit/data/write';
import { tweetsByArea } from '../../map/map.table';
import { ownerOf } from '../../search/term-owner';
import { topTweetsByHashtag, topTweetsByWord, tweetsByHashtag, tweetsByWord } from '../../search/term.table';
import { likesIn } from '../../tweet/like-count';
import {
  deletedByAuthor,
  deletedTweets,
  repliesByTweet,
  sharesByTweet,
  topRepliesByTweet,
  topTweetsByAuthor,
  tweetCounts,
  tweets,
  tweetsByAuthor,
  tweetsByDay,
} from '../../tweet/tweet.table';
import { textOf, writesWithBuckets, type DerivationSource, type DerivedTable } from '../derived-table';
import { isNewTweet } from '../new-tweet';
import { indexRowsOf } from './index-rows';
import { topRowsOf } from './top-rows';
import { deletedRowsOf, rowsOf } from './tweet-rows';

/**
 * The tweets. The source key is `<tweet id> <magnitude> <partition>`, of which the last two may be left out. The magnitude
 * selects one of the top lists' rows, because rows of earlier magnitudes stay. The partition says whether the rows of
 * term lists are those in `shards` or in `buckets`.
 */
const tweetSource: DerivationSource = {
  table: tweets,
  keyOf: (key) => textOf(key, 'tweetId'),
  async *writesOf({ database, shardRouter: usual }, sourceKeys) {
    const named = sourceKeys.map((one) => one.split(' '));
    const keys = named.map(([tweetId = '']) => ({ tweetId }));
    const [found, counts] = await Promise.all([
      readMany(database, tweets.get, keys),
      readMany(database, tweetCounts.get, keys),
    ]);
    yield found.flatMap((tweet, index) => {
      if (tweet === null) return [];
      const magnitude = parseMagnitude(named[index]?.[1]) ?? magnitudeOf(likesIn(counts[index] ?? null));
      const [, , partition] = named[index] ?? [];
      const shardRouter =
        partition === 'shards' ? shardedRouter : partition === 'buckets' ? unshardedRouter : usual;
      const indexRows = [indexRowsOf(shardRouter, tweet), topRowsOf(shardRouter, tweet, magnitude)];
      return [...rowsOf(tweet), ...indexRows.flatMap(writesWithBuckets)];
    });
  },
};

/** The deleted tweets. The source key is the tweet id. */
const deletedSource: DerivationSource = {
  table: deletedTweets,
  keyOf: (key) => textOf(key, 'tweetId'),
  async *writesOf({ database }, sourceKeys) {
    const found = await readMany(
      database,
      deletedTweets.get,
      sourceKeys.map((tweetId) => ({ tweetId })),
    );
    yield found.flatMap((tweet) => (tweet === null ? [] : deletedRowsOf(tweet)));
  },
};

/**
 * The sharded rows of a list of terms. Only the marks in `buckets` are derived from them: a bucket that has rows in shards
 * is a sharded one. The source key is `<bucket> <term>`.
 */
function shardSource(table: AnyTable): DerivationSource {
  return {
    table,
    keyOf: (key) =>
      isShard(Number(key['bucket'])) ? `${textOf(key, 'bucket')} ${textOf(key, 'term')}` : null,
    async *writesOf(_context, sourceKeys) {
      yield await Promise.resolve(
        sourceKeys.map((one) => {
          const [bucket = ''] = one.split(' ', 1);
          const owner = ownerOf(one.slice(bucket.length + 1));
          return writeOf(buckets, { owner, list: table.name, bucket: bucketEntryOf(Number(bucket)) });
        }),
      );
    },
  };
}

/** A list of tweets. */
function tweetList(table: AnyTable): DerivedTable {
  return {
    table,
    sources: [tweetSource],
    sourceKeyOf: (row) => textOf(row, 'tweetId'),
    isTransient: (_, row) => isNewTweet(row),
  };
}

/** A list of the most liked tweets, in which rows of earlier magnitudes stay. */
function topList(table: AnyTable): DerivedTable {
  return {
    ...tweetList(table),
    isFromCounts: true,
    sourceKeyOf: (row) => textOf(row, 'tweetId', 'magnitude'),
  };
}

/** A list of the tweets with a term. A row is in the partition of its bucket or of a shard of it. */
function termList(table: AnyTable): DerivedTable {
  const partitionOf = (row: StoredRow) => (isShard(Number(row['bucket'])) ? 'shards' : 'buckets');
  const magnitudeOf = (row: StoredRow) => (row['magnitude'] === undefined ? 'any' : textOf(row, 'magnitude'));
  return {
    ...tweetList(table),
    bucketSources: [shardSource(table)],
    sourceKeyOf: (row) => `${textOf(row, 'tweetId')} ${magnitudeOf(row)} ${partitionOf(row)}`,
    alternativeTo: (row) => ({
      ...row,
      bucket: otherPartitionOf(Number(row['bucket']), textOf(row, 'tweetId')),
    }),
  };
}

/** Rows older than the longest trend window are not read any more, and expire. */
const trends: DerivedTable = {
  ...tweetList(hashtagsByHour),
  isTransient: (_, row) => isNewTweet(row) || Date.now() - Number(row['createdAt']) > MAX_TREND_WINDOW_MS,
};

/** All tables that are derived from the tweets alone. Timelines depend on follows, too. */
export const tweetTables: readonly DerivedTable[] = [
  ...[tweetsByAuthor, tweetsByDay, repliesByTweet, sharesByTweet, tweetsByArea, tweetsByMinute].map(
    tweetList,
  ),
  ...[tweetsByWord, tweetsByHashtag].map(termList),
  trends,
  { table: deletedByAuthor, sources: [deletedSource], sourceKeyOf: (row) => textOf(row, 'tweetId') },
  ...[topTweetsByAuthor, topRepliesByTweet].map(topList),
  ...[topTweetsByWord, topTweetsByHashtag].map((table) => ({ ...termList(table), isFromCounts: true })),
];
