import { setTimeout as sleep } from 'node:timers/promises';
import { MutedWordPlace, MuteScope } from '../../src/features/hidden/hidden.enums';
import type { Random } from '../../src/kit/base/random';
import type { Actor } from './actor';
import { answered, type Settled, type Variables } from './client';
import { hidingOperation, muteWords, threadOperation, unmuteWords, type HidingName } from './hide.operations';
import { lookAround } from './look';
import type { Person } from './model';
import { chance, pickOne } from './random';
import { isBlocked } from './refused';
import { must } from './violation';
import { blockKey } from './world';

/** How long short mutes last, in milliseconds. */
const SHORT_MUTE_MS = 5_000;

/** The texts that users mute, with what equal ones have in common. */
const TEXTS = [
  ['plum', 'plum'],
  ['PLÜM', 'plum'],
  ['says pear', 'says pear'],
  ['fig', 'fig'],
] as const;

/** Blocks somebody, who may be blocked already. */
export async function block(actor: Actor, random: Random): Promise<void> {
  const { world, person } = actor;
  const other = pickOther(actor, random);
  if (other === undefined) return;
  const key = blockKey(person.username, other.username);
  world.blocks.begin(key);
  const settled = await change(actor, 'blockUser', other);
  if (settled === null) {
    // An attempt without an answer may have blocked the user before the account was hidden.
    await endBlock(actor, other);
    return;
  }
  world.blocks.hold(key);
  world.model.hidden.blocks.add(person.username, other.username);
  world.model.follows.remove(person.username, other.username);
  world.model.follows.remove(other.username, person.username);
  must('Who is blocked must be shown as blocked', settled.data.viewerIsBlocking, settled);
  if (chance(random, 0.4)) await lookAround(actor);
}

/** Ends a block. */
export async function unblock(actor: Actor, random: Random): Promise<void> {
  const { world, person } = actor;
  const own = world.model.hidden.blocks.of(person.username);
  const other = world.model.people.get(pickOne(random, own) ?? '');
  if (other === undefined) return;
  await endBlock(actor, other);
  if (chance(random, 0.4)) await lookAround(actor);
}

async function endBlock(actor: Actor, other: Person): Promise<void> {
  const { world, person } = actor;
  // A follow that is not answered may be from before the block, which has ended it, or from after its end.
  while ((world.following.get(blockKey(other.username, person.username)) ?? 0) > 0) await sleep(20);
  const key = blockKey(person.username, other.username);
  world.blocks.beginToEnd(key);
  const settled = await change(actor, 'unblockUser', other);
  world.blocks.end(key);
  world.model.hidden.blocks.remove(person.username, other.username);
  must('Who is not blocked must not be shown as blocked', settled?.data.viewerIsBlocking !== true, settled);
}

/** Mutes somebody, for ever or a moment, wholly or in part. */
export async function mute(actor: Actor, random: Random): Promise<void> {
  const { world, person } = actor;
  const other = pickOther(actor, random);
  if (other === undefined) return;
  const scope = pickSome(random, Object.values(MuteScope));
  const until = chance(random, 0.2) ? Date.now() + SHORT_MUTE_MS : null;
  world.everMuted.add(blockKey(person.username, other.username));
  const variables = { scope, until: until === null ? null : new Date(until).toISOString() };
  const settled = await change(actor, 'muteUser', other, variables);
  if (settled === null) {
    await endMute(actor, other);
    return;
  }
  world.model.hidden.mutesOf(person.username).set(other.username, { places: scope, until });
  if (chance(random, 0.4)) await lookAround(actor);
}

/** Ends a mute. */
export async function unmute(actor: Actor, random: Random): Promise<void> {
  const { world, person } = actor;
  const own = [...world.model.hidden.mutesOf(person.username).keys()];
  const other = world.model.people.get(pickOne(random, own) ?? '');
  if (other === undefined) return;
  await endMute(actor, other);
  if (chance(random, 0.4)) await lookAround(actor);
}

async function endMute(actor: Actor, other: Person): Promise<void> {
  const { world, person } = actor;
  const settled = await change(actor, 'unmuteUser', other);
  world.model.hidden.mutesOf(person.username).delete(other.username);
  must('Who is not muted must not be shown as muted', settled?.data.viewerIsMuting !== true, settled);
}

/** Null if the other user's account may be hidden, or a moment has passed before an attempt was answered. */
async function change(actor: Actor, name: HidingName, other: Person, more: Variables = {}) {
  const { world, person, client } = actor;
  const variables = { id: other.id, ...more };
  const operation = hidingOperation(name);
  const settled = await client.settle(operation, variables);
  const isAway = hasCode(settled, 'NOT_FOUND') && world.mayBeAway(other.username);
  const isLate = hasCode(settled, 'BAD_USER_INPUT') && settled.to - settled.from > SHORT_MUTE_MS / 2;
  const what = `${name} ${other.username} ${JSON.stringify(more)}`;
  world.noteAct(person.username, settled.kind === 'refusal' ? `${what}: ${settled.code}` : what, settled);
  return isAway || isLate ? null : answered(operation, variables, settled);
}

function hasCode(settled: Settled<unknown>, code: string): boolean {
  return settled.kind === 'refusal' && settled.code === code;
}

/** Mutes a text, which may be muted already. */
export async function muteText(actor: Actor, random: Random): Promise<void> {
  const { world, person, client } = actor;
  const [text, key] = pickOne(random, TEXTS) ?? TEXTS[0];
  const where = pickSome(random, Object.values(MutedWordPlace));
  const exceptFollowed = chance(random, 0.3);
  const words = key.split(' ');
  world.everWords.set(person.username, [...(world.everWords.get(person.username) ?? []), words]);
  const variables = { input: { text, where, exceptFollowed } };
  const settled = answered(muteWords, variables, await client.settle(muteWords, variables));
  world.noteAct(person.username, `muteWords ${JSON.stringify(variables.input)}`, settled);
  const { id } = settled.data;
  const muted = { id, text, words, exceptFollowed, places: where, until: null };
  world.model.hidden.wordsOf(person.username).set(key, muted);
  must('The muted text must be as given', settled.data.text === text, settled);
  if (chance(random, 0.4)) await lookAround(actor);
}

/** Removes a muted text. */
export async function unmuteText(actor: Actor, random: Random): Promise<void> {
  const { world, person, client } = actor;
  const own = world.model.hidden.wordsOf(person.username);
  const picked = pickOne(random, [...own]);
  if (picked === null) return;
  const [key, { id, text }] = picked;
  const settled = answered(unmuteWords, { id }, await client.settle(unmuteWords, { id }));
  world.noteAct(person.username, `unmuteWords ${text}`, settled);
  own.delete(key);
  if (chance(random, 0.4)) await lookAround(actor);
}

/** Mutes the thread of a tweet. */
export async function quiet(actor: Actor, random: Random): Promise<void> {
  const { world, person, client } = actor;
  const target = world.pickTarget(random);
  if (target === null) return;
  const root = world.rootOf(target.original);
  const variables = { id: target.id };
  const settled = await client.settle(threadOperation('muteThread'), variables);
  if (hasCode(settled, 'NOT_FOUND') && world.mayBeGone(target)) {
    world.noteAct(person.username, `muteThread ${target.original.tweetId}: NOT_FOUND`, settled);
    // An attempt without an answer may have muted the thread, and nothing else may be left of it by which to end that.
    if (settled.tried.length > 1) world.unsureThreads.add(`${person.username} ${root}`);
    return;
  }
  if (isBlocked(world, person.username, target.original.author, settled)) {
    world.noteAct(person.username, `muteThread ${target.original.tweetId}: FORBIDDEN`, settled);
    // An attempt without an answer may have been before the block.
    if (settled.tried.length > 1) world.unsureThreads.add(`${person.username} ${root}`);
    return;
  }
  const { data } = answered(threadOperation('muteThread'), variables, settled);
  must('Who mutes a thread must be given its root', data !== null, settled);
  world.noteAct(person.username, `muteThread ${target.original.tweetId} of ${root}`, settled);
  world.model.hidden.threads.add(person.username, root);
}

/** Ends the mute of a thread, by any tweet of it. */
export async function unquiet(actor: Actor, random: Random): Promise<void> {
  const { world, person, client } = actor;
  const root = pickOne(random, world.model.hidden.threads.of(person.username));
  const inIt = [...world.model.posts.values()].filter((post) => world.rootOf(post) === root);
  const post = pickOne(random, inIt);
  if (root === null || post === null) return;
  const variables = { id: post.id };
  const settled = await client.settle(threadOperation('unmuteThread'), variables);
  world.noteAct(person.username, `unmuteThread ${post.tweetId} of ${root}`, settled);
  if (hasCode(settled, 'NOT_FOUND') && world.isDying(post)) {
    if (settled.tried.length > 1) world.unsureThreads.add(`${person.username} ${root}`);
    return;
  }
  // An attempt without an answer has ended the mute, and then there was nothing to take back of what a block hides.
  const mayBeBlocked = world.mayBeBlocked(person.username, post.author, settled.from);
  const isDone = hasCode(settled, 'FORBIDDEN') && settled.tried.length > 1 && mayBeBlocked;
  if (!isDone) {
    const { data } = answered(threadOperation('unmuteThread'), variables, settled);
    const mayBeUnseen = mayBeBlocked || world.isDying(post);
    must('A thread that can be seen must be given', data !== null || mayBeUnseen, settled);
  }
  world.model.hidden.threads.remove(person.username, root);
}

function pickOther({ world, person }: Actor, random: Random): Person | undefined {
  const others = [...world.model.people.values()].filter(({ username }) => username !== person.username);
  return pickOne(random, others) ?? undefined;
}

/** Some of several values; null, which stands for all, most of the time. */
function pickSome<T>(random: Random, all: readonly T[]): readonly T[] | null {
  if (chance(random, 0.5)) return null;
  const some = all.filter(() => chance(random, 0.5));
  return some.length === 0 || some.length === all.length ? null : some;
}
