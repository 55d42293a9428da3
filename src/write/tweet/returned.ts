import { deletedTweets, type TweetRow } from '../../features/tweet/tweet.table';
import type { Database } from '../../kit/cassandra/database';
import { readMany } from '../../kit/reads/load';
import type { RowWriter } from '../../kit/writes/row-writer';
import { buildIndexRemovals } from './index-rows';
import { buildTweetRemovals, removeRecordWrite } from './tweet-rows';

/** Returns those of the tweets that were deleted here. */
export async function deletedAmong(
  database: Database,
  tweetIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const keys = [...new Set(tweetIds)].map((tweetId) => ({ tweetId }));
  const rows = await readMany(database, deletedTweets.get, keys);
  return new Set(rows.flatMap((row) => row?.tweetId ?? []));
}

/**
 * Removes the rows that show a tweet which must not be there, and its record, but no counts and no rows of timelines; `at` is their write
 * time in microseconds.
 */
export async function removeReturned(writer: RowWriter, tweet: TweetRow, at: number): Promise<void> {
  for (const write of [
    ...buildIndexRemovals(tweet, at),
    ...buildTweetRemovals(tweet, at),
    removeRecordWrite(tweet, at),
  ])
    await writer.put(write);
}
