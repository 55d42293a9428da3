import type { HiddenWord, Mute, Sight } from '../../context';
import { HiddenReason, MuteScope } from './hidden.enums';

/** The parts of a tweet that decide whether a viewer may see it. */
export interface SeenTweet {
  readonly content: string;
  readonly hashtags: readonly string[] | null;
  readonly inReplyToId: string | null;
  readonly sharedTweetId: string | null;
  readonly quotedTweetId: string | null;
  /** The author of the tweet that it shares. */
  readonly sharedAuthorId?: string | null;
}

/** Something that a user has made, or a user. */
export interface Seen {
  readonly kind: 'user' | 'tweet' | 'comment' | 'article';
  /** The user who has made it; for a user, the user itself. */
  readonly authorId: string;
  /** The tweet, if it is one. */
  readonly tweet?: SeenTweet;
  /** The tweet that it shares, if that was read. */
  readonly shared?: Omit<SeenTweet, 'sharedTweetId'> | null;
  /** The author of the tweet that it, or the tweet that it shares, answers; null if that is not known, or it answers none. */
  readonly answeredAuthorId?: string | null;
  /** The tweet that it, or the tweet that it shares, quotes, if words are looked for in it. */
  readonly quoted?: Pick<SeenTweet, 'content' | 'hashtags'> | null;
}

/**
 * The place where something is shown. At `DIRECT` it is asked for by its id, or stands on its author's profile: mutes hide nothing there.
 * `LIST` is every list without a place of its own, such as followers and likers.
 */
export type SeenPlace = 'TIMELINE' | 'SEARCH' | 'THREAD' | 'NOTIFICATIONS' | 'DIRECT' | 'LIST';

/**
 * Why a viewer may not see something at a place; null if the viewer may. Every list, node and subscription decides by this. It reads
 * nothing: `sight.learn` must have been told of the authors before, where a page has them.
 */
export function mayShow(sight: Sight | null, seen: Seen, place: SeenPlace): HiddenReason | null {
  if (sight === null) return null;
  // A profile is shown with little more than its name, so that it can be unblocked.
  if (seen.kind === 'user' && place === 'DIRECT') return null;
  return (
    findBlock(sight, seen.authorId) ??
    (seen.tweet?.sharedAuthorId == null ? null : findBlock(sight, seen.tweet.sharedAuthorId)) ??
    (seen.authorId === sight.viewerId ? null : findElse(sight, seen, place))
  );
}

/** Why something is hidden, other than by a block between its author and the viewer. */
function findElse(sight: Sight, seen: Seen, place: SeenPlace): HiddenReason | null {
  return (
    (seen.answeredAuthorId == null ? null : findBlock(sight, seen.answeredAuthorId)) ??
    findMute(sight, seen, place) ??
    (findMutedWord(sight, seen, place) === null ? null : HiddenReason.MUTED_WORD)
  );
}

/** Whether a block between the viewer and a user hides what the user has made, and whose block. */
export function findBlock(
  sight: Pick<Sight, 'viewerId' | 'blocks' | 'isBlockedBy'>,
  userId: string,
): HiddenReason | null {
  if (userId === sight.viewerId) return null;
  if (sight.blocks(userId)) return HiddenReason.BLOCKED;
  return sight.isBlockedBy(userId) ? HiddenReason.BLOCKED_BY : null;
}

function findMute(sight: Sight, seen: Seen, place: SeenPlace): HiddenReason | null {
  // Mutes hide what a user does, not who the user is.
  if (place === 'DIRECT' || (seen.kind === 'user' && place !== 'NOTIFICATIONS')) return null;
  const mute = sight.muteOf(seen.authorId);
  if (mute !== null && scopesAt(seen, place).some((scope) => hides(mute, scope))) return HiddenReason.MUTED;
  const { sharedAuthorId } = seen.tweet ?? {};
  const ofShared = sharedAuthorId == null ? null : sight.muteOf(sharedAuthorId);
  const ofOriginal = seen.shared ? scopesOf(seen.shared) : [MuteScope.TWEETS];
  return ofShared !== null && ofOriginal.some((scope) => hides(ofShared, scope)) ? HiddenReason.MUTED : null;
}

function hides({ scope }: Mute, of: MuteScope): boolean {
  return scope === null || scope.has(of);
}

/** Returns the scopes of a mute that hide something. */
function scopesAt({ kind, tweet }: Seen, place: SeenPlace): readonly MuteScope[] {
  if (place === 'NOTIFICATIONS') return [MuteScope.NOTIFICATIONS];
  if (kind === 'comment') return [MuteScope.REPLIES];
  if (tweet === undefined) return [MuteScope.TWEETS];
  return tweet.sharedTweetId === null ? scopesOf(tweet) : [MuteScope.SHARES];
}

/** Returns the scopes of a mute that hide a tweet which is no share: a reply that quotes has two. */
function scopesOf({ quotedTweetId, inReplyToId }: Pick<SeenTweet, 'quotedTweetId' | 'inReplyToId'>) {
  const scopes = [
    ...(quotedTweetId === null ? [] : [MuteScope.QUOTES]),
    ...(inReplyToId === null ? [] : [MuteScope.REPLIES]),
  ];
  return scopes.length === 0 ? [MuteScope.TWEETS] : scopes;
}

/**
 * The muted word that hides something at a place, if nothing else does; null if none would. It is looked for in a tweet, in the one that it
 * shares, because an imported share may have only the beginning of its text, and in the one that it quotes.
 */
export function findMutedWord(sight: Sight, seen: Seen, place: SeenPlace): HiddenWord | null {
  if (seen.tweet === undefined || sight.words.length === 0) return null;
  return sight.findWord(seen.authorId, textsOf(seen), place);
}

/** The texts in which muted words are looked for. */
export function textsOf({ tweet, shared, quoted }: Seen): Pick<SeenTweet, 'content' | 'hashtags'>[] {
  return [tweet, shared, quoted].filter((one) => one != null);
}
