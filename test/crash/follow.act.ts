import type { Random } from '../../src/kit/base/random';
import type { Actor } from './actor';
import { answered } from './client';
import { checkPerson, checkSelf, lookAround } from './look';
import { compareIds, type Person, type Post } from './model';
import { followOperation, peopleByIds, type FollowName } from './operations';
import { chance, pickOne } from './random';
import { must } from './violation';
import { isBlocked } from './refused';
import { blockKey, spanKey } from './world';

/** How many posts of a new followee must be in the timeline at once. The API promises a hundred items. */
const MAX_POSTS_AT_ONCE = 50;

/** Follows somebody, who may be followed already. */
export function followSomebody(actor: Actor, random: Random): Promise<void> {
  return act(actor, 'followUser', random);
}

/** Unfollows somebody, who may not be followed. */
export function unfollowSomebody(actor: Actor, random: Random): Promise<void> {
  return act(actor, 'unfollowUser', random);
}

async function act(actor: Actor, name: FollowName, random: Random, whom?: Person): Promise<void> {
  const { world, person, client } = actor;
  const { username } = person;
  const { follows, people } = world.model;
  const others = [...people.keys()].filter((other) => other !== username);
  const isSensible = chance(random, 0.9);
  const sensible = others.filter((other) => follows.has(username, other) !== (name === 'followUser'));
  // Early people are followed most, so that some have many followers and some have few.
  const followee = whom ?? people.get(pickOne(random, (isSensible ? sensible : others).reverse(), 2) ?? '');
  if (followee === undefined) return;

  const key = blockKey(username, followee.username);
  const isUnanswered = (by: number) => world.following.set(key, (world.following.get(key) ?? 0) + by);
  const isNew = name === 'followUser' && !follows.has(username, followee.username);
  const posts = postsOf(actor, followee.username);
  const variables = { id: followee.id };
  for (let times = chance(random, 0.15) ? 2 : 1; times > 0; times--) {
    isUnanswered(1);
    const result = await client.settle(followOperation(name), variables);
    isUnanswered(-1);
    if (name === 'followUser' && isBlocked(world, username, followee.username, result)) {
      world.noteAct(username, `${name} ${followee.username}: FORBIDDEN`, result);
      return;
    }
    if (result.kind === 'refusal' && result.code === 'NOT_FOUND' && world.mayBeAway(followee.username)) {
      world.noteAct(username, `${name} ${followee.username}: NOT_FOUND`, result);
      // An attempt without an answer may have followed before the account was hidden.
      if (name === 'followUser') await act(actor, 'unfollowUser', random, followee);
      return;
    }
    const settled = answered(followOperation(name), variables, result);
    if (name === 'unfollowUser' || world.isBlockOn(username, followee.username)) {
      // Of a follow and a block at one moment, the block wins.
      follows.remove(username, followee.username);
    } else if (!follows.has(username, followee.username)) {
      follows.add(username, followee.username);
      world.spans.set(spanKey('follow', username, followee.username), settled);
    }
    world.noteAct(username, `${name} ${followee.username}`, settled);
    must(
      'The payload must have the follower and the followee',
      settled.data.followee.id === followee.id && settled.data.follower.id === person.id,
      settled,
    );
    checkPerson(actor, settled.data.followee);
    checkSelf(actor, settled.data.follower);
  }
  if (!chance(random, 0.4)) return;
  const [view] = await client.askOther(peopleByIds, { ids: [followee.id] });
  must('A user must exist', view != null || world.mayBeAway(followee.username), followee);
  if (view) checkPerson(actor, view);
  await lookAround(actor, isNew ? posts : []);
}

function postsOf({ world }: Actor, username: string): Post[] {
  return [...world.model.posts.values()]
    .filter(({ author }) => author === username)
    .sort((a, b) => compareIds(b.tweetId, a.tweetId))
    .slice(0, MAX_POSTS_AT_ONCE);
}
