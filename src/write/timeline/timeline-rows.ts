import type { followersByUser } from '../../features/follow/follow.lists';
import { writeTimeOfVersion, type Relation } from '../../features/follow/relation';
import type { RowWriter } from '../../kit/writes/row-writer';
import type { Row } from '../../kit/cassandra/table';
import { removalOf, writesOf } from '../../kit/cassandra/write';
import { finalTime } from '../final-time';
import type { TweetRow } from '../../features/tweet/tweet.table';
import { secondsLeft } from '../../features/timeline/retention';
import { timelinesByUser } from '../../features/timeline/timeline.lists';

/** A follower of an author, to whose timeline the author's tweets are written. */
export interface TimelineReader extends Pick<Relation, 'at' | 'version'> {
  readonly userId: string;
}

/** The reader of a row of `followers_by_user`. */
export function timelineReader({
  followerId,
  followedAt,
  version,
}: Row<typeof followersByUser>): TimelineReader {
  return { userId: followerId, at: followedAt, version: version ?? 0 };
}

/** The properties by which the row of a tweet in a timeline is found. */
export type TimelineTweet = Pick<TweetRow, 'tweetId' | 'authorId' | 'createdAt'>;

/** Inserts a tweet into a reader's timeline. Resolves to false, and writes nothing, when the tweet is past the retention. */
type InsertIntoTimeline = (bulk: Pick<RowWriter, 'put'>, reader: TimelineReader) => Promise<boolean>;

/**
 * Creates the function that inserts a tweet into timelines. The write time has the version of the reader's relation, so a
 * late write does not bring back what a later unfollow removed.
 */
export function createTimelineInserter(tweet: TweetRow, retentionMonths: number | null): InsertIntoTimeline {
  const write = writesOf(timelinesByUser, tweet);
  const ttl = secondsLeft(tweet.createdAt, retentionMonths);
  return async (bulk, reader) => {
    if (ttl === null) return false;
    await bulk.put(
      write({ userId: reader.userId }, { at: writeTimeOfVersion(reader, tweet.createdAt), ttl }),
    );
    return true;
  };
}

/** Removes a tweet from the timeline of a user who has unfollowed its author. A later follow can bring it back. */
export function removeFromTimeline(
  bulk: Pick<RowWriter, 'put'>,
  tweet: TimelineTweet,
  reader: TimelineReader,
): Promise<void> {
  return removeTweet(bulk, tweet, reader, writeTimeOfVersion(reader, tweet.createdAt));
}

/** Removes a deleted tweet from a timeline permanently. */
export function eraseFromTimeline(
  bulk: Pick<RowWriter, 'put'>,
  tweet: TimelineTweet,
  reader: TimelineReader,
): Promise<void> {
  return removeTweet(bulk, tweet, reader, finalTime(tweet.createdAt));
}

function removeTweet(
  bulk: Pick<RowWriter, 'put'>,
  { tweetId }: TimelineTweet,
  { userId }: TimelineReader,
  at: number,
): Promise<void> {
  return bulk.put(removalOf(timelinesByUser, { userId, tweetId }, at));
}
