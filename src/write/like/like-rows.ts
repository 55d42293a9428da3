import type { Write } from '../../kit/cassandra/database';
import { dayOf, monthOf, type ListBucket } from '../../kit/data/buckets';
import type { Membership } from '../../kit/work/tally';
import { writeOf } from '../../kit/data/write';
import { likesByTweet, likesByUser } from '../../like/like.table';

/** The keys of a like in the list of the tweet and in that of the user. */
export function likeKeysOf(tweetId: string, userId: string, likedAt: Date) {
  return {
    ofTweet: { tweetId, bucket: dayOf(likedAt), likedAt, userId },
    ofUser: { userId, bucket: monthOf(likedAt), likedAt, tweetId },
  };
}

/** The rows of a like, with the time of the like as write timestamp, and the buckets of their lists; none for no like. */
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
