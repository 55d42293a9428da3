import type { MutationContext } from '../mutation-context';
import { idIn, nodeNotFound } from '../../kit/graphql/global-id';
import { requireWriter } from '../../features/viewer/viewer';
import { requireNoBlock } from '../../features/follow/block';
import type { StoredTweet } from '../../features/tweet/tweet.table';
import { readOriginal } from '../../features/tweet/visible';

/**
 * Runs `act` as the caller on a tweet or, if that is a share, on its original, and returns that tweet. Throws
 * `UNAUTHENTICATED` without a user, `NOT_FOUND` for a tweet that does not exist, and `FORBIDDEN` where
 * its author or the caller blocks the other.
 */
export async function changeOriginal(
  { load, viewer, writeServices }: MutationContext,
  id: string,
  act: (original: StoredTweet, userId: string) => Promise<void>,
  { isTakenBack = false } = {},
) {
  const userId = await requireWriter(viewer);
  writeServices.worker.requireLease();
  const tweetId = idIn('Tweet', id);
  // What was done before its author was suspended can be taken back.
  const original = await readOriginal(load, tweetId, { mayBeHidden: isTakenBack });
  if (original === null) throw nodeNotFound('Tweet', tweetId);
  if (!isTakenBack) await requireNoBlock(load, userId, original.authorId);
  await act(original, userId);
  load.forget();
  return { tweet: original };
}
