import type { Client } from './client';
import { compareDated } from './compare-dated';
import { idsOf } from './compare-people';
import type { Differences } from './differences';
import { inParallel } from './in-parallel';
import { walkDay, walkPeople, walkTweets, type Walk } from './lists';
import { compareIds, type Post } from './model';
import { tweetsByIds, type TweetView } from './operations';
import { isUnwanted } from './threads';
import { spanKey, type Target, type World } from './world';

/** How many tweets are requested at once. */
const CHUNK_SIZE = 50;

/** Compares every tweet that has ever existed with the model: its fields, its counts and its lists. */
export async function compareTweets(
  world: World,
  service: Client,
  differences: Differences,
  walk: () => Walk,
): Promise<void> {
  await inParallel(chunks([...world.ever.values()]), async (targets) => {
    const views = await service.ask(tweetsByIds, { ids: targets.map(({ id }) => id) });
    targets.forEach((target, index) => {
      compareTweet(world, differences, target, views[index] ?? null);
    });
  });
  await inParallel(world.model.posts.values(), (post) =>
    compareLists(world, service, differences, post, walk),
  );
  await compareDays(world, service, differences, walk);
}

function compareTweet(world: World, differences: Differences, target: Target, view: TweetView | null): void {
  const { original, sharer } = target;
  const what = `tweet ${sharer === null ? '' : `${target.id}, shared by ${sharer}, `}${original.tweetId}`;
  if (!world.isThere(target)) {
    differences.same(what, view, null);
    return;
  }
  const post = sharer === null ? original : null;
  const linkedTo = (tweetId: string | null | undefined) =>
    (tweetId != null && world.model.posts.get(tweetId)?.id) || null;
  const expected = {
    author: sharer ?? original.author,
    content: post?.content,
    ...world.model.countsOfTweet(original.tweetId),
    inReplyTo: linkedTo(post?.inReplyTo),
    ...quotedBy(world, post),
    sharedTweet: sharer === null ? null : original.id,
  };
  const got = view && {
    author: view.author.username,
    // The API does not say how much of its original a share repeats.
    content: post?.content && view.content,
    likeCount: view.likeCount,
    shareCount: view.shareCount,
    replyCount: view.replyCount,
    quoteCount: view.quoteCount,
    inReplyTo: post && (view.inReplyTo?.id ?? null),
    quotedTweet: post && (view.quotedTweet?.id ?? null),
    quotedTweetHiddenReason: post && view.quotedTweetHiddenReason,
    sharedTweet: view.sharedTweet?.id ?? null,
  };
  differences.same(what, got, expected);
}

/** What a post shows of the tweet that it quotes, to somebody who hides nothing. Who is quoted may block who quotes. */
function quotedBy({ model, ever }: World, post: Post | null) {
  const isGone = [...ever.values()].some(({ original }) => original.tweetId === post?.quotes);
  const quoted = model.posts.get(post?.quotes ?? '');
  const isBlocked = quoted !== undefined && model.hidden.blocks.has(quoted.author, post?.author ?? '');
  const reason = quoted === undefined ? (isGone ? 'DELETED' : null) : isBlocked ? 'BLOCKED' : null;
  return {
    quotedTweet: (!isBlocked && quoted?.id) || null,
    quotedTweetHiddenReason: post && reason,
  };
}

async function compareLists(
  { model, spans }: World,
  service: Client,
  differences: Differences,
  post: Post,
  walk: () => Walk,
): Promise<void> {
  const { id, tweetId } = post;
  const likers = await walkPeople(service, ['Tweet', 'likers', 'likedAt'], id, walk());
  const names = likers.map(({ node }) => node.username);
  differences.sameSet(`likers of ${tweetId}`, names, model.likes.with(tweetId));
  compareDated(differences, `likers of ${tweetId}`, likers, (name) =>
    spans.get(spanKey('like', name, tweetId)),
  );
  const sharers = await walkPeople(service, ['Tweet', 'sharers', 'sharedAt'], id, walk());
  const sharing = sharers.map(({ node }) => node.username);
  differences.sameSet(`sharers of ${tweetId}`, sharing, model.shares.with(tweetId));
  const quotes = await walkTweets(service, ['Tweet', 'quotes'], id, walk());
  differences.sameList(`quotes of ${tweetId}`, idsOf(quotes), model.quotesOf(tweetId));
  for (const order of ['NEWEST', 'MOST_LIKED'] as const) {
    const replies = await walkTweets(service, ['Tweet', 'replies', order], id, walk());
    const shown = model.repliesTo(tweetId, order, ({ by }) => !isUnwanted(model, post, by, null));
    differences.sameList(`replies to ${tweetId} ${order}`, idsOf(replies), shown);
  }
}

/** Compares the posts of this world's people on each day. Shares are left out: the API does not say whether a day lists them. */
async function compareDays(
  { model }: World,
  service: Client,
  differences: Differences,
  walk: () => Walk,
): Promise<void> {
  const days = new Set([...model.posts.values()].map(dayOf));
  await inParallel(days, async (day) => {
    const edges = await walkDay(service, day, walk());
    const shown = edges.filter(
      ({ node }) => node.sharedTweet === null && model.people.has(node.author.username),
    );
    const posts = [...model.posts.values()].filter((post) => dayOf(post) === day);
    const expected = posts.map(({ tweetId }) => tweetId).sort((a, b) => compareIds(b, a));
    differences.sameList(`tweets of ${day}`, idsOf(shown), expected);
  });
}

function dayOf({ createdAt }: Post): string {
  return new Date(createdAt).toISOString().slice(0, 10);
}

/** Splits a list into chunks of the size that is requested at once. */
export function chunks<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / CHUNK_SIZE) }, (_, n) =>
    list.slice(n * CHUNK_SIZE, (n + 1) * CHUNK_SIZE),
  );
}
