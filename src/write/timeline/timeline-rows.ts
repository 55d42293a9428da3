import type { followersByUser } from '../../follow/follow.table';
import { timeOf, type Relation } from '../../follow/relation';
import type { BulkWriter } from '../../kit/data/bulk';
import type { Row } from '../../kit/cassandra/table';
import { removalOf, writesOf } from '../../kit/data/write';
import { finalTime } from './final-time';
import type { tweets } from '../../tweet/tweet.table';
import { bucketOf } from '../../timeline/parts';
import { secondsLeft } from '../../timeline/retention';
import { timelinesByUser } from '../../timeline/timeline.table';

/** A follower of an author, into whose timeline the author's tweets come. */
export interface Reader extends Pick<Relation, 'at' | 'turn' | 'parted'> {
  readonly userId: string;
}

/** The reader that a row of followers tells of. */
export function readerOf({ followerId, followedAt, turn, parted }: Row<typeof followersByUser>): Reader {
  return { userId: followerId, at: followedAt, turn: turn ?? 0, parted: parted ?? false };
}

type TimelineTweet = Pick<Row<typeof tweets>, 'tweetId' | 'authorId' | 'createdAt'>;

/** Puts a tweet into a reader's timeline; resolves to false, and puts nothing, when it is too old for it. */
export type InsertIntoTimeline = (
  bulk: Pick<BulkWriter, 'put' | 'putBucket'>,
  reader: Reader,
) => Promise<boolean>;

/**
 * Makes what puts a tweet into timelines. It counts for the turn of the relation in which it is made: what a later
 * unfollowing took out, no late write brings back.
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

/** Takes a tweet out of the timeline of somebody who follows its author no more. */
export function removeFromTimeline(
  bulk: Pick<BulkWriter, 'put'>,
  tweet: TimelineTweet,
  reader: Reader,
): Promise<void> {
  return removeTweet(bulk, tweet, reader, timeOf(reader, tweet.createdAt));
}

/** Takes a deleted tweet out of a timeline, for good. */
export function eraseFromTimeline(
  bulk: Pick<BulkWriter, 'put'>,
  tweet: TimelineTweet,
  reader: Reader,
): Promise<void> {
  return removeTweet(bulk, tweet, reader, finalTime(tweet.createdAt));
}

async function removeTweet(
  bulk: Pick<BulkWriter, 'put'>,
  tweet: TimelineTweet,
  { userId, parted }: Reader,
  at: number,
): Promise<void> {
  // The relation may have come to be parted when the tweet was in the month already.
  for (const inPart of parted ? [true, false] : [false]) {
    const key = { userId, bucket: bucketOf(tweet, inPart), tweetId: tweet.tweetId };
    await bulk.put(removalOf(timelinesByUser, key, at));
  }
}
