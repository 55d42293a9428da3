import type { Context } from '../../context';
import type { Load } from '../../kit/reads/load';
import { collect } from '../../kit/lists/connection';
import { SPLIT_BOUNDS } from '../../kit/lists/list-parts';
import { repliesByTweet } from '../tweet/tweet.lists';
import { cachedTweets } from '../tweet/tweet-invalidations';
import { cachedTweetCounts, deletedTweets, type StoredTweet } from '../tweet/tweet.table';
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
 * as NEWEST here, and nothing comes first. It reads one more than `limit`, if there are so many; `end` is the id to go on after if a bound
 * has ended it before.
 */
export async function readReplies(
  { load, reserve }: Context,
  top: StoredTweet,
  start: LargeStart,
  { order, limit, hasTop }: { readonly order: ThreadOrder; readonly limit: number; readonly hasTop: boolean },
): Promise<{ found: readonly Shown[]; end: string | null }> {
  const reads = 1 + SPLIT_BOUNDS.partitions;
  const more = { reads: reads + limit + 4, rows: reads * (limit + 2) + SPLIT_BOUNDS.partitions };
  await reserve({ field: 'Tweet.thread', table: repliesByTweet.name }, more);
  const from = start.after === null ? null : { bucket: 0, key: [start.after] };
  const list = repliesByTweet.list(load, start.parentId);
  const [{ rows, end }, parent] = await Promise.all([
    collect(list, { limit, backwards: order === ThreadOrder.OLDEST, from }),
    start.parentId === top.tweetId ? top : readParent(load, start.parentId),
  ]);
  const replies = await Promise.all(
    rows.map(async ({ row: { tweetId, authorId } }): Promise<Shown> => {
      const counts = await load(cachedTweetCounts, { tweetId });
      const count = (counts?.importedReplies ?? 0) + (counts?.replies ?? 0);
      const further = count > 0 ? { count, after: null } : null;
      return { tweetId, authorId, parent, isGone: false, depth: start.depth, more: further };
    }),
  );
  const { tweetId, authorId } = top;
  const first: Shown = { tweetId, authorId, parent: null, isGone: false, depth: 0, more: null };
  const last = end?.key[0];
  return {
    found: hasTop ? [first, ...replies] : replies,
    end: last === undefined ? null : String(last),
  };
}

/** The tweet that is replied to, whose author may block those of the replies; also a deleted one. */
async function readParent(load: Load, tweetId: string): Promise<Shown['parent']> {
  return (await load(cachedTweets, { tweetId })) ?? load(deletedTweets.get, { tweetId });
}
