import { NotificationKind } from '../../features/notification/notification-kind';
import { isBlocked, stoodAt, type Block } from '../../features/follow/block';
import { tweets, type TweetRow } from '../../features/tweet/tweet.table';
import { userByUsername } from '../../features/user/user-by-username';
import type { Load } from '../../kit/reads/load';

/** The authors of so many tweets above a reply are told of it. */
const MAX_ANCESTORS = 5;

/** The kinds of which a tweet makes one notification for a user, the strongest first. */
type SingleKind = NotificationKind.MENTION | NotificationKind.QUOTE | NotificationKind.REPLY;

/** Whether a kind is one of those. */
export function isSingleKind(kind: string | null): kind is SingleKind {
  const kinds: readonly string[] = [NotificationKind.MENTION, NotificationKind.QUOTE, NotificationKind.REPLY];
  return kind !== null && kinds.includes(kind);
}

/** Whether a tweet may notify somebody. Shares do not: they are an act on their original. */
export function mayNotify({ sharedTweetId, mentions, quotedTweetId, inReplyToId }: TweetRow): boolean {
  if (sharedTweetId !== null) return false;
  return (mentions ?? []).length > 0 || quotedTweetId !== null || inReplyToId !== null;
}

/**
 * Finds the users whom a tweet notifies, with the kinds: the users whom it mentions, the author whom it quotes, and the authors of the
 * tweets above it. Each gets one notification, of the strongest kind, and nobody gets one of an own tweet. Users who block the author, or
 * are blocked, when the tweet is posted get none: otherwise rows that only a block hides would fill the list. `holds` tells whether a block
 * held then.
 */
export async function recipientsOf(
  load: Load,
  tweet: TweetRow,
  holds: (block: Block) => boolean = stoodAt(tweet.createdAt),
): Promise<ReadonlyMap<string, SingleKind>> {
  const [mentioned, quoted, above] = await Promise.all([
    Promise.all((tweet.mentions ?? []).map((username) => userByUsername(load, username))),
    tweet.quotedTweetId === null ? null : load(tweets.get, { tweetId: tweet.quotedTweetId }),
    authorsAbove(load, tweet, holds),
  ]);
  const recipients = new Map<string, SingleKind>();
  for (const author of above) recipients.set(author, NotificationKind.REPLY);
  if (quoted) recipients.set(quoted.authorId, NotificationKind.QUOTE);
  for (const user of mentioned) if (user) recipients.set(user.userId, NotificationKind.MENTION);
  recipients.delete(tweet.authorId);
  const isLeftOut = (userId: string) => isBlocked(load, tweet.authorId, userId, holds);
  const leftOut = await Promise.all(
    Array.from(recipients.keys(), async (userId) => ((await isLeftOut(userId)) ? [userId] : [])),
  );
  for (const userId of leftOut.flat()) recipients.delete(userId);
  return recipients;
}

/** The authors of the tweets above a reply. This ends at a deleted tweet, and at one whose author and that of the reply are blocked. */
async function authorsAbove(
  load: Load,
  { authorId, inReplyToId }: TweetRow,
  holds: (block: Block) => boolean,
): Promise<string[]> {
  const authors: string[] = [];
  for (let above = inReplyToId, n = 0; above !== null && n < MAX_ANCESTORS; n++) {
    const tweet = await load(tweets.get, { tweetId: above });
    if (tweet === null || (await isBlocked(load, authorId, tweet.authorId, holds))) break;
    authors.push(tweet.authorId);
    above = tweet.inReplyToId;
  }
  return authors;
}
