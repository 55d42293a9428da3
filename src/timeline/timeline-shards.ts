import { shardOf } from '../kit/base/shard-of';
import type { Row } from '../kit/cassandra/table';
import { monthOf } from '../kit/data/buckets';
import type { tweets } from '../tweet/tweet.table';

/**
 * When a user follows this many accounts, tweets of accounts followed after that are written to shards of each month. 150
 * accounts that post 20 times a day make 90,000 rows of 300 bytes a month: 27 MB. 5,000 more make 37 shards of 135 accounts:
 * 24 MB each. When all are unfollowed at once, a page passes fewer tombstones than the 100,000 at which Cassandra refuses.
 */
export const MAX_UNSHARDED_FOLLOWING = 150;
const TIMELINE_SHARDS = 37;
/** More than any month: a bucket from this number on is a shard of its month. */
const SHARD_STEP = 1_000_000;

/** The bucket of a timeline that a tweet is in: its month or, with `parted`, the author's shard of the month. */
export function bucketOf(
  { authorId, createdAt }: Pick<Row<typeof tweets>, 'authorId' | 'createdAt'>,
  parted: boolean,
): number {
  const month = monthOf(createdAt);
  return parted ? month + SHARD_STEP * (1 + shardOf(authorId, TIMELINE_SHARDS)) : month;
}

/** Whether a bucket of a timeline is a shard of a month. */
export function isTimelineShard(bucket: number): boolean {
  return bucket >= SHARD_STEP;
}

/** The month of a timeline's bucket, whether it is the month's own partition or a shard. */
export function monthOfBucket(bucket: number): number {
  return bucket % SHARD_STEP;
}

/** A timeline's buckets, grouped by month. */
export function bucketsByMonth(buckets: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const byMonth = new Map<number, number[]>();
  for (const bucket of buckets) {
    const month = monthOfBucket(bucket);
    const known = byMonth.get(month);
    if (known) known.push(bucket);
    else byMonth.set(month, [bucket]);
  }
  return byMonth;
}
