import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/kit/base/random';
import type { Act, Actor } from './actor';
import { bookmark, unmark } from './bookmark.act';
import { answered, type Client } from './client';
import { followSomebody, unfollowSomebody } from './follow.act';
import { block, mute, muteText, quiet, unblock, unmute, unmuteText, unquiet } from './hide.act';
import { leave } from './leave.act';
import { lookAround } from './look';
import { comment, publish, rename } from './news.act';
import { markAsSeen } from './notification.act';
import { createUser } from './operations';
import { quote, remove, reply, tweet } from './post.act';
import { between, chance, randomFor } from './random';
import { like, share, unlike, unshare } from './reaction.act';
import { must, Violation } from './violation';
import type { World } from './world';

/** What actors do, each with its relative frequency. */
const acts: readonly (readonly [weight: number, act: Act])[] = [
  [16, followSomebody],
  [9, unfollowSomebody],
  [16, tweet],
  [10, reply],
  [6, quote],
  [9, remove],
  [17, like],
  [8, unlike],
  [10, share],
  [6, unshare],
  [8, publish],
  [12, comment],
  [5, rename],
  [8, bookmark],
  [5, unmark],
  [5, block],
  [4, unblock],
  [4, mute],
  [3, unmute],
  [3, muteText],
  [2, unmuteText],
  [3, quiet],
  [2, unquiet],
  [6, markAsSeen],
  [0.7, leave],
  [3, (actor) => lookAround(actor)],
];

/** Creates a user and lets it act, one step after another, until `stop` is aborted. Resolves when the last step is done. */
export async function live(
  world: World,
  client: Client,
  username: string,
  seed: number,
  stop: AbortSignal,
): Promise<void> {
  const actor = await join(world, client, username, randomFor(seed, username));
  for (let step = 0; !stop.aborted && !world.left.has(username); step++) {
    // Each step has its own random numbers, so that it does not depend on how the steps before went.
    const random = randomFor(seed, username, step);
    try {
      await pickAct(random)(actor, random, step);
    } catch (error) {
      if (error instanceof Violation) throw new Violation(`${username}, step ${step}: ${error.message}`);
      throw error;
    }
    // A user does no two things within a millisecond, so that there is only one right order of the lists.
    await sleep(between(random, 3, 60));
  }
}

async function join(world: World, client: Client, username: string, random: Random): Promise<Actor> {
  const profile = { name: `The ${username}`, description: null };
  const variables = { input: { username, ...profile } };
  const settled = answered(createUser, variables, await client.settle(createUser, variables));
  const { id, userId } = settled.data;
  world.noteAct(username, `createUser ${userId}`, settled);
  must('The user must have the requested username', settled.data.username === username, settled);
  if (chance(random, 0.3)) {
    const again = await client.ask(createUser, variables);
    must('A retry must answer with the same user', again.userId === userId, again);
  }
  const person = { username, userId, id };
  world.model.people.set(username, person);
  world.model.news.profiles.set(username, profile);
  return { world, person, client, posted: new Map(), mayShare: new Set() };
}

function pickAct(random: Random): Act {
  let remaining = random() * acts.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, act] of acts) {
    remaining -= weight;
    if (remaining < 0) return act;
  }
  return tweet;
}
