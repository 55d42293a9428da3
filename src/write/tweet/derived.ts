import { tweetsByMinute } from '../../features/frequency/frequency.table';
import { hashtagsByHour, MAX_TREND_WINDOW_MS } from '../../features/hashtag/hashtag.table';
import { magnitudeOf, parseMagnitude } from '../../kit/base/magnitude';
import type { Write } from '../../kit/cassandra/database';
import type { AnyTable } from '../../kit/cassandra/table';
import { writesFrom } from '../../kit/lists/source';
import { readMany } from '../../kit/reads/load';
import { tallies } from '../../kit/work/tally';
import { like, likedTweets } from '../../features/like/like.lists';
import { tweetsByArea } from '../../features/map/map.table';
import { engagementsByUser, LIKED } from '../../features/tweet/engagement.table';
import { sharedTweets } from '../../features/tweet/tweet.lists';
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
  type DerivationOptions,
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

/** Stands in a source key for an id that its source does not need. */
const NO_ID = '0';

/** The likes and shares. The source key is `<user id> <tweet id> <share id>`; the share id alone tells a share. */
async function* engagementsOf(
  { database }: DerivationOptions,
  sourceKeys: readonly string[],
): AsyncIterable<readonly Write[]> {
  const keys = sourceKeys.map((one) => one.split(' '));
  const likes = keys.filter(([, , shareId]) => shareId === LIKED);
  const shares = keys.flatMap(([, , shareId = LIKED]) => (shareId === LIKED ? [] : { tweetId: shareId }));
  const [liked, shared] = await Promise.all([
    like.decider.read(
      database,
      likes.map(([userId, tweetId]) => `${String(tweetId)} ${String(userId)}`),
    ),
    readMany(database, tweets.get, shares),
  ]);
  yield [
    ...liked.flatMap((fact) => writesFrom([likedTweets], fact)),
    ...shared.flatMap((share) => (share ? writesFrom([sharedTweets], share) : [])),
  ];
}

/** What users like and share. */
export const engagementTable: DerivedTable = {
  table: engagementsByUser,
  sources: [
    {
      table: tallies,
      keyOf: ({ list, owner, member }) =>
        list === like.tally ? `${String(member)} ${String(owner)} ${LIKED}` : null,
      writesOf: engagementsOf,
    },
    {
      table: tweets,
      keyOf: (key) => `${NO_ID} ${NO_ID} ${joinProperties(key, 'tweetId')}`,
      writesOf: engagementsOf,
    },
  ],
  sourceKeyOf: (row) => joinProperties(row, 'userId', 'tweetId', 'shareId'),
  isTransient: (_, row) => row['shareId'] !== LIKED && isNewTweet({ tweetId: row['shareId'] }),
};

/** The tables that are derived from the tweets alone, besides lists. Timelines depend on follows, too. */
export const tweetTables: readonly DerivedTable[] = [
  { ...tweetList(tweetsByArea), hasBuckets: true },
  tweetList(tweetsByMinute),
  trends,
  ...[topTweetsByAuthor, topRepliesByTweet].map(topList),
];
