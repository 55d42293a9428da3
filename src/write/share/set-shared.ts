import { createLoad } from '../../kit/reads/load';
import { longTask, type DeclaredHandler } from '../../kit/work/handler';
import { putAll } from '../../kit/writes/row-writer';
import { writesFrom } from '../../kit/lists/source';
import { nodeNotFound } from '../../kit/graphql/global-id';
import { timeOfId } from '../../kit/base/snowflake';
import { notifyOfDeleted, notifyOfShare } from '../notification/acts';
import { ensureDeleted } from '../tweet/delete-tweet';
import { countPosted, storePosted } from '../tweet/post-tweet';
import { refreshTweetCounts } from '../tweet/tweet-counts';
import { sharedTweets } from '../../features/tweet/tweet.lists';
import { countsOfRecord, deletedTweets, tweets, type StoredTweet } from '../../features/tweet/tweet.table';
import type { WriteServices } from '../write-services';

/** The result of sharing or unsharing. */
interface Sharing {
  /** Whether anything changed. */
  readonly changed: boolean;
  /** The share, also if it was removed again meanwhile; null after unsharing. */
  readonly share: StoredTweet | null;
}

/**
 * Makes a user share a tweet, or not. A share is a tweet of the user; each original has at most one from each user. Throws
 * `NOT_FOUND` when the original is deleted meanwhile.
 */
export async function setShared(
  writeServices: WriteServices,
  original: StoredTweet,
  userId: string,
  shares: boolean,
): Promise<Sharing> {
  const { tweetId } = original;
  const began = new Date();
  const share = { owner: tweetId, list: 'shares', member: userId };
  const work = async (): Promise<Sharing> => {
    const before = await writeServices.tally.membership(tweetId, 'shares', userId);
    let after = before;
    if (shares) {
      // An earlier share must be removed first, because only this membership names it.
      if (before?.item != null && !(await isShared(writeServices, before))) {
        await ensureDeleted(writeServices, before.item);
        await writeServices.tally.change({ ...share, present: false, ifItem: before.item });
      }
      after = await writeServices.tally.change({
        ...share,
        present: true,
        item: writeServices.worker.nextId(),
      });
    } else if (before?.present) {
      after = await writeServices.tally.change({ ...share, present: false });
    }
    const applied = await applyShare(writeServices, tweetId, userId);
    if (!applied.isOriginalThere) throw nodeNotFound('Tweet', tweetId);
    const changed = after?.at != null && after.at >= began;
    if (!shares || after?.item == null) return { changed, share: null };
    return { changed, share: applied.share ?? newShare(original, userId, after.item) };
  };
  return writeServices.outbox.enqueueAndRun('share', { tweetId, userId }, work, {
    async afterwards({ changed }) {
      if (changed) await tellAuthor(writeServices, original, userId, false);
    },
  });
}

/** Whether a user shares a tweet now. */
export async function isSharedBy(
  { tally }: WriteServices,
  tweetId: string,
  userId: string,
): Promise<boolean> {
  return (await tally.membership(tweetId, 'shares', userId))?.present === true;
}

/** Makes the notifications of an original's author equal to whether somebody shares it. */
async function tellAuthor(
  writeServices: WriteServices,
  original: StoredTweet,
  userId: string,
  isRepeated: boolean,
): Promise<void> {
  const membership = await writeServices.tally.membership(original.tweetId, 'shares', userId);
  if (membership) await notifyOfShare(writeServices, original, userId, membership, { isRepeated });
}

/** Completes a sharing or unsharing that was interrupted. */
export function shareHandler(writeServices: WriteServices): DeclaredHandler {
  // Unsharing removes the share from the timelines of those to whom it was pushed.
  const rows = writeServices.pushLimit;
  return longTask({ rows, person: ({ userId = '' }) => userId }, async ({ tweetId = '', userId = '' }) => {
    await applyShare(writeServices, tweetId, userId);
    const original = await createLoad(writeServices.database)(tweets.get, { tweetId });
    await (original
      ? tellAuthor(writeServices, original, userId, true)
      : notifyOfDeleted(writeServices, tweetId));
  });
}

/** The state after a share was stored or removed. */
interface Applied {
  readonly isOriginalThere: boolean;
  readonly share: StoredTweet | null;
}

/** Stores or removes the share according to the tally. */
async function applyShare(writeServices: WriteServices, tweetId: string, userId: string): Promise<Applied> {
  const { database } = writeServices;
  const membership = await writeServices.tally.membership(tweetId, 'shares', userId);
  const original = await createLoad(database)(tweets.get, { tweetId });
  const shareId = membership?.item;
  let share: StoredTweet | null = null;
  if (shareId != null) {
    if (membership?.present && original !== null) {
      share = await storeShare(writeServices, original, userId, shareId);
      // Unsharing changes the tally first and then looks for the share, so one of the two sees the other.
      const now = await writeServices.tally.membership(tweetId, 'shares', userId);
      if (!now?.present || now.item !== shareId) await ensureDeleted(writeServices, shareId);
    } else {
      await ensureDeleted(writeServices, shareId);
    }
  }
  await refreshTweetCounts(writeServices, tweetId);
  // A deletion removes the original first and then looks for its shares, so one of the two sees the other.
  if ((await createLoad(database)(tweets.get, { tweetId })) !== null) return { isOriginalThere: true, share };
  if (shareId != null) await ensureDeleted(writeServices, shareId);
  return { isOriginalThere: false, share: null };
}

/** Whether a membership says that the tweet is shared, and that share has not been deleted. */
async function isShared(
  { database }: WriteServices,
  { present, item }: { readonly present: boolean; readonly item: string | null },
): Promise<boolean> {
  return present && (await createLoad(database)(deletedTweets.get, { tweetId: item ?? '0' })) === null;
}

/** Stores a share unless it is stored. Resolves to null if it was deleted before. */
async function storeShare(
  writeServices: WriteServices,
  original: StoredTweet,
  authorId: string,
  tweetId: string,
): Promise<StoredTweet | null> {
  const load = createLoad(writeServices.database);
  const stored = await load(tweets.get, { tweetId });
  if (stored) {
    // The call that stored it may have been cut off before it stored all of its rows: this one answers with what the sharer shares.
    await putAll(writeServices.bulk(), writesFrom([sharedTweets], stored));
    // The same before it counted it. An import counts its shares itself.
    const isImported = (await load(countsOfRecord, { tweetId })) !== null;
    if (!isImported) await countPosted(writeServices, stored);
    return stored;
  }
  if (await load(deletedTweets.get, { tweetId })) return null;
  return (await storePosted(writeServices, newShare(original, authorId, tweetId))).tweet;
}

function newShare(original: StoredTweet, authorId: string, tweetId: string): StoredTweet {
  const { content, language, hashtags, mentions } = original;
  return {
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
    sharedAuthorId: original.authorId,
    rootId: null,
  };
}
