import type { Reserve } from './kit/cost/reserve';
import type { Pass } from './kit/reads/gate';
import type { Load } from './kit/reads/load';

/** The sender of a request. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'service'; readonly issuer: string; readonly subject: string }
  | { readonly kind: 'person'; readonly issuer: string; readonly subject: string };

/** The caller of a request, and the caller's user. */
export interface Viewer {
  readonly caller: Caller;
  /**
   * The id of the caller's user; null without a user, and once the account is being deleted: its token counts for nothing then. Reads at most
   * three partitions, once a request.
   */
  userId(): Promise<string | null>;
  /** The same without waiting: undefined if it was not found yet. */
  knownUserId(): string | null | undefined;
  /** The same, also of an account that is being deleted, for what such an account may still do. */
  accountId(): Promise<string | null>;
  /** Whether a user is suspended, and so writes nothing. */
  isSuspended(this: void, userId: string): boolean;
  /** Whether the account of a user is being deleted, so that its tokens are refused. */
  isLeaving(this: void, userId: string): boolean;
  /** Forgets the user, because the caller may have created one. */
  forget(): void;
}

/** A mute of a user. */
export interface Mute {
  /** When the viewer muted the user. */
  readonly at: Date;
  /** When it ends; null if never. */
  readonly until: Date | null;
  /** The scopes that it hides, by the names of `MuteScope`; null if all. */
  readonly scope: ReadonlySet<string> | null;
}

/** A muted word, or several that stand together. */
export interface HiddenWord {
  /** When the viewer muted it. */
  readonly at: Date;
  readonly id: string;
  readonly text: string;
  readonly until: Date | null;
  /** Whether tweets of users whom the viewer follows are shown. */
  readonly exceptFollowed: boolean;
  /** The places where it hides, by the names of `MutedWordPlace`; null if everywhere. */
  readonly where: ReadonlySet<string> | null;
}

/** The parts of a tweet that decide whether tweets which answer or quote it are hidden. */
export interface LinkedTweet extends WordedText {
  readonly authorId: string;
  readonly inReplyToId: string | null;
  readonly quotedTweetId: string | null;
}

/** The parts of a tweet that have words. */
export interface WordedText {
  readonly content: string;
  readonly hashtags: readonly string[] | null;
}

/** The users and words that a viewer hides, and the users who hide from the viewer: see `mayShow`. */
export interface Sight {
  readonly viewerId: string;
  /** Whether the viewer blocks a user. */
  blocks(userId: string): boolean;
  /** Whether a user blocks the viewer. The answer is certain only for users of whom `learn` was told; others may be said to block. */
  isBlockedBy(userId: string): boolean;
  /** Whether the viewer follows a user, of whom `learn` was told. */
  follows(userId: string): boolean;
  /** The viewer's mute of a user, if it has not ended. */
  muteOf(userId: string): Mute | null;
  readonly words: readonly HiddenWord[];
  /** Whether anybody blocks, or is blocked. */
  readonly hasBlocks: boolean;
  /** The muted word that hides a tweet of an author at a place, by the texts of the tweet and of what it quotes; null if none does. */
  findWord(authorId: string, texts: readonly WordedText[], place: string): HiddenWord | null;
  /**
   * Looks for muted words in texts before `findWord` is asked about these, a few texts in each turn of the event loop: a request may have
   * thousands of long ones.
   */
  compare(texts: readonly WordedText[]): Promise<void>;
  /** Whether muted words hide tweets at a place. */
  hasWordsAt(place: string): boolean;
  /** Reads tweets that others share, answer or quote, perhaps as they were a moment ago; null for what is not there. */
  readTweets(tweetIds: readonly string[]): Promise<readonly (LinkedTweet | null)[]>;
  /** Whether what a place shows depends on what `learn` reads. */
  mustLearnAt(place: string): boolean;
  /**
   * Reads a row for each of some users, to decide about them: whether they block the viewer, where too many do to know them all, and whether the
   * viewer follows them, where muted words spare those.
   */
  learn(userIds: Iterable<string>): Promise<void>;
}

/** Reads the sight of a request's viewer; null if nothing is hidden from the viewer. */
export interface ViewerSight {
  (this: void): Promise<Sight | null>;
  /** Whether the caller has no user, so that nothing is hidden. */
  readonly isNobody: boolean;
}

/** The context of a query. Mutations have more: see `MutationContext`. */
export interface Context {
  readonly load: Load;
  readonly viewer: Viewer;
  /**
   * The sight of the caller's user; null if nothing is hidden, also for callers without a user. Reads at most one partition, once a
   * request.
   */
  readonly sight: ViewerSight;
  /** The deadline of the request, for work that does not go through `load`. */
  readonly pass: Pass;
  /** Adds to the bound of the request what a list turns out to need, before that is read. */
  readonly reserve: Reserve;
  /** Timelines have only tweets from this moment on; null shows all. */
  readonly timelineSince: Date | null;
  /** The users whose timelines are merged, because `pulled_by_user` has, or had, rows of them, as far as this server knows. */
  readonly mergedTimelines: MergedTimelines;
}

/** A set of users, by id. */
export interface MergedTimelines {
  has(userId: string): boolean;
  set(userId: string, isMerged: true): void;
}
