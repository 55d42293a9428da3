import { Pairs } from './pairs';
import type { Model, Post } from './model';

/** What a mute or a muted word hides, and until when; null stands for everything, or for ever. */
interface Extent {
  readonly places: readonly string[] | null;
  readonly until: number | null;
}

/** A muted text. Equal texts are one, whatever their case and accents. */
interface MutedText extends Extent {
  readonly id: string;
  readonly text: string;
  readonly words: readonly string[];
  readonly exceptFollowed: boolean;
}

/** A post, or somebody's share of it. `by` is the sharer of a share, else the author. */
export interface Seen {
  readonly post: Post;
  readonly isShare: boolean;
  readonly by: string;
}

/** A post by itself. */
export function seenPost(post: Post): Seen {
  return { post, isShare: false, by: post.author };
}

/** Where the API shows something. */
export type Place = 'TIMELINE' | 'SEARCH' | 'THREAD' | 'NOTIFICATIONS' | 'DIRECT' | 'LIST';

type Reason = 'BLOCKED' | 'BLOCKED_BY' | 'MUTED' | 'MUTED_WORD';

/** Whom and what people hide. */
export class Hidden {
  /** Who blocks whom. */
  readonly blocks = new Pairs();
  /** The roots of the threads that users have muted. */
  readonly threads = new Pairs();
  readonly #mutes = new Map<string, Map<string, Extent>>();
  readonly #words = new Map<string, Map<string, MutedText>>();

  mutesOf(username: string): Map<string, Extent> {
    return ownOf(this.#mutes, username);
  }

  /** The muted texts of a user, by what equal texts have in common. */
  wordsOf(username: string): Map<string, MutedText> {
    return ownOf(this.#words, username);
  }

  /** Forgets what a user hides, and who hides the user. */
  forget(username: string): void {
    for (const pairs of [this.blocks, this.threads]) {
      for (const other of pairs.of(username)) pairs.remove(username, other);
      pairs.removeAllWith(username);
    }
    this.#mutes.delete(username);
    this.#words.delete(username);
    for (const mutes of this.#mutes.values()) mutes.delete(username);
  }

  /** Whether a user is hidden from another by a block, and by whose. */
  blockBetween(viewer: string, other: string): Reason | null {
    if (viewer === other) return null;
    if (this.blocks.has(viewer, other)) return 'BLOCKED';
    return this.blocks.has(other, viewer) ? 'BLOCKED_BY' : null;
  }

  /** Whether a mute of a user has just ended, or is about to. */
  isAboutToEnd(username: string): boolean {
    const mutes = [...this.mutesOf(username).values()];
    return mutes.some(({ until }) => until !== null && Math.abs(until - Date.now()) < 2_000);
  }

  /** Whether a user mutes what another does, of some kind. */
  isMuted(viewer: string, other: string, kind: string): boolean {
    const mute = this.mutesOf(viewer).get(other);
    return mute !== undefined && !isOver(mute) && (mute.places === null || mute.places.includes(kind));
  }
}

/** Whether a mute or a muted text has ended. */
export function isOver({ until }: Extent): boolean {
  return until !== null && until <= Date.now();
}

/**
 * Why an item is hidden from a viewer at a place, by the rules of blocks, mutes and muted words; null if it is shown.
 */
export function whyHidden(
  model: Model,
  viewer: string,
  { post, isShare, by }: Seen,
  place: Place,
): Reason | null {
  const { hidden } = model;
  const block = hidden.blockBetween(viewer, by) ?? hidden.blockBetween(viewer, post.author);
  if (block !== null || by === viewer) return block;
  const answered = place === 'TIMELINE' || place === 'SEARCH' ? parentOf(model, post) : null;
  const ofAnswered = answered && hidden.blockBetween(viewer, answered.author);
  if (ofAnswered) return ofAnswered;
  return (
    findMute(model, viewer, { post, isShare, by }, place) ??
    findWord(model, viewer, { post, isShare, by }, place)
  );
}

function findMute(
  { hidden }: Model,
  viewer: string,
  { post, isShare, by }: Seen,
  place: Place,
): Reason | null {
  if (place === 'DIRECT') return null;
  const kinds = kindsOf(post);
  const own = place === 'NOTIFICATIONS' ? ['NOTIFICATIONS'] : isShare ? ['SHARES'] : kinds;
  if (own.some((kind) => hidden.isMuted(viewer, by, kind))) return 'MUTED';
  return isShare && kinds.some((kind) => hidden.isMuted(viewer, post.author, kind)) ? 'MUTED' : null;
}

/** What a post is for a mute: a reply that quotes is both. */
function kindsOf({ quotes, inReplyTo }: Post): readonly string[] {
  const kinds = [...(quotes === null ? [] : ['QUOTES']), ...(inReplyTo === null ? [] : ['REPLIES'])];
  return kinds.length === 0 ? ['TWEETS'] : kinds;
}

function findWord(model: Model, viewer: string, { post, by }: Seen, place: Place): Reason | null {
  const quoted = post.quotes === null ? undefined : model.posts.get(post.quotes);
  const texts = [post, ...(quoted ? [quoted] : [])];
  const isFollowed = place === 'TIMELINE' || model.follows.has(viewer, by);
  const hides = (word: MutedText) =>
    !isOver(word) &&
    place !== 'DIRECT' &&
    place !== 'LIST' &&
    (word.places === null || word.places.includes(place)) &&
    !(word.exceptFollowed && isFollowed) &&
    texts.some((text) => hasWords(text, word.words));
  return [...model.hidden.wordsOf(viewer).values()].some(hides) ? 'MUTED_WORD' : null;
}

/** Whether a post has some words, one after the other. */
export function hasWords({ content }: Pick<Post, 'content'>, words: readonly string[]): boolean {
  const all = content.toLowerCase().split(/[\s#@]+/);
  return all.some((_, index) => words.every((word, n) => all[index + n] === word));
}

function parentOf({ posts }: Model, { inReplyTo }: Post): Post | undefined {
  return inReplyTo === null ? undefined : posts.get(inReplyTo);
}

function ownOf<K, V>(all: Map<string, Map<K, V>>, username: string): Map<K, V> {
  const own = all.get(username) ?? new Map<K, V>();
  all.set(username, own);
  return own;
}
