import type { MutationContext } from '../mutation-context';
import type { Row } from '../../kit/cassandra/table';
import { idIn, nodeNotFound } from '../../kit/graphql/global-id';
import { requireWriter } from '../../features/viewer/viewer';
import type { tweets } from '../../features/tweet/tweet.table';
import { readOriginal } from '../../features/tweet/visible';

/**
 * Runs `act` as the caller on a tweet or, if that is a share, on its original, and returns that tweet. Throws
 * `UNAUTHENTICATED` without a user, `NOT_FOUND` for a tweet that does not exist.
 */
export async function changeOriginal(
  { load, viewer, writeServices }: MutationContext,
  id: string,
  act: (original: Row<typeof tweets>, userId: string) => Promise<void>,
) {
  const userId = await requireWriter(viewer);
  writeServices.worker.requireLease();
  const tweetId = idIn('Tweet', id);
  const original = await readOriginal(load, tweetId);
  if (original === null) throw nodeNotFound('Tweet', tweetId);
  await act(original, userId);
  load.forget();
  return { tweet: original };
}
