import { singleId } from '../../features/notification/group-id';
import { notificationList } from '../../features/notification/notification-list';
import { notificationsByUser, notifiedByTweet } from '../../features/notification/notification.table';
import type { Database, Write } from '../../kit/cassandra/database';
import { removalOf } from '../../kit/cassandra/write';
import { listPages } from '../../kit/lists/list-pages';
import { createBulkWriter } from '../../kit/writes/bulk';
import { putAll } from '../../kit/writes/row-writer';
import { singlesIn } from './derived';
import { isSingleKind } from './recipients';

/** Something that a user has made. */
interface Made {
  readonly id: string;
  readonly createdAt: Date;
}

/**
 * Makes the notifications of tweets and comments name their author, whom an import has found out: somebody else had made them when they were
 * posted. They are dated after those that name the former author, and nobody is told of own ones.
 */
export async function renameActor(
  database: Database,
  authorId: string,
  made: readonly Made[],
): Promise<void> {
  const write = (writes: readonly Write[]) => putAll(createBulkWriter(database)(), writes);
  await write(
    made.flatMap(({ id, createdAt: listedAt }) => [
      removalOf(notifiedByTweet, { tweetId: id, userId: authorId }),
      removalOf(notificationsByUser, { userId: authorId, listedAt, notificationId: singleId(id, authorId) }),
    ]),
  );
  await write(
    await singlesIn(
      database,
      made.map(({ id }) => id),
      1,
    ),
  );
}

/** How many notifications are read at a time. */
const NOTIFICATIONS_AT_ONCE = 500;

/** Forgets which tweets have notified a user whose notifications are removed. */
export async function forgetRecipient(database: Database, userId: string): Promise<void> {
  const pages = listPages(database, (load) => notificationList(load, userId), NOTIFICATIONS_AT_ONCE);
  for await (const page of pages)
    await putAll(
      createBulkWriter(database)(),
      page.flatMap(({ kind, subjectId: tweetId }) =>
        isSingleKind(kind) ? [removalOf(notifiedByTweet, { tweetId, userId })] : [],
      ),
    );
}
