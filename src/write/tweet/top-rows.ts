import { putAll, type RowWriter } from '../../kit/writes/row-writer';
import type { Database, Write } from '../../kit/cassandra/database';
import { createLoad } from '../../kit/reads/load';
import { magnitudeOf, magnitudes } from '../../kit/base/magnitude';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import { addEntries } from '../../kit/postings/unsealed';
import { likedEntry, tweetIndexesIn } from '../../features/search/tweet-index';
import {
  topRepliesByTweet,
  topTweetsByAuthor,
  tweetCounts,
  likesIn,
  type TweetRow,
} from '../../features/tweet/tweet.table';

/**
 * The rows that list a tweet among the most liked; none for shares and tweets without likes. They are written before the count
 * reaches a new magnitude. Rows of earlier magnitudes stay, and readers skip them, so nothing depends on who writes last.
 */
export function buildTopTweetRows(tweet: TweetRow, magnitude: number): Write[] {
  const { tweetId, authorId, createdAt, inReplyToId, sharedTweetId } = tweet;
  if (sharedTweetId !== null || magnitude === 0) return [];
  const row = { magnitude, tweetId, createdAt };
  return [
    writeOf(topTweetsByAuthor, { ...row, authorId }),
    ...(inReplyToId === null ? [] : [writeOf(topRepliesByTweet, { ...row, inReplyToId })]),
  ];
}

/** Lists a tweet among the most liked: in those rows, and in the index of liked tweets. Stores `others` with these rows. */
export async function listMostLiked(
  database: Database,
  bulk: () => RowWriter,
  tweet: TweetRow,
  magnitude: number,
  others: readonly Write[] = [],
): Promise<void> {
  const entry = likedEntry(tweet, magnitude);
  if (entry === null) return putAll(bulk(), others);
  await addEntries(tweetIndexesIn(database).liked, [entry], (additions) =>
    putAll(bulk(), [...others, ...buildTopTweetRows(tweet, magnitude), ...additions]),
  );
}

/** The removals of those rows, for the given magnitudes; `at` is their write time in microseconds. */
export function buildTopTweetRemovals(
  { tweetId, authorId, inReplyToId }: Pick<TweetRow, 'tweetId' | 'authorId' | 'inReplyToId'>,
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
  { tweetId, authorId }: Pick<TweetRow, 'tweetId' | 'authorId'>,
): Promise<number[]> {
  const [counts, rows] = await Promise.all([
    createLoad(database)(tweetCounts.get, { tweetId }),
    database.read(readMagnitudes, [authorId, magnitudes, tweetId]),
  ]);
  const now = magnitudeOf(likesIn(counts));
  const stored = rows.map((row) => (row as { magnitude: number }).magnitude);
  return [...new Set([...stored, Math.max(1, now), now + 1])];
}
