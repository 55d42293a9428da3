import { nodeNotFound } from '../../kit/graphql/global-id';
import { like, likeLists } from '../../features/like/like.lists';
import { tweetIndexesIn } from '../../features/search/tweet-index';
import type { StoredTweet } from '../../features/tweet/tweet.table';
import { NotificationKind } from '../../features/notification/notification-kind';
import { removalsFrom } from '../../kit/lists/source';
import type { Membership } from '../../kit/work/tally';
import { putAll } from '../../kit/writes/row-writer';
import { notifyAuthor, notifyOfDeleted } from '../notification/acts';
import { memberHandler, setMember, type Act } from '../memberships';
import { finalTime } from '../final-time';
import { storeAndCount, type ActOnTweet } from '../tweet/tweet-counts';
import type { WriteServices } from '../write-services';

/** A like that was stored. */
type StoredLike = Awaited<ReturnType<typeof storeAndCount>> & {
  readonly userId: string;
  readonly membership: Membership;
};

/** The kind of the tasks of likes. */
export const LIKE_TASK = 'like';

/** A like. It counts for its tweet, which may be deleted meanwhile. */
const liking = (how: Pick<ActOnTweet, 'tweet' | 'isRepeated'>): Act<StoredLike> => ({
  kind: LIKE_TASK,
  source: like,
  lists: likeLists,
  rows: 20,
  async store(writeServices, { owner: tweetId, member: userId, membership, rows }) {
    const counted = await storeAndCount(writeServices, tweetId, { rows, ...how });
    if (counted.tweet === null) await forgetLike(writeServices, tweetId, userId, membership.since);
    return { ...counted, userId, membership };
  },
  requireStored({ tweet: found, tweetId }) {
    if (found === null) throw nodeNotFound('Tweet', tweetId);
  },
  async afterwards(writeServices, stored, isRepeated) {
    const { tweet: found, counts, userId, membership } = stored;
    const how = { isRepeated, isFirst: counts?.likes === 1 };
    await (found
      ? notifyAuthor(writeServices, NotificationKind.LIKE, found, userId, membership, how)
      : notifyOfDeleted(writeServices, stored.tweetId));
  },
});

/**
 * Makes a user like a tweet, or not. Repeating it changes nothing. Resolves to whether anything changed, and to the counts of the tweet
 * after it. Throws `NOT_FOUND` when the tweet is deleted meanwhile, and `UNAVAILABLE` for a like while the index of liked tweets has no room.
 */
export async function setLiked(
  writeServices: WriteServices,
  tweet: StoredTweet,
  userId: string,
  likes: boolean,
): Promise<{ readonly hasChanged: boolean; readonly counts: StoredLike['counts'] }> {
  if (likes) tweetIndexesIn(writeServices.database).liked.requireRoom(userId);
  const { hasChanged, stored } = await setMember(
    liking({ tweet, isRepeated: false }),
    writeServices,
    tweet.tweetId,
    userId,
    likes,
  );
  return { hasChanged, counts: stored.counts };
}

/** Takes back a like of a tweet, which may be deleted. */
export async function unlike(writeServices: WriteServices, tweetId: string, userId: string): Promise<void> {
  await setMember(liking({ tweet: null, isRepeated: false }), writeServices, tweetId, userId, false);
}

/** Completes a like or unlike that was interrupted. */
export const likeHandler = memberHandler(liking({ tweet: null, isRepeated: true }));

/** Removes the rows of a like of a deleted tweet, also those that come after the deletion has removed what it found. */
async function forgetLike(
  writeServices: WriteServices,
  tweetId: string,
  userId: string,
  likedAt: Date | null,
): Promise<void> {
  if (likedAt === null) return;
  const fact = { tweetId, userId, likedAt, at: likedAt };
  await putAll(writeServices.bulk(), removalsFrom(likeLists, fact, finalTime(likedAt)));
}
