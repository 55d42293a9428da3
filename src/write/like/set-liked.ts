import type { Row } from '../../kit/cassandra/table';
import { putAll } from '../../kit/data/row-writer';
import { shortTask, type DeclaredHandler } from '../../kit/work/handler';
import type { Membership } from '../../kit/work/tally';
import { nodeNotFound } from '../../kit/relay/node';
import { removalOf } from '../../kit/data/write';
import { finalTime } from '../timeline/final-time';
import { checkListing, storeAndCount } from '../tweet/tweet-counts';
import type { tweets } from '../../tweet/tweet.table';
import type { WriteContext } from '../write-context';
import { like, likeLists, likesByUser } from '../../like/like.lists';

/**
 * Makes a user like a tweet, or not. Repeating it changes nothing. Resolves to whether anything changed. Throws `NOT_FOUND`
 * when the tweet is deleted meanwhile.
 */
export async function setLiked(
  writeContext: WriteContext,
  tweet: Row<typeof tweets>,
  userId: string,
  likes: boolean,
): Promise<boolean> {
  const { tally, outbox } = writeContext;
  const { tweetId } = tweet;
  const began = new Date();
  const clear = (before: Membership) =>
    putAll(writeContext.bulk(), like.writes(likeLists, tweetId, userId, before));
  const change = { owner: tweetId, list: 'likes', member: userId, present: likes, clear };
  const ahead = tally.readAhead(change);
  const act = async () => {
    const membership = await tally.change(change, ahead);
    const rows = like.writes(likeLists, tweetId, userId, membership);
    const counted = await storeAndCount(writeContext, tweetId, rows);
    const { at } = membership;
    if (counted.exists) return { isChanged: at !== null && at >= began, counted };
    await forgetLike(writeContext, tweetId, userId, tweet.createdAt);
    throw nodeNotFound('Tweet', tweetId);
  };
  const { isChanged } = await outbox.enqueueAndRun('like', { tweetId, userId }, act, {
    afterwards: ({ counted }) => checkListing(writeContext, counted),
  });
  return isChanged;
}

/** About how many rows a like reads and writes: those of its lists and counts. */
const ROWS_OF_LIKE = 20;

/** Completes a like or unlike that was interrupted. */
export function likeHandler(writeContext: WriteContext): DeclaredHandler {
  return shortTask(ROWS_OF_LIKE, async ({ tweetId = '', userId = '' }) => {
    const membership = await writeContext.tally.membership(tweetId, 'likes', userId);
    if (membership === null) return;
    const rows = like.writes(likeLists, tweetId, userId, membership);
    const counted = await storeAndCount(writeContext, tweetId, rows);
    if (!counted.exists) await forgetLike(writeContext, tweetId, userId, membership.since ?? new Date(0));
    await checkListing(writeContext, counted);
  });
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
