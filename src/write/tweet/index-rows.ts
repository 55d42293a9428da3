import type { Write } from '../../kit/cassandra/database';
import type { ListRows } from '../../kit/writes/row-writer';
import type { TweetRow } from '../../features/tweet/tweet.table';
import { buildMinuteRemoval, buildMinuteRow } from './count-in-time';
import type { ListBucket } from '../../kit/lists/buckets';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import { cellAt, GRIDS, areaBucketAt, ownerIn } from '../../features/map/cells';
import { tweetsByArea } from '../../features/map/map.table';
import { mayBeCut } from '../../features/search/terms';
import { hashtagsIn } from '../../features/search/words';
import { placeOfAuthor } from '../../features/hashtag/author-hash';
import {
  hashtagsByHour,
  hourOf,
  MAX_TREND_WINDOW_MS,
  REMOVED_USE,
  USES_TTL_SECONDS,
} from '../../features/hashtag/hashtag.table';

/** The rows that index a tweet by its hashtags, location and minute, with the buckets of their lists. */
export function buildIndexRows(tweet: TweetRow): ListRows {
  const { writes, listBuckets } = buildAreaRows(tweet);
  return { writes: [buildMinuteRow(tweet), ...buildTrendRows(tweet), ...writes], listBuckets };
}

/** The removals of those rows; `at` is their write time in microseconds. */
export function buildIndexRemovals(tweet: TweetRow, at: number): Write[] {
  return [buildMinuteRemoval(tweet, at), ...buildTrendRemovals(tweet, at), ...buildAreaRemovals(tweet, at)];
}

type LocatedTweet = Pick<TweetRow, 'tweetId' | 'createdAt' | 'location'>;

/** The cells of a tweet's location, one of each grid, and their buckets; none for a tweet without a location. */
function areaBucketsOf({ createdAt, location }: LocatedTweet): readonly ListBucket[] {
  if (location === null) return [];
  return GRIDS.map((grid) => ({
    list: tweetsByArea.name,
    owner: cellAt(grid, location.latitude, location.longitude),
    bucket: areaBucketAt(grid, createdAt),
  }));
}

/** The rows of a tweet in the lists of the map, one for each grid, and their buckets. */
function buildAreaRows(tweet: LocatedTweet): ListRows {
  const { tweetId, createdAt, location } = tweet;
  const listBuckets = areaBucketsOf(tweet);
  const writes = listBuckets.flatMap(({ owner, bucket }) => {
    const key = { cell: ownerIn(owner, bucket), createdAt, tweetId };
    return location === null
      ? []
      : [writeOf(tweetsByArea, { ...key, latitude: location.latitude, longitude: location.longitude })];
  });
  return { writes, listBuckets };
}

/** The removals of those rows; `at` is their write time in microseconds. */
function buildAreaRemovals(tweet: LocatedTweet, at: number): Write[] {
  const { tweetId, createdAt } = tweet;
  return areaBucketsOf(tweet).map(({ owner, bucket }) =>
    removalOf(tweetsByArea, { cell: ownerIn(owner, bucket), createdAt, tweetId }, at),
  );
}

type Tagged = Pick<TweetRow, 'tweetId' | 'authorId' | 'createdAt' | 'hashtags' | 'sharedTweetId'>;

function listTrendKeys(tweet: Tagged) {
  const { tweetId, authorId, createdAt } = tweet;
  // Shares do not count towards trends. Uses older than the longest window are ignored.
  if (tweet.sharedTweetId !== null || Number(createdAt) < Date.now() - MAX_TREND_WINDOW_MS) return [];
  const use = { hour: hourOf(createdAt), ...placeOfAuthor(authorId), authorId, tweetId, createdAt };
  // The key of a long one would have to be cut, and so be that of others.
  return hashtagsIn(tweet)
    .filter((hashtag) => !mayBeCut(hashtag))
    .map((hashtag) => ({ ...use, hashtag }));
}

/** The rows by which a tweet counts towards trends, one for each hashtag. */
function buildTrendRows(tweet: Tagged): Write[] {
  return listTrendKeys(tweet).map((row) => writeOf(hashtagsByHour, row));
}

/** The removals of those rows: rows that say so. `at` is their write time in microseconds. */
export function buildTrendRemovals(tweet: Tagged, at: number): Write[] {
  const timing = { at, ttl: USES_TTL_SECONDS };
  return listTrendKeys(tweet).map((key) =>
    writeOf(hashtagsByHour, { ...key, createdAt: REMOVED_USE }, timing),
  );
}
