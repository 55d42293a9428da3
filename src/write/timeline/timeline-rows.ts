import type { followersByUser } from '../../follow/follow.table';
import { timeOf, type Relation } from '../../follow/relation';
import type { RowWriter } from '../../kit/data/row-writer';
import type { Row } from '../../kit/cassandra/table';
import { removalOf, writesOf } from '../../kit/data/write';
import { finalTime } from './final-time';
import type { tweets } from '../../tweet/tweet.table';
import { bucketOf } from '../../timeline/timeline-shards';
import { secondsLeft } from '../../timeline/retention';
import { timelinesByUser } from '../../timeline/timeline.table';

/** A follower of an author, to whose timeline the author's tweets are written. */
export interface TimelineReader extends Pick<Relation, 'at' | 'turn' | 'parted'> {
  readonly userId: string;
}

/** The reader of a row of `followers_by_user`. */
export function readerOf({
  followerId,
  followedAt,
  turn,
  parted,
}: Row<typeof followersByUser>): TimelineReader {
  return { userId: followerId, at: followedAt, turn: turn ?? 0, parted: parted ?? false };
}

type TimelineTweet = Pick<Row<typeof tweets>, 'tweetId' | 'authorId' | 'createdAt'>;

/** Inserts a tweet into a reader's timeline. Resolves to false, and writes nothing, when the tweet is past the retention. */
export type InsertIntoTimeline = (
  bulk: Pick<RowWriter, 'put' | 'putBucket'>,
  reader: TimelineReader,
) => Promise<boolean>;

/**
 * Creates the function that inserts a tweet into timelines. The write time has the version of the reader's relation, so a
 * late write does not bring back what a later unfollow removed.
 */
export function timelineInserterOf(
  tweet: Row<typeof tweets>,
  retentionMonths: number | null,
): InsertIntoTimeline {
  const write = writesOf(timelinesByUser, tweet);
  const ttl = secondsLeft(tweet.createdAt, retentionMonths);
  return async (bulk, reader) => {
    if (ttl === null) return false;
    const { userId, parted } = reader;
    const bucket = bucketOf(tweet, parted);
    await bulk.putBucket(timelinesByUser.name, userId, bucket);
    await bulk.put(write({ userId, bucket }, { at: timeOf(reader, tweet.createdAt), ttl }));
    return true;
  };
}

/** Removes a tweet from the timeline of a user who has unfollowed its author. A later follow can bring it back. */
export function removeFromTimeline(
  bulk: Pick<RowWriter, 'put'>,
  tweet: TimelineTweet,
  reader: TimelineReader,
): Promise<void> {
  return removeTweet(bulk, tweet, reader, timeOf(reader, tweet.createdAt));
}

/** Removes a deleted tweet from a timeline permanently. */
export function eraseFromTimeline(
  bulk: Pick<RowWriter, 'put'>,
  tweet: TimelineTweet,
  reader: TimelineReader,
): Promise<void> {
  return removeTweet(bulk, tweet, reader, finalTime(tweet.createdAt));
}

async function removeTweet(
  bulk: Pick<RowWriter, 'put'>,
  tweet: TimelineTweet,
  { userId, parted }: TimelineReader,
  at: number,
): Promise<void> {
  // The tweet may have been written to the month's own partition before the relation began to use shards.
  for (const inShard of parted ? [true, false] : [false]) {
    const key = { userId, bucket: bucketOf(tweet, inShard), tweetId: tweet.tweetId };
    await bulk.put(removalOf(timelinesByUser, key, at));
  }
}
