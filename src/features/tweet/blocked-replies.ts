import type { Context } from '../../context';
import { upTo } from '../../kit/cost/reads';
import type { OwnerHiding } from '../../kit/lists/node';
import { blockIn } from '../follow/block';
import { relations } from '../follow/follow.table';
import { joinPair } from '../follow/relation';
import { cachedHiddenUsers, HIDDEN, hiddenUsers } from '../hidden/hidden.table';
import type { TweetRow } from './tweet.table';

/** The replies to a tweet by those whom its author blocks: each is shown to nobody but who has written it. */
export const blockedReplies: OwnerHiding<TweetRow, Context, TweetRow> = {
  // Relations are read only if that was reserved.
  reads: [{ ...upTo(hiddenUsers, () => ({ reads: 1, rows: 1 })), otherTables: [relations.name] }],
  open({ load, reserve, viewer }, tweet) {
    // The replies to a share are those to its original.
    const author = tweet.sharedTweetId === null ? tweet.authorId : tweet.sharedAuthorId;
    const decided = new Map<string, boolean>();
    // The rows are read along with the page, so that pages of several tweets go on together. A caller that needs them waits for them, and
    // sees the read fail.
    const head = author === null ? null : load(cachedHiddenUsers, { viewerId: author, limit: 1 });
    head?.catch(() => undefined);
    return {
      async learn(replies) {
        const others = new Set(replies.map(({ authorId }) => authorId));
        for (const userId of [author ?? '', ...decided.keys()]) others.delete(userId);
        if (author === null || head === null || others.size === 0) return;
        // Blocks come first, and most people have none.
        const [first] = await head;
        if (first?.kind !== HIDDEN.block) return;
        await reserve(
          { field: 'Tweet.replies', table: relations.name },
          { reads: others.size, rows: others.size },
        );
        const viewerId = await viewer.userId();
        const decide = async (userId: string) => {
          const row = await load(relations.get, { pair: joinPair(author, userId) });
          decided.set(userId, userId !== viewerId && blockIn(row, author, userId)?.blocks === true);
        };
        await Promise.all(Array.from(others, decide));
      },
      hides: ({ authorId }) => decided.get(authorId) === true,
    };
  },
};
