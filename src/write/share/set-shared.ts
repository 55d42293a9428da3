import type { Row } from '../../kit/cassandra/table';
import { notFound } from '../../kit/base/errors';
import { createLoad } from '../../kit/data/load';
import type { Handler } from '../../kit/work/handler';
import { timeOfId } from '../../kit/work/worker';
import { remove } from '../tweet/delete-tweet';
import { count, store } from '../tweet/post-tweet';
import { refreshTweetCounts } from '../tweet/tweet-counts';
import { deletedTweets, tweets } from '../../tweet/tweet.table';
import type { WriteContext } from '../write-context';

/** Has a user share a tweet, or not: by a tweet of its own, one at a time. Resolves to whether that changed anything. `NOT_FOUND` when the original goes meanwhile. */
export async function setShared(
  writeContext: WriteContext,
  original: Row<typeof tweets>,
  userId: string,
  shares: boolean,
): Promise<boolean> {
  const { tweetId } = original;
  const began = new Date();
  const share = { owner: tweetId, list: 'shares', member: userId };
  return writeContext.outbox.enqueueAndRun('share', { tweetId, userId }, async () => {
    const before = await writeContext.tally.membership(tweetId, 'shares', userId);
    let after = before;
    if (shares) {
      // The share of the time before must be gone first: only this state says which it was.
      if (before?.item != null && !(await isStanding(writeContext, before))) {
        await remove(writeContext, before.item);
        await writeContext.tally.change({ ...share, present: false, ifItem: before.item });
      }
      after = await writeContext.tally.change({
        ...share,
        present: true,
        item: writeContext.worker.nextId(),
      });
    } else if (before?.present) {
      after = await writeContext.tally.change({ ...share, present: false });
    }
    if (!(await settleShare(writeContext, tweetId, userId)))
      throw notFound(`Tweet ${tweetId} must be there, but is not.`);
    return after?.at != null && after.at >= began;
  });
}

/** Finishes what sharing or unsharing began. */
export function shareHandler(writeContext: WriteContext): Handler {
  return async ({ tweetId = '', userId = '' }) => {
    await settleShare(writeContext, tweetId, userId);
  };
}

/** Makes the sharer's tweet be there or not, as the tally says. Resolves to whether the original is there. */
async function settleShare(writeContext: WriteContext, tweetId: string, userId: string): Promise<boolean> {
  const { database } = writeContext;
  const membership = await writeContext.tally.membership(tweetId, 'shares', userId);
  const original = await createLoad(database)(tweets.get, { tweetId });
  const shareId = membership?.item;
  if (shareId != null) {
    if (membership?.present && original !== null) await storeShare(writeContext, original, userId, shareId);
    else await remove(writeContext, shareId);
    // Whoever unshares looks for the share after saying so: one of the two sees the other.
    const now = await writeContext.tally.membership(tweetId, 'shares', userId);
    if (!now?.present || now.item !== shareId) await remove(writeContext, shareId);
  }
  await refreshTweetCounts(writeContext, tweetId);
  // Whoever deletes the original looks for shares after it is gone: one of the two sees the other.
  if ((await createLoad(database)(tweets.get, { tweetId })) !== null) return true;
  if (shareId != null) await remove(writeContext, shareId);
  return false;
}

/** Whether a share is there, or should be and was not deleted. */
async function isStanding(
  { database }: WriteContext,
  { present, item }: { readonly present: boolean; readonly item: string | null },
): Promise<boolean> {
  return present && (await createLoad(database)(deletedTweets.get, { tweetId: item ?? '0' })) === null;
}

async function storeShare(
  writeContext: WriteContext,
  original: Row<typeof tweets>,
  authorId: string,
  tweetId: string,
): Promise<void> {
  const load = createLoad(writeContext.database);
  const stored = await load(tweets.get, { tweetId });
  // Whoever stored it may have been cut off before counting.
  if (stored) return count(writeContext, stored);
  if (await load(deletedTweets.get, { tweetId })) return;
  const { content, language, hashtags, mentions } = original;
  await store(writeContext, {
    tweetId,
    authorId,
    createdAt: timeOfId(tweetId),
    content,
    language,
    hashtags,
    mentions,
    location: null,
    inReplyToId: null,
    quotedTweetId: null,
    sharedTweetId: original.tweetId,
  });
}
