import { NO_SUBJECT, NotificationKind } from '../../features/notification/notification-kind';
import type { Relation } from '../../features/follow/relation';
import { deletedTweets, rootOf, tweets, type StoredTweet } from '../../features/tweet/tweet.table';
import { createLoad } from '../../kit/reads/load';
import { endGroupsOf } from './end-groups';
import type { Group } from './group';
import type { Membership } from '../../kit/work/tally';
import type { WriteServices } from '../write-services';
import type { ListingServices } from './list-group';
import { notifyOfAct, type HowItComes } from './notify-group';

/**
 * Makes the notifications of a tweet's author equal to a like or share of it. Resolves to the groups that were stored. If the act stands, the
 * caller must then look whether the tweet is still there, and end its groups and these if it is not.
 */
export async function notifyAuthor(
  services: ListingServices & Pick<WriteServices, 'worker'>,
  kind: NotificationKind.LIKE | NotificationKind.SHARE,
  tweet: StoredTweet,
  actorId: string,
  { present, since, at }: Membership,
  how: HowItComes,
): Promise<readonly Group[]> {
  if (since === null || at === null) return [];
  const { tweetId: subjectId, authorId: userId } = tweet;
  const notified = { userId, kind, subjectId, rootId: rootOf(tweet) };
  return notifyOfAct(services, notified, { actorId, present, since, changedAt: at }, how);
}

/** Makes the notifications of an original's author equal to a share of it, also if the original is deleted meanwhile. */
export async function notifyOfShare(
  services: ListingServices & Pick<WriteServices, 'worker'>,
  original: StoredTweet,
  sharerId: string,
  membership: Membership,
  how: HowItComes,
): Promise<void> {
  const stored = await notifyAuthor(services, NotificationKind.SHARE, original, sharerId, membership, how);
  // A deletion removes the tweet first and then looks for its notifications, so one of the two sees the other.
  const { tweetId } = original;
  if (membership.present && (await createLoad(services.database)(tweets.get, { tweetId })) === null)
    await endGroupsOf(services, original, { stored, actorId: sharerId });
}

/** Ends the notifications of acts on a deleted tweet, for an act that may have come after the deletion did that. */
export async function notifyOfDeleted(services: ListingServices, tweetId: string): Promise<void> {
  const deleted = await createLoad(services.database)(deletedTweets.get, { tweetId });
  if (deleted && deleted.authorId !== null)
    await endGroupsOf(services, { ...deleted, authorId: deleted.authorId });
}

/** Makes the notifications of somebody equal to whether another user follows. Imported follows are no news. */
export async function notifyFollowee(
  services: ListingServices & Pick<WriteServices, 'worker'>,
  follower: string,
  followee: string,
  { follows, since, at, version }: Relation,
  isRepeated: boolean,
): Promise<void> {
  if (since === null || at === null || version === 0) return;
  const notified = {
    userId: followee,
    kind: NotificationKind.FOLLOW as const,
    subjectId: NO_SUBJECT,
    rootId: null,
  };
  const act = { actorId: follower, present: follows, since, changedAt: at };
  await notifyOfAct(services, notified, act, { isRepeated });
}
