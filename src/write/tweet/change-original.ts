import type { MutationContext } from '../mutation-context';
import { idIn, nodeNotFound } from '../../kit/graphql/global-id';
import type { KnownAnswer } from '../../kit/reads/load';
import { requireWriter } from '../../features/viewer/viewer';
import { requireNoBlock } from '../../features/follow/block';
import type { StoredTweet } from '../../features/tweet/tweet.table';
import { isByHidden, readOriginal } from '../../features/tweet/visible';

interface ChangeOptions {
  /** Whether the act takes something back. */
  readonly isTakenBack?: boolean;
  /** What is known after the act, so that the answer need not read it. */
  readonly known?: readonly KnownAnswer[];
}

/**
 * Runs `act` as the caller on a tweet or, if that is a share, on its original, and returns that tweet. Throws
 * `UNAUTHENTICATED` without a user, `NOT_FOUND` for a tweet that does not exist, and `FORBIDDEN` where
 * its author or the caller blocks the other. `act` resolves to whether it has changed anything.
 */
export async function changeOriginal(
  { load, viewer, writeServices }: MutationContext,
  id: string,
  act: (original: StoredTweet, userId: string) => Promise<boolean>,
  { isTakenBack = false, known = [] }: ChangeOptions = {},
) {
  const userId = await requireWriter(viewer);
  writeServices.worker.requireLease();
  const tweetId = idIn('Tweet', id);
  // What was done before its author was suspended can be taken back.
  const original = await readOriginal(load, tweetId, { mayBeHidden: isTakenBack });
  if (original === null) throw nodeNotFound('Tweet', tweetId);
  if (!isTakenBack) await requireNoBlock(load, userId, original.authorId);
  const hasChanged = await act(original, userId);
  // Who had nothing to take back is not shown what is hidden.
  if (isTakenBack && !hasChanged) {
    if (isByHidden(load, original)) throw nodeNotFound('Tweet', tweetId);
    await requireNoBlock(load, userId, original.authorId);
  }
  load.forget(...known);
  return { tweet: original };
}
