import { removalOf } from '../../kit/cassandra/write';
import { nodeNotFound } from '../../kit/graphql/global-id';
import { like, likeLists, likesByUser } from '../../features/like/like.lists';
import { tweetIndexesIn } from '../../features/search/tweet-index';
import type { TweetRow } from '../../features/tweet/tweet.table';
import { NotificationKind } from '../../features/notification/notification-kind';
import type { Membership } from '../../kit/work/tally';
import { notifyAuthor, notifyOfDeleted } from '../notification/acts';
import { memberHandler, setMember, type Act } from '../memberships';
import { finalTime } from '../final-time';
import { checkListing, storeAndCount } from '../tweet/tweet-counts';
import type { WriteServices } from '../write-services';

/** A like that was stored. */
type StoredLike = Awaited<ReturnType<typeof storeAndCount>> & {
  readonly userId: string;
  readonly membership: Membership;
};

/** A like. It counts for its tweet, which may be deleted meanwhile. */
const liking: Act<StoredLike> = {
  kind: 'like',
  source: like,
  lists: likeLists,
  rows: 20,
  async store(writeServices, { owner: tweetId, member: userId, membership, rows }) {
    const counted = await storeAndCount(writeServices, tweetId, rows);
    if (counted.tweet === null) await forgetLike(writeServices, tweetId, userId, membership.since);
    return { ...counted, userId, membership };
  },
  requireStored({ tweet, tweetId }) {
    if (tweet === null) throw nodeNotFound('Tweet', tweetId);
  },
  async afterwards(writeServices, stored, isRepeated) {
    const { tweet, userId, membership } = stored;
    await Promise.all([
      checkListing(writeServices, stored),
      tweet
        ? notifyAuthor(writeServices, NotificationKind.LIKE, tweet, userId, membership, isRepeated)
        : notifyOfDeleted(writeServices, stored.tweetId),
    ]);
  },
};

/**
 * Makes a user like a tweet, or not. Repeating it changes nothing. Resolves to whether anything changed. Throws `NOT_FOUND`
 * when the tweet is deleted meanwhile, and `UNAVAILABLE` for a like while the index of liked tweets has no room.
 */
export async function setLiked(
  writeServices: WriteServices,
  { tweetId }: Pick<TweetRow, 'tweetId'>,
  userId: string,
  likes: boolean,
): Promise<boolean> {
  if (likes) tweetIndexesIn(writeServices.database).liked.requireRoom(userId);
  return setMember(liking, writeServices, tweetId, userId, likes);
}

/** Completes a like or unlike that was interrupted. */
export const likeHandler = memberHandler(liking);

/** Removes a deleted tweet from the likes of a user. */
async function forgetLike(
  writeServices: WriteServices,
  tweetId: string,
  userId: string,
  likedAt: Date | null,
): Promise<void> {
  if (likedAt === null) return;
  const bulk = writeServices.bulk();
  await bulk.put(removalOf(likesByUser, { userId, likedAt, tweetId }, finalTime(likedAt)));
  await bulk.flush();
}
