import type { Context } from '../../context';
import { collect } from '../../kit/lists/connection';
import { SPLIT_BOUNDS } from '../../kit/lists/list-parts';
import { repliesByTweet } from '../tweet/tweet.lists';
import { cachedTweetCounts, type StoredTweet } from '../tweet/tweet.table';
import { ThreadOrder, type Shown, type ThreadStart } from './tree';

/** Where a page of such a conversation begins: among the replies to a tweet, which are `depth` levels below the top. */
export interface LargeStart {
  readonly parentId: string;
  readonly depth: number;
  readonly after: string | null;
}

/** Where a page begins, by a cursor of a conversation that can be put in order. */
export function largeStartOf(start: ThreadStart, topId: string): LargeStart {
  if (start.kind === 'top') return { parentId: topId, depth: 1, after: null };
  if (start.kind === 'more') return { parentId: start.parentId, depth: 1, after: start.after };
  const parentId = start.within ?? topId;
  return { parentId, depth: 1, after: start.tweetId === parentId ? null : start.tweetId };
}

/**
 * Some of the replies to one tweet of a conversation that has too many to be put in order, each with the number of its own. MOST_LIKED is
 * as NEWEST here, and nothing comes first. It reads one more than `limit`, if there are so many.
 */
export async function readReplies(
  { load, reserve }: Context,
  top: StoredTweet,
  start: LargeStart,
  { order, limit, hasTop }: { readonly order: ThreadOrder; readonly limit: number; readonly hasTop: boolean },
): Promise<Shown[]> {
  const reads = 1 + SPLIT_BOUNDS.partitions;
  const more = { reads: reads + limit + 2, rows: reads * (limit + 2) + SPLIT_BOUNDS.partitions };
  await reserve({ field: 'Tweet.thread', table: repliesByTweet.name }, more);
  const from = start.after === null ? null : { bucket: 0, key: [start.after] };
  const list = repliesByTweet.list(load, start.parentId);
  const { rows } = await collect(list, { limit, backwards: order === ThreadOrder.OLDEST, from });
  const parent = start.parentId === top.tweetId ? top : null;
  const replies = await Promise.all(
    rows.map(async ({ row: { tweetId, authorId } }): Promise<Shown> => {
      const counts = await load(cachedTweetCounts, { tweetId });
      const count = (counts?.importedReplies ?? 0) + (counts?.replies ?? 0);
      const further = count > 0 ? { count, after: null } : null;
      return { tweetId, authorId, parent, isGone: false, depth: start.depth, more: further };
    }),
  );
  if (!hasTop) return replies;
  const { tweetId, authorId } = top;
  return [{ tweetId, authorId, parent: null, isGone: false, depth: 0, more: null }, ...replies];
}
