import type { Actor } from './actor';
import { seenPost, type Place } from './hidden';
import { compareIds, type Post } from './model';
import { ownView, tweetsByIds, type PersonView, type TweetView } from './operations';
import { must, mustBe } from './violation';
import type { Target } from './world';

/** The first page of a list. */
interface FirstPage<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

/** Checks a tweet's viewer fields, in which the viewer's own mutations must show at once, and that its counts are possible. */
export function checkTweet({ world, person }: Actor, view: TweetView, { original }: Target): void {
  // If somebody has begun to delete the tweet by now, that may have been before the answer.
  if (world.isDying(original)) return;
  const liked = world.model.likes.has(person.username, original.tweetId);
  const shared = world.model.shares.has(person.username, original.tweetId);
  must('viewerHasLiked must be what the viewer did', view.viewerHasLiked === liked, view);
  must('viewerHasShared must be what the viewer did', view.viewerHasShared === shared, view);
  const { likeCount, shareCount } = original.base;
  must('likeCount must be possible', isPossible(view.likeCount - likeCount, liked, world.size), view);
  must('shareCount must be possible', isPossible(view.shareCount - shareCount, shared, world.size), view);
}

/** Checks a person's viewer fields, and that the counts are possible. */
export function checkPerson({ world, person }: Actor, view: PersonView): void {
  if (world.isUnsettled(person.username, view.username)) return;
  const follows = world.model.follows.has(person.username, view.username);
  must('viewerIsFollowing must be what the viewer did', view.viewerIsFollowing === follows, view);
  must('followerCount must be possible', isPossible(view.followerCount, follows, world.size - 1), view);
}

/** Checks the viewer's own counts. Only shares of tweets that others may be deleting leave a range. */
export function checkSelf({ world, person, mayShare }: Actor, view: PersonView): void {
  const { model } = world;
  const others = [...model.people.keys(), ...world.left];
  const unsettled = others.filter((other) => world.isUnsettled(person.username, other)).length;
  const difference = Math.abs(view.followingCount - model.follows.of(person.username).length);
  must('followingCount must be exact', difference <= unsettled, view);
  const posts = ownPosts(world.model.posts, person.username).length;
  const shared = model.shares.of(person.username).filter((tweetId) => isStaying({ world }, tweetId)).length;
  const isRight = posts + shared <= view.tweetCount && view.tweetCount <= posts + mayShare.size;
  must('tweetCount must be possible', isRight, { view, posts, shared, mayShare: [...mayShare] });
}

/** Reads a tweet through another server than the one that answered last, and checks it. */
export async function lookAt(actor: Actor, target: Target): Promise<void> {
  const [view] = await actor.client.askOther(tweetsByIds, { ids: [target.id] });
  if (view) checkTweet(actor, view, target);
  else must('A tweet that nobody deletes must exist', mayBeHidden(actor, target), { id: target.id });
}

/** Whether a tweet that the actor asks for may be null. */
function mayBeHidden({ world, person }: Actor, target: Target): boolean {
  const { original: post, sharer } = target;
  const seen = { post, isShare: sharer !== null, by: sharer ?? post.author };
  return world.mayBeGone(target) || world.mustSee(person.username, seen, 'DIRECT') !== true;
}

/**
 * Reads the actor's own lists through another server than the one that answered last: all own mutations must show.
 * `followed` are posts that must be in the timeline.
 */
export async function lookAround(actor: Actor, followed: readonly Post[] = []): Promise<void> {
  const { world, person, client } = actor;
  const view = await client.askOther(ownView);
  checkSelf(actor, view);
  const isSettled = (other: string) => !world.isUnsettled(person.username, other);
  const following = world.model.followingOf(person.username).filter(isSettled);
  mustBe('following', namesOf(view.following).filter(isSettled), following);
  const isKnown = (id: string) => isStaying(actor, id) && sees(actor, id, 'LIST') !== null;
  const likes = view.likes.nodes.map(({ tweetId }) => tweetId).filter(isKnown);
  const liked = world.model
    .likesOf(person.username)
    .filter((id) => isKnown(id) && sees(actor, id, 'LIST') === true);
  mustBe('likes', likes, view.likes.pageInfo.hasNextPage ? liked.slice(0, likes.length) : liked);
  checkOwnTweets(actor, view.tweets);
  checkTimeline(actor, view.timeline, followed);
}

/** All own posts must be listed, and own shares unless their originals may be deleted. Learns the ids of shares. */
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
    must('A deleted tweet must not be in tweets', world.ever.get(share.id)?.sharer !== null, share);
    const original = share.sharedTweet && world.ever.get(share.sharedTweet.id)?.original;
    if (original && isStaying(actor, original.tweetId)) {
      must(
        'A listed share must have been made',
        world.model.shares.has(person.username, original.tweetId),
        share,
      );
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
    .filter((tweetId) => isStaying(actor, tweetId) && !shown.has(tweetId))
    .filter((tweetId) => isSharing(actor, tweetId));
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
    if (world.isUnsettled(person.username, node.author.username)) continue;
    const post = world.model.posts.get(node.tweetId);
    const isHidden = post !== undefined && sees(actor, node.tweetId, 'TIMELINE') === false;
    must('What the viewer hides must not be in the timeline', !isHidden, node);
    const follows = world.model.follows.has(person.username, node.author.username);
    must('Only posts of followees may be in the timeline', follows, node);
  }
  const shown = new Set(nodes.map(({ tweetId }) => tweetId));
  const last = nodes.at(-1)?.tweetId;
  const missing = followed
    .filter((post) => !world.isDying(post) && !shown.has(post.tweetId))
    .filter((post) => sees(actor, post.tweetId, 'TIMELINE') === true)
    .filter(({ tweetId }) => !pageInfo.hasNextPage || last === undefined || compareIds(tweetId, last) > 0);
  mustBe(
    'posts of followees that are missing',
    missing.map(({ tweetId }) => tweetId),
    [],
  );
}

/** Whether the actor must see a post at a place, or must not; null if that cannot be told. */
function sees({ world, person }: Actor, tweetId: string, place: Place): boolean | null {
  const post = world.model.posts.get(tweetId);
  return post === undefined ? null : world.mustSee(person.username, seenPost(post), place);
}

/** Whether the actor must see the own share of a post. */
function isSharing({ world, person }: Actor, tweetId: string): boolean {
  const post = world.model.posts.get(tweetId);
  const seen = post && { post, isShare: true, by: person.username };
  return seen !== undefined && world.mustSee(person.username, seen, 'DIRECT') === true;
}

/** Whether a post exists and nobody has begun to delete it. */
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

/** Whether a count of at most `people` people is possible, given whether the viewer is one of those counted. */
function isPossible(count: number, isAmongThem: boolean, people: number): boolean {
  return count >= (isAmongThem ? 1 : 0) && count <= (isAmongThem ? people : people - 1);
}

function mustDescend(what: string, nodes: readonly TweetView[]): void {
  const ids = nodes.map(({ tweetId }) => tweetId);
  mustBe(
    what,
    ids,
    [...new Set(ids)].sort((a, b) => compareIds(b, a)),
  );
}
