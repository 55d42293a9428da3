import type { Actor } from './actor';
import { compareIds, type Post } from './model';
import { ownView, tweetsByIds, type PersonView, type TweetView } from './operations';
import { must, mustBe } from './violation';
import type { Target } from './world';

/** A page from the beginning of a list. */
interface FirstPage<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

/** Checks how a tweet stands to its viewer, whose own acts must show at once, and what they make of its counts. */
export function checkTweet({ world, person }: Actor, view: TweetView, { original }: Target): void {
  // Nobody had begun to delete it before the answer only if nobody has by now.
  if (world.isDying(original)) return;
  const liked = world.model.likes.has(person.username, original.tweetId);
  const shared = world.model.shares.has(person.username, original.tweetId);
  must('viewerHasLiked must be what the viewer did', view.viewerHasLiked === liked, view);
  must('viewerHasShared must be what the viewer did', view.viewerHasShared === shared, view);
  const { likeCount, shareCount } = original.base;
  must('likeCount must be possible', isPossible(view.likeCount - likeCount, liked, world.size), view);
  must('shareCount must be possible', isPossible(view.shareCount - shareCount, shared, world.size), view);
}

/** Checks how a person stands to its viewer. */
export function checkPerson({ world, person }: Actor, view: PersonView): void {
  const follows = world.model.follows.has(person.username, view.username);
  must('viewerIsFollowing must be what the viewer did', view.viewerIsFollowing === follows, view);
  must('followerCount must be possible', isPossible(view.followerCount, follows, world.size - 1), view);
}

/** Checks the viewer's own counts, which only shares of what others delete may leave open. */
export function checkSelf({ world, person, mayShare }: Actor, view: PersonView): void {
  const { model } = world;
  must(
    'followingCount must be exact',
    view.followingCount === model.follows.of(person.username).length,
    view,
  );
  const posts = ownPosts(world.model.posts, person.username).length;
  const shared = model.shares.of(person.username).filter((tweetId) => isStaying({ world }, tweetId)).length;
  const isRight = posts + shared <= view.tweetCount && view.tweetCount <= posts + mayShare.size;
  must('tweetCount must be possible', isRight, { view, posts, shared, mayShare: [...mayShare] });
}

/** Looks at a tweet through another server than the one that answered last. */
export async function lookAt(actor: Actor, target: Target): Promise<void> {
  const [view] = await actor.client.askOther(tweetsByIds, { ids: [target.id] });
  if (view) checkTweet(actor, view, target);
  else must('What nobody deletes must be there', actor.world.mayBeGone(target), { id: target.id });
}

/**
 * Looks at the actor's own lists through another server than the one that answered last: all own acts must show.
 * `followed` are posts that must be in the timeline.
 */
export async function lookAround(actor: Actor, followed: readonly Post[] = []): Promise<void> {
  const { world, person, client } = actor;
  const view = await client.askOther(ownView);
  checkSelf(actor, view);
  mustBe('following', namesOf(view.following), world.model.followingOf(person.username));
  const likes = view.likes.nodes.map(({ tweetId }) => tweetId).filter((id) => isStaying(actor, id));
  const liked = world.model.likesOf(person.username).filter((id) => isStaying(actor, id));
  mustBe('likes', likes, view.likes.pageInfo.hasNextPage ? liked.slice(0, likes.length) : liked);
  checkOwnTweets(actor, view.tweets);
  checkTimeline(actor, view.timeline, followed);
}

/** Own posts must be there exactly, own shares as far as nobody deletes their originals. Learns what shares are called. */
function checkOwnTweets(actor: Actor, { nodes, pageInfo }: FirstPage<TweetView>): void {
  const { world, person, mayShare } = actor;
  mustDescend('tweets', nodes);
  const last = nodes.at(-1)?.tweetId;
  const isOnPage = (id: string) => !pageInfo.hasNextPage || (last !== undefined && compareIds(id, last) >= 0);
  const expected = ownPosts(world.model.posts, person.username).sort((a, b) => compareIds(b, a));
  const posts = nodes.filter(({ tweetId }) => world.model.posts.has(tweetId)).map(({ tweetId }) => tweetId);
  mustBe('own posts', posts, expected.filter(isOnPage));

  const shares = nodes.filter(({ tweetId }) => !world.model.posts.has(tweetId));
  for (const share of shares) {
    must('What is deleted must not be in tweets', world.ever.get(share.id)?.sharer !== null, share);
    const original = share.sharedTweet && world.ever.get(share.sharedTweet.id)?.original;
    if (original && isStaying(actor, original.tweetId)) {
      must('A share must be one', world.model.shares.has(person.username, original.tweetId), share);
      world.nameShare(person.username, original, share);
    } else {
      const mayStay = [...mayShare].some((tweetId) => !isStaying(actor, tweetId));
      must('Only posts and shares may be in tweets', mayStay, share);
    }
  }
  if (pageInfo.hasNextPage) return;
  const shown = new Set(shares.map(({ sharedTweet }) => sharedTweet?.tweetId));
  const missing = world.model.shares
    .of(person.username)
    .filter((tweetId) => isStaying(actor, tweetId) && !shown.has(tweetId));
  mustBe('own shares that are missing', missing, []);
}

function checkTimeline(
  actor: Actor,
  { nodes, pageInfo }: FirstPage<TweetView>,
  followed: readonly Post[],
): void {
  const { world, person } = actor;
  mustDescend('timeline', nodes);
  for (const node of nodes) {
    const follows = world.model.follows.has(person.username, node.author.username);
    must('Only what the followed posted may be in the timeline', follows, node);
  }
  const shown = new Set(nodes.map(({ tweetId }) => tweetId));
  const last = nodes.at(-1)?.tweetId;
  const missing = followed
    .filter((post) => !world.isDying(post) && !shown.has(post.tweetId))
    .filter(({ tweetId }) => !pageInfo.hasNextPage || last === undefined || compareIds(tweetId, last) > 0);
  mustBe(
    'posts of the followed that are missing',
    missing.map(({ tweetId }) => tweetId),
    [],
  );
}

/** Whether a post is there and nobody has begun to delete it. */
function isStaying({ world }: Pick<Actor, 'world'>, tweetId: string): boolean {
  const post = world.model.posts.get(tweetId);
  return post !== undefined && !world.isDying(post);
}

function ownPosts(posts: ReadonlyMap<string, Post>, username: string): string[] {
  return [...posts.values()].filter(({ author }) => author === username).map(({ tweetId }) => tweetId);
}

function namesOf({ nodes }: FirstPage<{ readonly username: string }>): string[] {
  return nodes.map(({ username }) => username);
}

/** Whether so many of `most` can be counted where the one who asks is among them or not. */
function isPossible(count: number, isAmongThem: boolean, most: number): boolean {
  return count >= (isAmongThem ? 1 : 0) && count <= (isAmongThem ? most : most - 1);
}

function mustDescend(what: string, nodes: readonly TweetView[]): void {
  const ids = nodes.map(({ tweetId }) => tweetId);
  mustBe(
    what,
    ids,
    [...new Set(ids)].sort((a, b) => compareIds(b, a)),
  );
}
