import { followersByUser, followingByUser } from '../../follow/follow.table';
import { relationTo } from '../../follow/relation';
import type { Database } from '../../kit/cassandra/database';
import { createLoad, readMany } from '../../kit/data/load';
import { bucketsOf } from '../../kit/data/buckets';
import { removalOf } from '../../kit/data/write';
import { userCounts } from '../../user/user.table';
import type { Touched } from './touched';
import type { RowWriter } from '../../kit/data/row-writer';

/** More than anybody follows in a month, which is a bucket. */
const MAX_BUCKET_ROWS = 1_000_000;

/**
 * Removes the imported list rows of relations that a user has changed here: an unfollow here stays an unfollow, and a
 * followee with another time here is in the lists only once.
 */
async function reconcileFollows(database: Database, writer: RowWriter, userId: string): Promise<void> {
  const buckets = await bucketsOf(createLoad(database), [{ list: followingByUser.name, owner: userId }]);
  for (const bucket of buckets) {
    const load = createLoad(database);
    const rows = await load(followingByUser.page, { userId, bucket, limit: MAX_BUCKET_ROWS });
    await Promise.all(
      rows.map(async ({ followeeId, followedAt }) => {
        const { follows, since, turn } = await relationTo(load, userId, followeeId);
        if (turn === 0 || (follows && since?.getTime() === followedAt.getTime())) return;
        await writer.put(removalOf(followingByUser, { userId, bucket, followedAt, followeeId }));
        await writer.put(
          removalOf(followersByUser, { userId: followeeId, bucket, followedAt, followerId: userId }),
        );
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
