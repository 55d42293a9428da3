import type { Write } from '../../kit/cassandra/database';
import type { Membership } from '../../kit/work/tally';
import { writeOf } from '../../kit/data/write';
import { likesByTweet, likesByUser } from '../../like/like.table';

/** The keys of a like in the list of the tweet and in that of the user. */
export function likeKeysOf(tweetId: string, userId: string, likedAt: Date) {
  return {
    ofTweet: { tweetId, likedAt, userId },
    ofUser: { userId, likedAt, tweetId },
  };
}

/** The rows of a like, with the time of the like as write timestamp; none for no like. */
export function likeRowsOf(
  tweetId: string,
  userId: string,
  { present, since, at }: Pick<Membership, 'present' | 'since' | 'at'>,
): Write[] {
  if (!present || since === null || at === null) return [];
  const { ofTweet, ofUser } = likeKeysOf(tweetId, userId, since);
  const timing = { at: Number(at) * 1000 };
  return [writeOf(likesByTweet, ofTweet, timing), writeOf(likesByUser, ofUser, timing)];
}
