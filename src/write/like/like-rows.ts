import type { Write } from '../../kit/cassandra/database';
import { dayOf, monthOf, type ListBucket } from '../../kit/data/buckets';
import type { Membership } from '../../kit/work/tally';
import { writeOf } from '../../kit/data/write';
import { likesByTweet, likesByUser } from '../../like/like.table';

/** Where a like that began at a moment stands in both lists. */
export function likeKeysOf(tweetId: string, userId: string, likedAt: Date) {
  return {
    ofTweet: { tweetId, bucket: dayOf(likedAt), likedAt, userId },
    ofUser: { userId, bucket: monthOf(likedAt), likedAt, tweetId },
  };
}

/** The rows of a like, as of when it came, and the months of the lists that they stand in; none where there is none. */
export function likeRowsOf(
  tweetId: string,
  userId: string,
  { present, since, at }: Pick<Membership, 'present' | 'since' | 'at'>,
): { writes: Write[]; listBuckets: ListBucket[] } {
  if (!present || since === null || at === null) return { writes: [], listBuckets: [] };
  const { ofTweet, ofUser } = likeKeysOf(tweetId, userId, since);
  const timing = { at: Number(at) * 1000 };
  return {
    writes: [writeOf(likesByTweet, ofTweet, timing), writeOf(likesByUser, ofUser, timing)],
    listBuckets: [
      { list: likesByTweet.name, owner: tweetId, bucket: ofTweet.bucket },
      { list: likesByUser.name, owner: userId, bucket: ofUser.bucket },
    ],
  };
}
