import { like, likedTweets, likeLists, likesByUser } from '../../features/like/like.lists';
import { tweetIndexesIn } from '../../features/search/tweet-index';
import { tweets, type StoredTweet } from '../../features/tweet/tweet.table';
import { NotificationKind } from '../../features/notification/notification-kind';
import { listPages } from '../../kit/lists/list-pages';
import { removalsFrom } from '../../kit/lists/source';
import { shortTask, type DeclaredHandler } from '../../kit/work/handler';
import type { Membership } from '../../kit/work/tally';
import { createLoad } from '../../kit/reads/load';
import { putAll } from '../../kit/writes/row-writer';
import { notifyAuthor, notifyOfDeleted } from '../notification/acts';
import { endGroupsOf } from '../notification/end-groups';
import { finalTime } from '../final-time';
import { lookAgain, storeAndCount, type ActOnTweet } from '../tweet/tweet-counts';
import type { WriteServices } from '../write-services';

/** A like that was stored. */
type StoredLike = Awaited<ReturnType<typeof storeAndCount>> & {
  readonly userId: string;
  readonly membership: Membership;
};

/** The kind of the tasks of likes. */
export const LIKE_TASK = 'like';
/** About how many rows a like reads and writes. */
const ROWS_OF_LIKE = 20;

/**
 * Makes a user like a tweet, or not. Repeating it changes nothing. Resolves to whether anything changed, and to the counts of the tweet
 * after it. A tweet that is deleted at the same moment loses the like soon after. Throws `UNAVAILABLE` for a like while the index of liked
 * tweets has no room.
 */
export async function setLiked(
  writeServices: WriteServices,
  tweet: StoredTweet,
  userId: string,
  likes: boolean,
): Promise<{ readonly hasChanged: boolean; readonly counts: StoredLike['counts'] }> {
  if (likes) tweetIndexesIn(writeServices.database).liked.requireRoom(userId);
  return changeLike(writeServices, { tweetId: tweet.tweetId, userId }, likes, tweet);
}

/** Whether a user likes a tweet now. */
export async function isLiked({ tally }: WriteServices, tweetId: string, userId: string): Promise<boolean> {
  return (await tally.membership(tweetId, like.tally, userId))?.present === true;
}

/** Takes back a like of a tweet, which may be deleted. */
export async function unlike(writeServices: WriteServices, tweetId: string, userId: string): Promise<void> {
  await changeLike(writeServices, { tweetId, userId }, false, null);
}

async function changeLike(
  writeServices: WriteServices,
  { tweetId, userId }: Pick<StoredLike, 'tweetId' | 'userId'>,
  present: boolean,
  tweet: StoredTweet | null,
) {
  const { tally, outbox } = writeServices;
  const began = new Date();
  // The rows of an earlier like have another time, and so another key.
  const clear = (before: Membership) =>
    putAll(writeServices.bulk(), like.writes(likeLists, tweetId, userId, before));
  const change = { owner: tweetId, list: like.tally, member: userId, present, clear };
  const ahead = tally.readAhead(change);
  const work = async () => {
    const membership = await tally.change(change, ahead);
    return storeLike(writeServices, { tweetId, userId, membership }, { tweet, isRepeated: false });
  };
  const hasChanged = ({ membership: { at } }: StoredLike) => at !== null && at >= began;
  const stored = await outbox.enqueueAndRun(LIKE_TASK, { tweetId, userId }, work, {
    // A like that was the same before has or had a task of its own, which tells the author.
    afterwards: (made) =>
      finishLike(writeServices, made, { tweet, isRepeated: false, isTold: !hasChanged(made) }),
  });
  return { hasChanged: hasChanged(stored), counts: stored.counts };
}

/** Completes a like or unlike that was interrupted. */
export function likeHandler(writeServices: WriteServices): DeclaredHandler {
  return shortTask(
    { rows: ROWS_OF_LIKE, person: ({ userId }) => userId },
    async ({ tweetId = '', userId = '' }, { createdAt }) => {
      const membership = await writeServices.tally.membership(tweetId, like.tally, userId);
      if (membership === null) return forgetLost(writeServices, tweetId, userId, createdAt);
      const how = { tweet: null, isRepeated: true };
      const stored = await storeLike(writeServices, { tweetId, userId, membership }, how);
      await finishLike(writeServices, stored, { ...how, isTold: false });
    },
  );
}

/** Makes lists and counts equal to a like, also when it is repeated. `finishLike` must follow. */
async function storeLike(
  writeServices: WriteServices,
  { tweetId, userId, membership }: Pick<StoredLike, 'tweetId' | 'userId' | 'membership'>,
  how: Pick<ActOnTweet, 'tweet' | 'isRepeated'>,
): Promise<StoredLike> {
  const rows = like.writes(likeLists, tweetId, userId, membership);
  return { ...(await storeAndCount(writeServices, tweetId, { rows, ...how })), userId, membership };
}

/**
 * Tells the author of a like, unless it `isTold` already, and takes everything back if the tweet was deleted meanwhile. `isRepeated`: a
 * server that was interrupted may have told some of it.
 */
async function finishLike(
  writeServices: WriteServices,
  stored: StoredLike,
  how: Pick<ActOnTweet, 'tweet' | 'isRepeated'> & { readonly isTold: boolean },
): Promise<void> {
  const { tweetId, userId, membership, counts } = stored;
  const { isRepeated, isTold } = how;
  const readTweet = () => createLoad(writeServices.database)(tweets.get, { tweetId });
  const tweet = how.tweet ?? stored.listed ?? (isTold ? null : await readTweet());
  const isFirst = counts?.likes === 1;
  const told =
    tweet !== null && !isTold
      ? await notifyAuthor(writeServices, NotificationKind.LIKE, tweet, userId, membership, {
          isRepeated,
          isFirst,
        })
      : [];
  if ((await lookAgain(writeServices, stored)) !== null) return;
  await forgetLike(writeServices, tweetId, userId, membership.since);
  await (tweet
    ? endGroupsOf(writeServices, tweet, { stored: told, actorId: userId })
    : notifyOfDeleted(writeServices, tweetId));
}

/** How many likes a page has in which a lost one is looked for. */
const LIKES_PER_PAGE = 100;
/** How much earlier and later than its task a like can be, in milliseconds. */
const MAX_EARLIER_MS = 60_000;
const MAX_LATER_MS = 600_000;

/**
 * Removes the rows of likes of a deleted tweet whose memberships went with it: a server was interrupted that had stored them after the
 * deletion had looked for them, and had not looked again. `since` is when the first of them was to be stored: only likes of about that time
 * are read.
 */
async function forgetLost(
  writeServices: WriteServices,
  tweetId: string,
  userId: string,
  since: Date,
): Promise<void> {
  const { database } = writeServices;
  if ((await createLoad(database)(tweets.get, { tweetId })) !== null) return;
  const earliest = new Date(Number(since) - MAX_EARLIER_MS);
  const latest = { bucket: 0, key: [new Date(Number(since) + MAX_LATER_MS), tweetId] };
  const likes = listPages(database, (load) => likesByUser.list(load, userId), LIKES_PER_PAGE, latest);
  for await (const page of likes) {
    for (const { tweetId: liked, likedAt } of page)
      if (liked === tweetId) await forgetLike(writeServices, tweetId, userId, likedAt);
    if (page.some(({ likedAt }) => likedAt < earliest)) break;
  }
  // Its row may be stored where that in the list is not, and needs no time to be found.
  const engagement = { tweetId, userId, likedAt: since, at: since };
  await putAll(writeServices.bulk(), removalsFrom([likedTweets], engagement, finalTime(since)));
  await notifyOfDeleted(writeServices, tweetId);
}

/** Removes the rows of a like of a deleted tweet, also those that come after the deletion has removed what it found. */
export async function forgetLike(
  writeServices: Pick<WriteServices, 'bulk'>,
  tweetId: string,
  userId: string,
  likedAt: Date | null,
): Promise<void> {
  if (likedAt === null) return;
  const fact = { tweetId, userId, likedAt, at: likedAt };
  await putAll(writeServices.bulk(), removalsFrom(likeLists, fact, finalTime(likedAt)));
}
