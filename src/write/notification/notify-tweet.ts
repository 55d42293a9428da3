import { encodeActor } from '../../features/notification/actor';
import { singleId } from '../../features/notification/group-id';
import { NotificationKind } from '../../features/notification/notification-kind';
import { notificationTopic } from '../../features/notification/notification-topic';
import { notificationsByUser, notifiedByTweet } from '../../features/notification/notification.table';
import type { CommentRow } from '../../features/news/news.table';
import { rootOf, tweets, type StoredTweet } from '../../features/tweet/tweet.table';
import type { Write } from '../../kit/cassandra/database';
import type { NewRowOf } from '../../kit/cassandra/table';
import { partitionRemovalOf, removalOf, writeOf } from '../../kit/cassandra/write';
import { createLoad } from '../../kit/reads/load';
import { arrivalWrite, isLateArrival } from '../../kit/subscriptions/late-arrivals';
import { putAll } from '../../kit/writes/row-writer';
import { finalTime } from '../final-time';
import type { ListingServices } from './list-group';
import { mayNotify, recipientsOf } from './recipients';

type NewNotification = NewRowOf<typeof notificationsByUser.columns>;

/** The most users whom a tweet notifies: those mentioned, the author quoted, and five above. */
export const MAX_RECIPIENTS = 36;

/** Tells those of a tweet whom it is for. Repeating it changes nothing. */
export async function notifyOfTweet(services: ListingServices, tweet: StoredTweet): Promise<void> {
  if (!mayNotify(tweet)) return;
  const { database, bulk } = services;
  const { tweetId, createdAt } = tweet;
  const recipients = await recipientsOf(createLoad(database), tweet);
  if (recipients.size === 0) return;
  // First what takes it back.
  await putAll(bulk(), notifiedWrites(tweetId, recipients));
  await list(services, createdAt, singlesOf(tweet, recipients));
  // A deletion removes the tweet first and then looks for whom it has notified, so one of the two sees the other.
  if ((await createLoad(database)(tweets.get, { tweetId })) === null) await takeBackTweet(services, tweet);
}

/** The writes that record whom a tweet has notified. */
export function notifiedWrites(tweetId: string, recipients: ReadonlyMap<string, string>): Write[] {
  return Array.from(recipients, ([userId, kind]) => writeOf(notifiedByTweet, { tweetId, userId, kind }));
}

/** The notifications that a tweet makes. */
export function singlesOf(tweet: StoredTweet, recipients: ReadonlyMap<string, string>): NewNotification[] {
  const { tweetId, authorId, createdAt } = tweet;
  return Array.from(recipients, ([userId, kind]) => ({
    ...{ userId, kind, listedAt: createdAt, notificationId: singleId(tweetId, userId), subjectId: tweetId },
    ...{ rootId: rootOf(tweet), actorCount: 1, actors: [encodeActor({ actorId: authorId, at: createdAt })] },
  }));
}

/** Removes the notifications of a deleted tweet. */
export async function takeBackTweet(
  { database, bulk }: ListingServices,
  { tweetId, createdAt: listedAt }: Pick<StoredTweet, 'tweetId' | 'createdAt'>,
): Promise<void> {
  const notified = await createLoad(database)(notifiedByTweet.page, { tweetId, limit: MAX_RECIPIENTS });
  if (notified.length === 0) return;
  const removals = notified.map(({ userId }) =>
    removalOf(
      notificationsByUser,
      { userId, listedAt, notificationId: singleId(tweetId, userId) },
      finalTime(listedAt),
    ),
  );
  await putAll(bulk(), removals);
  await putAll(bulk(), [partitionRemovalOf(notifiedByTweet, { tweetId })]);
}

/** Tells the author of an article of a comment. Repeating it changes nothing. */
export async function notifyOfComment(
  services: ListingServices,
  comment: CommentRow,
  articleAuthorId: string,
): Promise<void> {
  if (comment.authorId !== articleAuthorId)
    await list(services, comment.createdAt, [commentNotification(comment, articleAuthorId)]);
}

/** The notification that a comment makes for the author of the article. */
export function commentNotification(
  { commentId, authorId, createdAt }: CommentRow,
  userId: string,
): NewNotification {
  return {
    ...{ userId, kind: NotificationKind.COMMENT, listedAt: createdAt, subjectId: commentId },
    ...{ notificationId: singleId(commentId, userId), rootId: null, actorCount: 1 },
    actors: [encodeActor({ actorId: authorId, at: createdAt })],
  };
}

/** The write of a notification of a tweet or comment. Its time is that of its tweet, and so many microseconds, so that a deletion is later. */
export function singleWrite(row: NewNotification, { later = 0 } = {}): Write {
  return writeOf(notificationsByUser, row, { at: Number(row.listedAt) * 1000 + later });
}

async function list(
  { database, bulk, signals }: ListingServices,
  listedAt: Date,
  rows: readonly NewNotification[],
): Promise<void> {
  await putAll(
    bulk(),
    rows.map((row) => singleWrite(row)),
  );
  if (isLateArrival(listedAt))
    for (const { userId, notificationId } of rows) {
      const { query, params } = arrivalWrite(notificationsByUser.name, userId, 'row', notificationId);
      await database.write(query, params);
    }
  signals.publish(rows.map(({ userId }) => notificationTopic(userId)));
}
