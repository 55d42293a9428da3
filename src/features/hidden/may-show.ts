import type { Mute, Sight } from '../../context';
import type { Row } from '../../kit/cassandra/table';
import type { tweets } from '../tweet/tweet.table';
import { HiddenReason, MuteScope } from './hidden.enums';

/** What of a tweet tells whether a viewer may see it. */
type SeenTweet = Pick<Row<typeof tweets>, 'content' | 'inReplyToId' | 'sharedTweetId' | 'quotedTweetId'> & {
  /** Who has posted the tweet that it shares. */
  readonly sharedAuthorId?: string | null;
};

/** Something that a user has made, or a user. */
export interface Seen {
  readonly kind: 'user' | 'tweet' | 'comment' | 'article';
  /** Who has made it; of a user, its id. */
  readonly authorId: string;
  /** The tweet, if it is one. */
  readonly tweet?: SeenTweet;
}

/**
 * Where something is shown. `DIRECT`: by its id, or on the profile of who has made it, where mutes hide nothing; `LIST`: any other list that has
 * no place of its own, such as followers and likers.
 */
export type Place = 'TIMELINE' | 'SEARCH' | 'THREAD' | 'NOTIFICATIONS' | 'DIRECT' | 'LIST';

/**
 * Why a viewer may not see something at a place; null if the viewer may. Every list, node and subscription decides by this. It reads
 * nothing: `sight.learn` must have been told of the authors before, where a page has them.
 */
export function mayShow(sight: Sight | null, seen: Seen, place: Place): HiddenReason | null {
  if (sight === null || seen.authorId === sight.viewerId) return null;
  // A profile is shown with little more than its name, so that it can be unblocked.
  if (seen.kind === 'user' && place === 'DIRECT') return null;
  return (
    findBlock(sight, seen.authorId) ??
    (seen.tweet?.sharedAuthorId == null ? null : findBlock(sight, seen.tweet.sharedAuthorId)) ??
    findMute(sight, seen, place)
  );
}

/** Whether a block between the viewer and a user hides what the user has made, and whose block. */
export function findBlock(sight: Sight, userId: string): HiddenReason | null {
  if (userId === sight.viewerId) return null;
  if (sight.blocks(userId)) return HiddenReason.BLOCKED;
  return sight.isBlockedBy(userId) ? HiddenReason.BLOCKED_BY : null;
}

function findMute(sight: Sight, seen: Seen, place: Place): HiddenReason | null {
  // Mutes hide what a user does, not who the user is.
  if (place === 'DIRECT' || (seen.kind === 'user' && place !== 'NOTIFICATIONS')) return null;
  const mute = sight.muteOf(seen.authorId);
  if (mute !== null && hides(mute, place === 'NOTIFICATIONS' ? MuteScope.NOTIFICATIONS : scopeOf(seen)))
    return HiddenReason.MUTED;
  const { sharedAuthorId } = seen.tweet ?? {};
  const ofShared = sharedAuthorId == null ? null : sight.muteOf(sharedAuthorId);
  return ofShared !== null && hides(ofShared, MuteScope.TWEETS) ? HiddenReason.MUTED : null;
}

function hides({ scope }: Mute, of: MuteScope): boolean {
  return scope === null || scope.has(of);
}

/** Which scope of a mute hides something. */
function scopeOf({ kind, tweet }: Seen): MuteScope {
  if (kind === 'comment') return MuteScope.REPLIES;
  if (tweet === undefined) return MuteScope.TWEETS;
  if (tweet.sharedTweetId !== null) return MuteScope.SHARES;
  if (tweet.quotedTweetId !== null) return MuteScope.QUOTES;
  return tweet.inReplyToId === null ? MuteScope.TWEETS : MuteScope.REPLIES;
}
