import type { Random } from '../../src/kit/base/random';
import type { Attempts, Span } from './client';
import { Model, shareKey, type Post, type ShareName } from './model';
import type { TweetView } from './operations';
import { chance, pickOne } from './random';

/** A target of a mutation: a post, or a share that stands for the post. */
export interface Target {
  /** The global id that is sent. */
  readonly id: string;
  /** The post that the mutation is about. */
  readonly original: Post;
  /** The user who shared the post; null for the post itself. */
  readonly sharer: string | null;
}

/** What all actors of a round know: the model, what may be deleted soon, and when follows and likes began. */
export class World {
  readonly model = new Model();
  /** Every post and share that has ever existed, by global id. */
  readonly ever = new Map<string, Target>();
  /** When the current follows and likes were made, by `spanKey`. */
  readonly spans = new Map<string, Span>();
  readonly #dying = new Set<string>();
  readonly #unsharing = new Set<string>();
  /** The number of people in the round, which bounds all counts. */
  readonly size: number;
  readonly #log: (line: string) => void;
  #hot: Target | null = null;
  #operations = 0;
  #retried = 0;

  /** `log` writes a line to the log of the round. */
  constructor(size: number, log: (line: string) => void) {
    this.size = size;
    this.#log = log;
  }

  get operations(): number {
    return this.#operations;
  }

  /** How many operations were sent more than once before they were answered. */
  get retried(): number {
    return this.#retried;
  }

  /** Adds a line to the log. */
  note(...words: readonly string[]): void {
    this.#log(`${new Date().toISOString()} ${words.join(' ')}`);
  }

  /** Counts an operation and adds it to the log. */
  noteAct(who: string, what: string, { from, to, tried }: Attempts): void {
    this.#operations++;
    if (tried.length > 1) this.#retried++;
    this.note(who, what, `in ${to - from} ms by ${tried.join(', ')}`);
  }

  addPost(post: Post): void {
    const target = { id: post.id, original: post, sharer: null };
    this.model.posts.set(post.tweetId, post);
    this.ever.set(post.id, target);
    this.#hot = target;
  }

  /** From now on, mutations of a post may find it gone. */
  beginToDelete(tweetId: string): void {
    this.#dying.add(tweetId);
  }

  /** From now on, mutations of a share may find it gone. */
  beginToUnshare(sharer: string, tweetId: string): void {
    this.#unsharing.add(shareKey(sharer, tweetId));
    this.model.shareNames.delete(shareKey(sharer, tweetId));
  }

  /** Learns the ids of a share from its sharer's own list. */
  nameShare(sharer: string, original: Post, name: ShareName): void {
    this.model.shareNames.set(shareKey(sharer, original.tweetId), name);
    this.ever.set(name.id, { id: name.id, original, sharer });
  }

  /** Whether somebody has begun to delete a post. */
  isDying({ tweetId }: Post): boolean {
    return this.#dying.has(tweetId);
  }

  /** Whether a mutation may find its target gone. */
  mayBeGone({ original, sharer }: Target): boolean {
    return (
      this.isDying(original) || (sharer !== null && this.#unsharing.has(shareKey(sharer, original.tweetId)))
    );
  }

  /** Whether a tweet must exist when all mutations are done. */
  isThere({ id, original: { tweetId }, sharer }: Target): boolean {
    const { posts, shares, shareNames } = this.model;
    if (!posts.has(tweetId)) return false;
    if (sharer === null) return true;
    return shares.has(sharer, tweetId) && shareNames.get(shareKey(sharer, tweetId))?.id === id;
  }

  /** Picks a target: mostly a new one, often the one that others use now, sometimes a share, sometimes a deleted one. */
  pickTarget(random: Random): Target | null {
    const mustExist = chance(random, 0.9);
    const isHot = chance(random, 0.25);
    const roll = random();
    const wanted = [...this.ever.values()].filter((target) => !mustExist || this.isThere(target));
    const picked = isHot ? this.#hot : pickOne(() => roll, wanted, 2);
    this.#hot = picked ?? this.#hot;
    return picked;
  }
}

/** The key of a span: a user follows a user, or likes a tweet. */
export function spanKey(act: 'follow' | 'like', username: string, object: string): string {
  return `${act} ${username} ${object}`;
}

/** Turns a tweet of the API into a post of the model, without the imported counts. */
export function postOf(view: TweetView): Omit<Post, 'base'> {
  const { id, tweetId, content, createdAt, language, location, author } = view;
  const links = { inReplyTo: null, quotes: null };
  return { id, tweetId, content, createdAt, language, location, author: author.username, ...links };
}
