import { shardOf } from '../kit/base/shard-of';
import type { Row } from '../kit/cassandra/table';
import { monthOf } from '../kit/data/buckets';
import type { tweets } from '../tweet/tweet.table';

/**
 * Who follows so many has the tweets of those that are followed then in parts of the months. 150 accounts that post 20
 * times a day make 90,000 rows of 300 bytes a month: 27 MB. 5,000 more make 37 parts of 135 accounts: 24 MB each. When all
 * are unfollowed at once, a page passes fewer tombstones than the 100,000 at which Cassandra refuses.
 */
export const MAX_UNSHARDED_FOLLOWING = 150;
const TIMELINE_SHARDS = 37;
/** More than any month: a bucket beyond it is a part of its month. */
const SHARD_STEP = 1_000_000;

/** The bucket of a timeline in which a tweet stands: its month, or the author's part of that. */
export function bucketOf(
  { authorId, createdAt }: Pick<Row<typeof tweets>, 'authorId' | 'createdAt'>,
  parted: boolean,
): number {
  const month = monthOf(createdAt);
  return parted ? month + SHARD_STEP * (1 + shardOf(authorId, TIMELINE_SHARDS)) : month;
}

/** Whether a bucket of a timeline is a part of a month. */
export function isTimelineShard(bucket: number): boolean {
  return bucket >= SHARD_STEP;
}

/** The month that a bucket of a timeline is, or is a part of. */
export function monthOfBucket(bucket: number): number {
  return bucket % SHARD_STEP;
}

/** A timeline's buckets by their months. */
export function bucketsByMonth(buckets: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const shards = new Map<number, number[]>();
  for (const bucket of buckets) {
    const month = monthOfBucket(bucket);
    const some = shards.get(month);
    if (some) some.push(bucket);
    else shards.set(month, [bucket]);
  }
  return shards;
}
