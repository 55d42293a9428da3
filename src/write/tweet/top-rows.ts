import type { RowWriter } from '../../kit/data/row-writer';
import type { Database, Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import type { ListBucket } from '../../kit/data/buckets';
import { createLoad } from '../../kit/data/load';
import { magnitudeOf, magnitudes } from '../../kit/base/magnitude';
import type { ShardRouter } from '../../kit/data/shards';
import { removalOf, writeOf } from '../../kit/data/write';
import { topIndexRowsOf } from './index-rows';
import { topRepliesByTweet, topTweetsByAuthor, tweetCounts, type tweets } from '../../tweet/tweet.table';
import { likesIn } from '../../tweet/like-count';

/**
 * The rows that list a tweet among the most liked, with the buckets of their lists; none for shares and tweets without
 * likes. They are written before the count reaches a new magnitude. Rows of earlier magnitudes stay, and readers skip them,
 * so nothing depends on who writes last.
 */
export function topRowsOf(
  shardRouter: ShardRouter,
  tweet: Row<typeof tweets>,
  magnitude: number,
): { writes: Write[]; listBuckets: ListBucket[] } {
  const { tweetId, authorId, createdAt, inReplyToId, sharedTweetId } = tweet;
  if (sharedTweetId !== null || magnitude === 0) return { writes: [], listBuckets: [] };
  const row = { magnitude, tweetId, createdAt };
  const { writes, listBuckets } = topIndexRowsOf(shardRouter, tweet, magnitude);
  writes.push(writeOf(topTweetsByAuthor, { ...row, authorId }));
  if (inReplyToId !== null) writes.push(writeOf(topRepliesByTweet, { ...row, inReplyToId }));
  return { writes, listBuckets };
}

/** Writes those rows and the buckets of their lists. */
export async function putTopRows(
  writer: Pick<RowWriter, 'shardRouter' | 'put' | 'putBucket'>,
  tweet: Row<typeof tweets>,
  magnitude: number,
): Promise<void> {
  const { writes, listBuckets } = topRowsOf(writer.shardRouter, tweet, magnitude);
  for (const { list, owner, bucket } of listBuckets) await writer.putBucket(list, owner, bucket);
  for (const write of writes) await writer.put(write);
}

/** The removals of those rows that are not of terms, for the given magnitudes; `at` is their write time in microseconds. */
export function topRemovalsOf(
  { tweetId, authorId, inReplyToId }: Pick<Row<typeof tweets>, 'tweetId' | 'authorId' | 'inReplyToId'>,
  magnitudes: readonly number[],
  at: number,
): Write[] {
  return magnitudes.flatMap((magnitude) => [
    removalOf(topTweetsByAuthor, { authorId, magnitude, tweetId }, at),
    ...(inReplyToId === null ? [] : [removalOf(topRepliesByTweet, { inReplyToId, magnitude, tweetId }, at)]),
  ]);
}

const readMagnitudes =
  'SELECT magnitude FROM top_tweets_by_author WHERE author_id = ? AND magnitude IN ? AND tweet_id = ?';

/** The magnitudes under which a tweet may be listed: those stored, and those that a like may be reaching right now. */
export async function magnitudesIn(
  database: Database,
  { tweetId, authorId }: Pick<Row<typeof tweets>, 'tweetId' | 'authorId'>,
): Promise<number[]> {
  const [counts, rows] = await Promise.all([
    createLoad(database)(tweetCounts.get, { tweetId }),
    database.read(readMagnitudes, [authorId, magnitudes, tweetId]),
  ]);
  const now = magnitudeOf(likesIn(counts));
  const stored = rows.map((row) => (row as { magnitude: number }).magnitude);
  return [...new Set([...stored, Math.max(1, now), now + 1])];
}
