import { tallyShardOf, tallies } from '../../kit/work/tally';
import { writeOf } from '../../kit/cassandra/write';
import { buildIndexRows } from '../../write/tweet/index-rows';
import { tweetRows } from '../../write/tweet/tweet-rows';
import type { StoredTweet, TweetRow } from '../../features/tweet/tweet.table';
import type { RowWriter } from '../../kit/writes/row-writer';
import type { TweetRecord } from '../records/record';

/** A tweet with the id of its author. */
export interface Authored {
  readonly record: TweetRecord;
  readonly authorId: string;
}

/** Returns the row of a tweet from a source, without the columns that follow from other tweets: see `linkRows`. */
export function makeTweetRow(record: TweetRecord, authorId: string): StoredTweet {
  return {
    tweetId: record.tweetId,
    authorId,
    content: record.content,
    createdAt: record.createdAt,
    language: record.language,
    location: record.location ?? null,
    hashtags: record.hashtags,
    mentions: record.mentions,
    inReplyToId: record.inReplyToId ?? null,
    sharedTweetId: record.sharedTweetId ?? null,
    quotedTweetId: record.quotedTweetId ?? null,
    sharedAuthorId: null,
    rootId: null,
  };
}

/** The key of the tally row that says whether an author shares a tweet. */
export function makeShareRow(tweetId: string, authorId: string) {
  return { owner: tweetId, shard: tallyShardOf(authorId), member: authorId, list: 'shares' };
}

/** Writes a tweet and its rows in all lists but timelines. */
export async function storeTweet(writer: RowWriter, tweet: TweetRow): Promise<void> {
  const { writes, listBuckets } = buildIndexRows(tweet);
  for (const write of [...tweetRows(tweet), ...writes]) await writer.put(write);
  for (const { list, owner, bucket } of listBuckets) await writer.putBucket(list, owner, bucket);
  const { tweetId, authorId, createdAt, sharedTweetId } = tweet;
  if (sharedTweetId === null) return;
  const membership = { present: true, since: createdAt, at: createdAt, item: tweetId };
  // Later changes here must win, even if the source gives a time that is yet to come.
  const at = Math.min(Number(createdAt), Date.now()) * 1000;
  await writer.put(writeOf(tallies, { ...makeShareRow(sharedTweetId, authorId), ...membership }, { at }));
}
