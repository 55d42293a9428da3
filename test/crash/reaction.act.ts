import type { Random } from '../../src/kit/base/random';
import type { Actor } from './actor';
import { answered, type Settled, type Span } from './client';
import { checkTweet, lookAround, lookAt } from './look';
import { shareKey, type Post } from './model';
import type { Pairs } from './pairs';
import { reactionOperation, type ReactionName } from './operations';
import { chance, pickOne } from './random';
import { isBlocked } from './refused';
import { must } from './violation';
import { spanKey, type Target, type World } from './world';

/** Likes a tweet or share, which may be liked already. */
export async function like(actor: Actor, random: Random): Promise<void> {
  await react(actor, random, 'likeTweet', actor.world.pickTarget(random));
}

/** Shares a tweet or share. */
export async function share(actor: Actor, random: Random): Promise<void> {
  await react(actor, random, 'shareTweet', actor.world.pickTarget(random));
}

/** Unlikes a tweet or share, which may not be liked. */
export async function unlike(actor: Actor, random: Random): Promise<void> {
  await react(actor, random, 'unlikeTweet', pickBack(actor, random, actor.world.model.likes));
}

/** Unshares a tweet or share, which may not be shared. */
export async function unshare(actor: Actor, random: Random): Promise<void> {
  await react(actor, random, 'unshareTweet', pickBack(actor, random, actor.world.model.shares));
}

async function react(actor: Actor, random: Random, name: ReactionName, target: Target | null): Promise<void> {
  if (target === null) return;
  const isDone = await reactOnce(actor, name, target);
  if (isDone && chance(random, 0.15)) await reactOnce(actor, name, target);
  if (!chance(random, 0.4)) return;
  await lookAt(actor, target);
  await lookAround(actor);
}

/** Resolves to whether it was done: a target that is being deleted may be gone. `since` is the time of the first attempt. */
async function reactOnce(
  actor: Actor,
  name: ReactionName,
  target: Target,
  since = Date.now(),
): Promise<boolean> {
  const { world, person, client } = actor;
  const { id, original, sharer } = target;
  const what = `${name} ${sharer === null ? '' : `by the share of ${sharer} `}${original.tweetId}`;
  if (name === 'shareTweet') actor.mayShare.add(original.tweetId);
  if (name === 'unshareTweet') world.beginToUnshare(person.username, original.tweetId);

  const settled = await client.settle(reactionOperation(name), { id });
  const isBack = name === 'unlikeTweet' || name === 'unshareTweet';
  if (!isBack && isBlocked(world, person.username, original.author, settled)) {
    world.noteAct(person.username, `${what}: FORBIDDEN`, settled);
    await takeBack(actor, name, original);
    return false;
  }
  const isAboutOriginal = sharer === null || (settled.kind === 'refusal' && settled.code === 'FORBIDDEN');
  if (isBack && isAboutOriginal && isHiddenNow(actor, original, settled)) {
    // There was nothing to take back, or an attempt without an answer has done it.
    world.noteAct(person.username, `${what}: ${settled.code}`, settled);
    const mayBeCounted = actor.mayShare.has(original.tweetId) && settled.code === 'NOT_FOUND';
    apply(actor, name, original.tweetId, { from: since, to: settled.to });
    // The shares of a deleted tweet are removed, and no longer counted, in the background.
    if (mayBeCounted) actor.mayShare.add(original.tweetId);
    return false;
  }
  if (settled.kind === 'refusal' && settled.code === 'NOT_FOUND' && world.mayBeGone(target)) {
    world.noteAct(person.username, `${what}: NOT_FOUND`, settled);
    // An attempt without an answer may have reached the original before the share was deleted.
    const instead = { id: original.id, original, sharer: null };
    if (!isBack && world.mayBeAway(original.author)) {
      await takeBack(actor, name, original);
      return false;
    }
    return sharer === null ? false : reactOnce(actor, name, instead, since);
  }
  const { data } = answered(reactionOperation(name), { id }, settled);
  world.noteAct(person.username, what, settled);
  apply(actor, name, original.tweetId, { from: since, to: settled.to });
  // Sharing answers with the original. After a like of a share, the API may show either of the two.
  const isNamed = data.id === original.id || (data.id === id && name.endsWith('likeTweet'));
  must('The payload must have the tweet that was liked or shared', isNamed, { id, data });
  checkTweet(actor, data, target);
  return true;
}

/** Whether an act was refused because its target is gone, or hidden from the actor, who has not acted on it. */
function isHiddenNow(
  { world, person }: Actor,
  original: Post,
  settled: Settled<unknown>,
): settled is Extract<Settled<unknown>, { kind: 'refusal' }> {
  if (settled.kind !== 'refusal') return false;
  if (settled.code === 'NOT_FOUND') return world.isDying(original);
  const isPossible = world.mayBeBlocked(person.username, original.author, settled.from);
  return settled.code === 'FORBIDDEN' && isPossible;
}

/** Takes back what an attempt without an answer may have done before the target was hidden. */
async function takeBack(actor: Actor, name: ReactionName, original: Post): Promise<void> {
  const { world, person, client } = actor;
  const undo = name === 'likeTweet' ? 'unlikeTweet' : 'unshareTweet';
  if (undo === 'unshareTweet') world.beginToUnshare(person.username, original.tweetId);
  const variables = { id: original.id };
  const settled = await client.settle(reactionOperation(undo), variables);
  world.noteAct(person.username, `${undo} ${original.tweetId}, which was refused`, settled);
  if (!isHiddenNow(actor, original, settled)) answered(reactionOperation(undo), variables, settled);
  apply(actor, undo, original.tweetId, settled);
}

function apply(
  { world, person: { username }, mayShare }: Actor,
  name: ReactionName,
  tweetId: string,
  span: Span,
): void {
  const { model } = world;
  switch (name) {
    case 'likeTweet':
      if (!model.likes.has(username, tweetId)) world.spans.set(spanKey('like', username, tweetId), span);
      model.like(username, tweetId);
      return;
    case 'unlikeTweet':
      model.likes.remove(username, tweetId);
      return;
    case 'shareTweet':
      model.share(username, tweetId);
      return;
    case 'unshareTweet':
      model.shares.remove(username, tweetId);
      mayShare.delete(tweetId);
  }
}

/** Picks mostly a tweet that the actor has liked or shared, sometimes by the id of the actor's own share. */
function pickBack({ world, person }: Actor, random: Random, done: Pairs): Target | null {
  const any = world.pickTarget(random);
  const isSensible = chance(random, 0.85);
  const tweetId = pickOne(random, done.of(person.username));
  const original = world.model.posts.get(tweetId ?? '');
  if (!isSensible || original === undefined) return any;
  const isByShare = chance(random, 0.2);
  const name = isByShare ? ownShareOf(world, person.username, original.tweetId) : undefined;
  return { id: name ?? original.id, original, sharer: name === undefined ? null : person.username };
}

function ownShareOf({ model }: World, username: string, tweetId: string): string | undefined {
  return model.shareNames.get(shareKey(username, tweetId))?.id;
}
