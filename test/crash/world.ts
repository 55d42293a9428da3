import type { Random } from '../../src/demo/network';
import type { Attempts, Span } from './client';
import { Model, shareKey, type Post, type ShareName } from './model';
import type { TweetView } from './operations';
import { chance, pickOne } from './random';

/** What an act can name: a post, or a share of it, which stands for the post. */
export interface Target {
  /** The global id that is sent. */
  readonly id: string;
  /** The post that is acted on. */
  readonly original: Post;
  /** Whose share it is; null for the post itself. */
  readonly sharer: string | null;
}

/** What all callers of a round know: the model, what is about to go, and when what was begun. */
export class World {
  readonly model = new Model();
  /** Every post and share that was ever there, by global id. */
  readonly ever = new Map<string, Target>();
  /** When a follow or like that holds was made, by `spanKey`. */
  readonly spans = new Map<string, Span>();
  readonly #dying = new Set<string>();
  readonly #unsharing = new Set<string>();
  /** How many people the round has at most. */
  readonly size: number;
  readonly #tell: (line: string) => void;
  #hot: Target | null = null;
  #operations = 0;
  #retried = 0;

  /** `tell` takes the lines of the round's story. */
  constructor(size: number, tell: (line: string) => void) {
    this.size = size;
    this.#tell = tell;
  }

  get operations(): number {
    return this.#operations;
  }

  /** Operations that were sent more than once before they were answered. */
  get retried(): number {
    return this.#retried;
  }

  /** Adds a line to the story. */
  note(...words: readonly string[]): void {
    this.#tell(`${new Date().toISOString()} ${words.join(' ')}`);
  }

  /** Counts an operation and adds it to the story. */
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

  /** From now on acts on a post may find it gone. */
  beginToDelete(tweetId: string): void {
    this.#dying.add(tweetId);
  }

  /** From now on acts on a share may find it gone. */
  beginToUnshare(sharer: string, tweetId: string): void {
    this.#unsharing.add(shareKey(sharer, tweetId));
    this.model.shareNames.delete(shareKey(sharer, tweetId));
  }

  /** Learns the name of a share from its sharer's own list. */
  nameShare(sharer: string, original: Post, name: ShareName): void {
    this.model.shareNames.set(shareKey(sharer, original.tweetId), name);
    this.ever.set(name.id, { id: name.id, original, sharer });
  }

  /** Whether somebody has begun to delete a post. */
  isDying({ tweetId }: Post): boolean {
    return this.#dying.has(tweetId);
  }

  /** Whether an act may find its target gone. */
  mayBeGone({ original, sharer }: Target): boolean {
    return (
      this.isDying(original) || (sharer !== null && this.#unsharing.has(shareKey(sharer, original.tweetId)))
    );
  }

  /** Whether a tweet must be there when all acts are done. */
  isThere({ id, original: { tweetId }, sharer }: Target): boolean {
    const { posts, shares, shareNames } = this.model;
    if (!posts.has(tweetId)) return false;
    if (sharer === null) return true;
    return shares.has(sharer, tweetId) && shareNames.get(shareKey(sharer, tweetId))?.id === id;
  }

  /** Something to act on: mostly new, often what others act on now, sometimes a share, sometimes gone. */
  pickTarget(random: Random): Target | null {
    const isToBeThere = chance(random, 0.9);
    const isHot = chance(random, 0.25);
    const roll = random();
    const wanted = [...this.ever.values()].filter((target) => !isToBeThere || this.isThere(target));
    const picked = isHot ? this.#hot : pickOne(() => roll, wanted, 2);
    this.#hot = picked ?? this.#hot;
    return picked;
  }
}

/** The key of when something was begun: a user follows a user, or likes a tweet. */
export function spanKey(act: 'follow' | 'like', username: string, object: string): string {
  return `${act} ${username} ${object}`;
}

/** The part of a tweet's view that a post of the model is made of. */
export function postOf(view: TweetView): Omit<Post, 'base'> {
  const { id, tweetId, content, createdAt, language, location, author } = view;
  const links = { inReplyTo: null, quotes: null };
  return { id, tweetId, content, createdAt, language, location, author: author.username, ...links };
}
