import registered from 'language-subtag-registry/data/json/language.json';
import { languageNamed } from '../../src/features/tweet/language';
import type { Random } from '../../src/kit/base/random';
import type { Actor } from './actor';
import { answered } from './client';
import { lookAround } from './look';
import { seenPost } from './hidden';
import { shareKey, type Post } from './model';
import { createTweet, deleteTweet, tweetsByIds, type CreateTweetInput, type TweetView } from './operations';
import { chance, pickOne } from './random';
import { isBlocked } from './refused';
import { must, Violation } from './violation';
import { postOf, type Target } from './world';

/** The words that users mute, among others. */
const FRUITS = ['plum', 'pear', 'fig', 'kiwi', 'lime'];

/** All registered languages of three letters. */
const LANGUAGES = Object.keys(registered).filter((tag) => tag.length === 3 && languageNamed(tag) === tag);

/** Posts a tweet. */
export function tweet(actor: Actor, random: Random, step: number): Promise<void> {
  return post(actor, random, step, null, 'inReplyTo');
}

/** Posts a reply. A reply to a share is a reply to its original. */
export function reply(actor: Actor, random: Random, step: number): Promise<void> {
  return post(actor, random, step, actor.world.pickTarget(random), 'inReplyTo');
}

/** Posts a quote. */
export function quote(actor: Actor, random: Random, step: number): Promise<void> {
  return post(actor, random, step, actor.world.pickTarget(random), 'quotes');
}

async function post(
  actor: Actor,
  random: Random,
  step: number,
  target: Target | null,
  link: 'inReplyTo' | 'quotes',
): Promise<void> {
  const { world, person, client, posted } = actor;
  const input: CreateTweetInput = {
    content: contentOf(actor, random, step),
    idempotencyKey: `act ${step}`,
    language: languageOf(person.username),
    ...(step % 2 === 0 && { location: placeOf(step) }),
    ...(target && { [link]: target.id }),
  };
  const since = Date.now();
  const settled = await client.settle(createTweet, { input });
  const what = target ? `createTweet ${link} ${target.original.tweetId}` : 'createTweet';
  // The tweet that the input names must exist, otherwise the error is BAD_USER_INPUT.
  const isRefused = settled.kind === 'refusal' && settled.code === 'BAD_USER_INPUT';
  if (isRefused && target && world.mayBeGone(target)) {
    world.noteAct(person.username, `${what}: BAD_USER_INPUT`, settled);
    return;
  }
  if (target && isBlocked(world, person.username, target.original.author, settled)) {
    world.noteAct(person.username, `${what}: FORBIDDEN`, settled);
    return;
  }
  const { data } = answered(createTweet, { input }, settled);
  world.noteAct(person.username, `${what}: ${data.tweetId}`, settled);
  world.addPost({
    ...postOf(data),
    [link]: target?.original.tweetId ?? null,
    base: { likeCount: 0, shareCount: 0, replyCount: 0 },
  });
  world.postedSince.set(data.tweetId, since);
  posted.set(data.tweetId, input);
  checkPost(actor, data, input, target, link);

  if (chance(random, 0.2)) {
    const again = await client.ask(createTweet, { input });
    must('A retry must answer as the first call did', again.tweetId === data.tweetId, again);
  }
  if (chance(random, 0.1)) {
    const other = { ...input, content: `${input.content} now` };
    const refused = await client.settle(createTweet, { input: other });
    const isConflict = refused.kind === 'refusal' && refused.code === 'CONFLICT';
    must('A key must not be accepted for another input', isConflict, { other, refused });
  }
  if (chance(random, 0.3)) {
    const [view] = await client.askOther(tweetsByIds, { ids: [data.id] });
    if (!view) throw new Violation('An own tweet must exist at once', data);
    checkPost(actor, view, input, target, link);
    await lookAround(actor);
  }
}

/** A text with a word that some mute, and often with a mention. */
function contentOf({ person, world }: Actor, random: Random, step: number): string {
  const { username } = person;
  const mentioned = chance(random, 0.3) ? pickOne(random, [...world.model.people.keys()]) : null;
  const words = [username, 'says', FRUITS[step % FRUITS.length], step, `#${tagOf(username, step)}`];
  return [...words, ...(mentioned === null ? [] : [`@${mentioned}`])].join(' ');
}

/** One of four tags that only this round uses. */
function tagOf(username: string, step: number): string {
  return `tag${username.replace(/\D.*?(\d+)_.*/, '$1')}_${step % 4}`;
}

/** A language that only this round's people use. */
function languageOf(username: string): string {
  const round = Number(/\d+/.exec(username)?.[0] ?? 0);
  return LANGUAGES[round % LANGUAGES.length] ?? 'und';
}

/** Points all over the world, including the poles and the antimeridian. */
function placeOf(step: number) {
  return { latitude: ((step * 15) % 181) - 90, longitude: ((step * 45) % 361) - 180 };
}

function checkPost(
  { world, person }: Actor,
  view: TweetView,
  { content }: CreateTweetInput,
  target: Target | null,
  link: 'inReplyTo' | 'quotes',
): void {
  must('The content must be as given', view.content === content, view);
  must('The author must be the caller', view.author.username === person.username, view);
  const linked = link === 'inReplyTo' ? view.inReplyTo : view.quotedTweet;
  const original = target?.original ?? null;
  const mayBeHidden = (hidden: Post) =>
    world.isDying(hidden) || world.mustSee(person.username, seenPost(hidden), 'THREAD') !== true;
  const isRight = linked === null ? original === null || mayBeHidden(original) : linked.id === original?.id;
  must('A reply or quote must link to its original', isRight, { view, original });
}

/** Deletes one of the actor's posts, or one of the actor's shares by its id. */
export async function remove(actor: Actor, random: Random): Promise<void> {
  const { world, person, client, posted } = actor;
  const { username } = person;
  const own = [...world.ever.values()].filter(
    (target) => world.isThere(target) && (target.sharer ?? target.original.author) === username,
  );
  const target = pickOne(random, own, 1.5);
  if (target === null) return;

  const { id, original, sharer } = target;
  if (sharer === null) world.beginToDelete(original.tweetId);
  else world.beginToUnshare(username, original.tweetId);
  for (let times = chance(random, 0.2) ? 2 : 1; times > 0; times--) {
    const settled = await client.settle(deleteTweet, { id });
    // The author of the original may have deleted it and with it the share.
    const isGone = settled.kind === 'refusal' && settled.code === 'NOT_FOUND';
    const mayBeGone = sharer !== null && world.isDying(original);
    if (!isGone || !mayBeGone)
      must(
        'The payload must have the deleted id',
        answered(deleteTweet, { id }, settled).data === id,
        settled,
      );
    world.noteAct(username, `deleteTweet ${sharer === null ? '' : 'share of '}${original.tweetId}`, settled);
  }
  if (sharer === null) {
    world.deletedAt.set(original.tweetId, Date.now());
    world.model.delete(original.tweetId);
  } else {
    world.model.shares.remove(username, original.tweetId);
    world.model.shareNames.delete(shareKey(username, original.tweetId));
    actor.mayShare.delete(original.tweetId);
  }

  const input = posted.get(original.tweetId);
  if (sharer === null && input && chance(random, 0.3)) {
    const refused = await client.settle(createTweet, { input });
    const isGone = refused.kind === 'refusal' && refused.code === 'NOT_FOUND';
    must('The key of a deleted tweet must not create it again', isGone, { input, refused });
  }
  if (chance(random, 0.4)) {
    const [view] = await client.askOther(tweetsByIds, { ids: [id] });
    must('A tweet must be gone for its author at once after deletion', view == null, view);
    await lookAround(actor);
  }
}
