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
  /** The answers of reads that are known after the act, so that they need not be sent. */
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
  // An act can be taken back even if the author was suspended after it.
  const original = await readOriginal(load, tweetId, { mayBeHidden: isTakenBack });
  if (original === null) throw nodeNotFound('Tweet', tweetId);
  if (!isTakenBack) await requireNoBlock(load, userId, original.authorId);
  const hasChanged = await act(original, userId);
  // If the call changed nothing, a hidden object is reported as missing, so that the call does not reveal it.
  if (isTakenBack && !hasChanged) {
    if (isByHidden(load, original)) throw nodeNotFound('Tweet', tweetId);
    await requireNoBlock(load, userId, original.authorId);
  }
  load.forget(...known);
  return { tweet: original };
}
