import type { Random } from '../../src/kit/base/random';
import type { Attempts, Span } from './client';
import { whyHidden, type Place, type Seen } from './hidden';
import { Model, shareKey, type Person, type Post, type ShareName } from './model';
import type { TweetView } from './operations';
import { chance, pickOne } from './random';
import { Pairs } from './pairs';
import { Spells } from './spells';

/** A target of a mutation: a post, or a share that stands for the post. */
export interface Target {
  /** The global id that is sent. */
  readonly id: string;
  /** The post that the mutation is about. */
  readonly original: Post;
  /** The user who shared the post; null for the post itself. */
  readonly sharer: string | null;
}

/** The position of a notification in its list. */
export interface Mark {
  readonly listedAt: number;
  readonly id: string;
}

/** What all actors of a round know: the model, what may be deleted soon, and when follows and likes began. */
export class World {
  readonly model = new Model();
  /** Every post and share that has ever existed, by global id. */
  readonly ever = new Map<string, Target>();
  /** When the current follows and likes were made, by `spanKey`. */
  readonly spans = new Map<string, Span>();
  /** When users blocked each other, by `blockKey`. */
  readonly blocks = new Spells();
  /** When accounts of users were being deleted, by username. */
  readonly absences = new Spells();
  /** The users whose accounts were deleted for good. */
  readonly left = new Set<string>();
  /** Who they were, by username. */
  readonly former = new Map<string, Person>();
  /** How many follows between two users are asked for and not answered, by `blockKey` of the two in both orders. */
  readonly following = new Map<string, number>();
  /** The follows that were imported. */
  readonly importedFollows = new Pairs();
  /** Whom each user has ever muted, and the words that each has ever muted. */
  readonly everMuted = new Set<string>();
  readonly everWords = new Map<string, (readonly string[])[]>();
  /** The threads of which it cannot be told whether a user mutes them: `<username> <root>`. */
  readonly unsureThreads = new Set<string>();
  /** Up to where users have marked notifications as seen. */
  readonly seen = new Map<string, Mark>();
  /** When posts began to be made, by `tweetId`. */
  readonly postedSince = new Map<string, number>();
  /** When deletions of posts were answered, by `tweetId`. */
  readonly deletedAt = new Map<string, number>();
  readonly #dying = new Set<string>();
  readonly #everPosted = new Map<string, Post>();
  readonly #unsharing = new Set<string>();
  /** The number of people in the round, which bounds all counts. */
  readonly size: number;
  /** Whether deletions of accounts can be taken back in this round; else they are done at once. */
  readonly mayCancel: boolean;
  readonly #log: (line: string) => void;
  #hot: Target | null = null;
  #operations = 0;
  #retried = 0;

  /** `log` writes a line to the log of the round. */
  constructor(size: number, mayCancel: boolean, log: (line: string) => void) {
    this.size = size;
    this.mayCancel = mayCancel;
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
    this.#everPosted.set(post.tweetId, post);
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

  /** Whether somebody has begun to delete a post, or its author's account may be hidden. */
  isDying({ tweetId, author }: Post): boolean {
    return this.#dying.has(tweetId) || this.mayBeAway(author);
  }

  /** Forgets those who have left, when all has settled. */
  forgetLeft(): void {
    for (const username of this.left) {
      const person = this.model.people.get(username);
      if (person) this.former.set(username, person);
      this.model.forget(username);
    }
  }

  /** The root of the thread of a post, which may be deleted. */
  rootOf(post: Post): string {
    return this.above(post).at(-1)?.tweetId ?? post.tweetId;
  }

  /** The posts above a reply, its parent first, also deleted ones. */
  above({ inReplyTo }: Post): Post[] {
    const found: Post[] = [];
    for (let next = inReplyTo; next !== null;) {
      const post = this.#everPosted.get(next);
      if (post === undefined) break;
      found.push(post);
      next = post.inReplyTo;
    }
    return found;
  }

  /** Every post that has ever existed. */
  get everPosted(): ReadonlyMap<string, Post> {
    return this.#everPosted;
  }

  /** Whether somebody has begun to delete a post, or the account of its author has been deleted. */
  isDeleted({ tweetId, author }: Post): boolean {
    return this.#dying.has(tweetId) || this.left.has(author);
  }

  /** Whether the account of a user may be hidden. */
  mayBeAway(username: string): boolean {
    return this.absences.everBegan(username) && (this.absences.isChanging(username) || this.isAway(username));
  }

  /** Whether the deletion of the account of a user was asked for, and not taken back. */
  isAway(username: string): boolean {
    return this.absences.mayHaveHeld(username, Date.now());
  }

  /** Whether a block between two users may have held at some moment since `since`. */
  mayBeBlocked(one: string, other: string, since = Date.now()): boolean {
    return bothWays(one, other).some((key) => this.blocks.mayHaveHeld(key, since));
  }

  /** Whether a block between two users may hold, and nobody has begun to end it. */
  isBlockOn(one: string, other: string): boolean {
    return bothWays(one, other).some((key) => this.blocks.isOn(key));
  }

  /** Whether a block between two users has held all the time since `since`. */
  isBlocked(one: string, other: string, since: number): boolean {
    return bothWays(one, other).some((key) => this.blocks.hasHeld(key, since));
  }

  /** Whether what two users see of each other may not be as the model says: a block or a deletion was begun or taken back just now. */
  isUnsettled(one: string, other: string): boolean {
    if (one === other) return false;
    return this.mayBeAway(other) || bothWays(one, other).some((key) => this.blocks.isChanging(key));
  }

  /** Whether a viewer must see something at a place, or must not; null if that cannot be told. */
  mustSee(viewer: string, seen: Seen, place: Place): boolean | null {
    const { post, by } = seen;
    const linked = [post.inReplyTo, post.quotes].flatMap((id) => this.model.posts.get(id ?? '') ?? []);
    if (
      [by, post.author, ...linked.map(({ author }) => author)].some((name) => this.isUnsettled(viewer, name))
    )
      return null;
    if (this.isDying(post) || linked.some((one) => this.isDying(one))) return null;
    if (this.model.hidden.isAboutToEnd(viewer)) return null;
    return whyHidden(this.model, viewer, seen, place) === null;
  }

  /** Whether a mutation may find its target gone. */
  mayBeGone({ original, sharer }: Target): boolean {
    return (
      this.isDying(original) ||
      (sharer !== null && (this.mayBeAway(sharer) || this.#unsharing.has(shareKey(sharer, original.tweetId))))
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

/** The key of a block. */
export function blockKey(blocker: string, blocked: string): string {
  return `${blocker} ${blocked}`;
}

function bothWays(one: string, other: string): string[] {
  return [blockKey(one, other), blockKey(other, one)];
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
