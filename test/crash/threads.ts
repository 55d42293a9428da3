import { compareIds } from '../../src/kit/base/ids';
import { seenPost, whyHidden } from './hidden';
import type { Model, Post } from './model';
import type { World } from './world';

/** How a thread is asked for. */
export interface ThreadView {
  readonly order: 'OLDEST' | 'NEWEST' | 'MOST_LIKED';
  readonly authorFirst: boolean;
  readonly depth: number;
}

/** A tweet in a thread. */
export interface ThreadRow {
  readonly tweetId: string;
  readonly depth: number;
  readonly hiddenReason: string | null;
  /** How many replies are not shown. */
  readonly more: number;
}

/**
 * The thread below a post as a viewer must see it, or somebody who hides nothing; the numbers of replies to one post are not bounded.
 * Deleted replies stay as long as there are others below them.
 */
export function threadBelow(world: World, top: Post, view: ThreadView, viewer: string | null): ThreadRow[] {
  const replies = Map.groupBy(world.everPosted.values(), ({ inReplyTo }) => inReplyTo);
  const isGone = ({ tweetId }: Post) => !world.model.posts.has(tweetId);
  const kept = (post: Post): Post[] =>
    (replies.get(post.tweetId) ?? []).filter((reply) => !isGone(reply) || kept(reply).length > 0);
  const chain = new Set<string>();
  for (let post: Post | undefined = view.authorFirst ? top : undefined; post !== undefined;) {
    const own = kept(post).filter(({ author }) => author === top.author && !world.left.has(author));
    post = own.sort((a, b) => compareIds(a.tweetId, b.tweetId))[0];
    if (post) chain.add(post.tweetId);
  }
  const likesOf = (post: Post) => (isGone(post) ? 0 : world.model.countsOfTweet(post.tweetId).likeCount);
  const compare = (a: Post, b: Post) =>
    Number(chain.has(b.tweetId)) - Number(chain.has(a.tweetId)) ||
    (view.order === 'MOST_LIKED' ? likesOf(b) - likesOf(a) : 0) ||
    (view.order === 'OLDEST' ? compareIds(a.tweetId, b.tweetId) : compareIds(b.tweetId, a.tweetId));
  const rowsOf = (post: Post, parent: Post | null, depth: number): ThreadRow[] => {
    const below = kept(post).sort(compare);
    const isCut = depth >= view.depth;
    const hiddenReason = reasonOf(world, post, parent, viewer);
    const row = { tweetId: post.tweetId, depth, hiddenReason, more: isCut ? below.length : 0 };
    return [row, ...(isCut ? [] : below.flatMap((reply) => rowsOf(reply, post, depth + 1)))];
  };
  return rowsOf(top, null, 0);
}

function reasonOf(world: World, post: Post, parent: Post | null, viewer: string | null): string | null {
  const { model, left } = world;
  if (!model.posts.has(post.tweetId)) return 'DELETED';
  const own = viewer === null ? null : whyHidden(model, viewer, seenPost(post), 'THREAD');
  if (own !== null || parent === null || left.has(parent.author)) return own;
  return isUnwanted(model, parent, post.author, viewer) ? 'BLOCKED' : null;
}

/** Whether a reply is hidden below a post: nobody but its author sees a reply to somebody who blocks the author. */
export function isUnwanted({ hidden }: Model, to: Post, author: string, viewer: string | null): boolean {
  return viewer !== author && hidden.blocks.has(to.author, author);
}
