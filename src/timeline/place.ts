import type { Write } from '../kit/cassandra/database';
import type { Row } from '../kit/cassandra/table';
import { monthOf } from '../kit/relay/buckets';
import { removalOf, writeOf } from '../kit/write';
import type { Relation } from '../follow/relation';
import { timeOf } from '../follow/relation';
import type { tweets } from '../tweet/tweet.table';
import { secondsLeft } from './retention';
import { timelinesByUser } from './timeline.table';

/**
 * The write that puts a tweet into a follower's timeline; null when it is too old for it. It counts for the turn of the
 * relation in which it is made: what a later unfollowing took out, no late write brings back.
 */
export function placementOf(
  tweet: Row<typeof tweets>,
  userId: string,
  relation: Pick<Relation, 'at' | 'turn'>,
  retentionMonths: number | null,
): Write | null {
  const ttl = secondsLeft(tweet.createdAt, retentionMonths);
  if (ttl === null) return null;
  const row = { ...tweet, userId, bucket: monthOf(tweet.createdAt) };
  return writeOf(timelinesByUser, row, { at: timeOf(relation, tweet.createdAt), ttl });
}

/** The write that takes a tweet out of the timeline of somebody who follows its author no more. */
export function displacementOf(
  { tweetId, createdAt }: Pick<Row<typeof tweets>, 'tweetId' | 'createdAt'>,
  userId: string,
  relation: Pick<Relation, 'at' | 'turn'>,
): Write {
  const key = { userId, bucket: monthOf(createdAt), tweetId };
  return removalOf(timelinesByUser, key, timeOf(relation, createdAt));
}

/** The write that takes a deleted tweet out of a timeline, for good. */
export function deletionOf(
  { tweetId, createdAt }: Pick<Row<typeof tweets>, 'tweetId' | 'createdAt'>,
  userId: string,
  at: number,
): Write {
  return removalOf(timelinesByUser, { userId, bucket: monthOf(createdAt), tweetId }, at);
}
