import type { MutationContext } from '../mutation-context';
import type { Row } from '../../kit/cassandra/table';
import { notFound } from '../../kit/base/errors';
import { idIn } from '../../kit/relay/node';
import { requireViewer } from '../../viewer/viewer';
import type { tweets } from '../../tweet/tweet.table';
import { originalOf } from '../../tweet/visible';

/** Has the caller act on a tweet, of a share on its original; answers with that as it is now. `NOT_FOUND` where it is not there. */
export async function changeOriginal(
  { load, viewer, writeContext }: MutationContext,
  id: string,
  act: (original: Row<typeof tweets>, userId: string) => Promise<void>,
) {
  const userId = await requireViewer(viewer);
  writeContext.worker.requireLease();
  const tweetId = idIn('Tweet', id);
  const original = await originalOf(load, tweetId);
  if (original === null) throw notFound(`Tweet ${tweetId} must be there, but is not.`);
  await act(original, userId);
  load.forget();
  return { tweet: original };
}
