import type { Row } from '../../kit/cassandra/table';
import { notFound } from '../../kit/base/errors';
import { createLoad } from '../../kit/data/load';
import type { Handler } from '../../kit/work/handler';
import type { Membership } from '../../kit/work/tally';
import { removalOf } from '../../kit/data/write';
import { finalTime } from '../timeline/final-time';
import { refreshTweetCounts } from '../tweet/tweet-counts';
import { tweets } from '../../tweet/tweet.table';
import type { WriteContext } from '../write-context';
import { likesByTweet, likesByUser } from '../../like/like.table';
import { likeKeysOf, likeRowsOf } from './like-rows';

/**
 * Makes a user like a tweet, or not. Repeating it changes nothing. Resolves to whether anything changed. Throws `NOT_FOUND`
 * when the tweet is deleted meanwhile.
 */
export async function setLiked(
  writeContext: WriteContext,
  { tweetId, createdAt }: Row<typeof tweets>,
  userId: string,
  likes: boolean,
): Promise<boolean> {
  const began = new Date();
  return writeContext.outbox.enqueueAndRun('like', { tweetId, userId }, async () => {
    const clear = (before: Membership) => storeRows(writeContext, tweetId, userId, before);
    const change = { owner: tweetId, list: 'likes', member: userId, present: likes, clear };
    const membership = await writeContext.tally.change(change);
    if (await storeLike(writeContext, tweetId, userId, membership))
      return membership.at !== null && membership.at >= began;
    await forgetLike(writeContext, tweetId, userId, createdAt);
    throw notFound(`Tweet ${tweetId} must exist, but does not.`);
  });
}

/** Completes a like or unlike that was interrupted. */
export function likeHandler(writeContext: WriteContext): Handler {
  return async ({ tweetId = '', userId = '' }) => {
    const membership = await writeContext.tally.membership(tweetId, 'likes', userId);
    if (membership === null) return;
    if (!(await storeLike(writeContext, tweetId, userId, membership)))
      await forgetLike(writeContext, tweetId, userId, membership.since ?? new Date(0));
  };
}

/** Makes the rows of a like and the count equal to what a membership says. Resolves to whether the tweet exists. */
async function storeLike(
  writeContext: WriteContext,
  tweetId: string,
  userId: string,
  membership: Membership,
): Promise<boolean> {
  await storeRows(writeContext, tweetId, userId, membership);
  const [tweet] = await Promise.all([
    // A deletion removes the tweet first and then looks for its likes, so one of the two sees the other.
    createLoad(writeContext.database)(tweets.get, { tweetId }),
    refreshTweetCounts(writeContext, tweetId),
  ]);
  return tweet !== null;
}

async function storeRows(
  writeContext: WriteContext,
  tweetId: string,
  userId: string,
  membership: Membership,
): Promise<void> {
  const { present, since, at } = membership;
  if (since === null || at === null) return;
  const bulk = writeContext.bulk();
  if (present) {
    for (const write of likeRowsOf(tweetId, userId, membership)) await bulk.put(write);
  } else {
    const { ofTweet, ofUser } = likeKeysOf(tweetId, userId, since);
    const time = Number(at) * 1000;
    await bulk.put(removalOf(likesByTweet, ofTweet, time));
    await bulk.put(removalOf(likesByUser, ofUser, time));
  }
  await bulk.flush();
}

/** Removes a deleted tweet from the likes of a user. */
async function forgetLike(
  writeContext: WriteContext,
  tweetId: string,
  userId: string,
  createdAt: Date,
): Promise<void> {
  const membership = await writeContext.tally.membership(tweetId, 'likes', userId);
  const likedAt = membership?.since;
  if (likedAt == null) return;
  const bulk = writeContext.bulk();
  await bulk.put(removalOf(likesByUser, { userId, likedAt, tweetId }, finalTime(createdAt)));
  await bulk.flush();
}
