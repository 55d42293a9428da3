import type { Row } from '../../kit/cassandra/table';
import { createLoad } from '../../kit/data/load';
import { longTask, type DeclaredHandler } from '../../kit/work/handler';
import { nodeNotFound } from '../../kit/relay/node';
import { timeOfId } from '../../kit/base/snowflake';
import { deleteIfStored, ensureDeleted } from '../tweet/delete-tweet';
import { count, store } from '../tweet/post-tweet';
import { refreshTweetCounts } from '../tweet/tweet-counts';
import { deletedTweets, tweets } from '../../tweet/tweet.table';
import type { WriteContext } from '../write-context';

/**
 * Makes a user share a tweet, or not. A share is a tweet of the user; each original has at most one from each user. Resolves
 * to whether anything changed. Throws `NOT_FOUND` when the original is deleted meanwhile.
 */
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
      // An earlier share must be removed first, because only this membership names it.
      if (before?.item != null && !(await isShared(writeContext, before))) {
        await ensureDeleted(writeContext, before.item);
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
    if (!(await applyShare(writeContext, tweetId, userId))) throw nodeNotFound('Tweet', tweetId);
    return after?.at != null && after.at >= began;
  });
}

/** Completes a sharing or unsharing that was interrupted. */
export function shareHandler(writeContext: WriteContext): DeclaredHandler {
  // Unsharing removes the share from the timelines of those to whom it was pushed.
  const rows = writeContext.pushLimit;
  return longTask({ rows, person: ({ userId = '' }) => userId }, async ({ tweetId = '', userId = '' }) => {
    await applyShare(writeContext, tweetId, userId);
  });
}

/** Stores or removes the share according to the tally. Resolves to whether the original exists. */
async function applyShare(writeContext: WriteContext, tweetId: string, userId: string): Promise<boolean> {
  const { database } = writeContext;
  const membership = await writeContext.tally.membership(tweetId, 'shares', userId);
  const original = await createLoad(database)(tweets.get, { tweetId });
  const shareId = membership?.item;
  if (shareId != null) {
    if (membership?.present && original !== null) {
      await storeShare(writeContext, original, userId, shareId);
      // Unsharing changes the tally first and then looks for the share, so one of the two sees the other.
      const now = await writeContext.tally.membership(tweetId, 'shares', userId);
      if (!now?.present || now.item !== shareId) await deleteIfStored(writeContext, shareId);
    } else {
      await ensureDeleted(writeContext, shareId);
    }
  }
  await refreshTweetCounts(writeContext, tweetId);
  // A deletion removes the original first and then looks for its shares, so one of the two sees the other.
  if ((await createLoad(database)(tweets.get, { tweetId })) !== null) return true;
  if (shareId != null) await deleteIfStored(writeContext, shareId);
  return false;
}

/** Whether a membership says that the tweet is shared, and that share has not been deleted. */
async function isShared(
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
  // The call that stored it may have been cut off before it counted it.
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
