import { followersByUser, followingByUser } from '../../features/follow/follow.lists';
import { relationTo } from '../../features/follow/relation';
import type { Database } from '../../kit/cassandra/database';
import { createLoad, readMany } from '../../kit/reads/load';
import { removalOf } from '../../kit/cassandra/write';
import { followeesOf } from '../../write/timeline/author-pages';
import { userCounts } from '../../features/user/user.table';
import type { Touched } from './touched';
import type { RowWriter } from '../../kit/writes/row-writer';

/**
 * Removes the imported list rows of relations that a user has changed here: an unfollow here stays an unfollow, and a
 * followee with another time here is in the lists only once.
 */
async function reconcileFollows(database: Database, writer: RowWriter, userId: string): Promise<void> {
  for await (const rows of followeesOf({ database }, userId)) {
    const load = createLoad(database);
    await Promise.all(
      rows.map(async ({ followeeId, followedAt }) => {
        const { follows, since, version } = await relationTo(load, userId, followeeId);
        if (version === 0 || (follows && since?.getTime() === followedAt.getTime())) return;
        await writer.put(removalOf(followingByUser, { userId, followedAt, followeeId }));
        await writer.put(removalOf(followersByUser, { userId: followeeId, followedAt, followerId: userId }));
      }),
    );
  }
}

/**
 * Removes imported follower and following rows that contradict what users have done here. Reads only the lists of
 * touched users who have followed or unfollowed somebody here.
 */
export async function reconcile(
  database: Database,
  writer: RowWriter,
  touched: readonly Touched[],
): Promise<void> {
  const following = touched.filter((user) => user.following).map(({ userId }) => ({ userId }));
  const counts = await readMany(database, userCounts.get, following);
  for (const row of counts) if (row?.following != null) await reconcileFollows(database, writer, row.userId);
}
