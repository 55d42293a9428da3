import { followersByUser, followingByUser } from '../../follow/follow.table';
import { relationTo } from '../../follow/relation';
import type { Database } from '../../kit/cassandra/database';
import { createLoad, readMany } from '../../kit/data/load';
import { bucketsOf } from '../../kit/data/buckets';
import { removalOf } from '../../kit/data/write';
import { userCounts } from '../../user/user.table';
import type { Touched } from './touched';
import type { Writer } from './writer';

/** More than anybody follows in a month. */
const MAX_BUCKET_ROWS = 1_000_000;

/**
 * Takes out of the lists what an import has brought of relations that were changed here: what was unfollowed here stays
 * so, and who follows since another time stands in the lists once. For users who have followed or unfollowed here.
 */
async function reconcileFollows(database: Database, writer: Writer, userId: string): Promise<void> {
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

/** Does so for those of some users who have followed or unfollowed here. */
export async function reconcile(
  database: Database,
  writer: Writer,
  touched: readonly Touched[],
): Promise<void> {
  const following = touched.filter((user) => user.following).map(({ userId }) => ({ userId }));
  const counts = await readMany(database, userCounts.get, following);
  for (const row of counts) if (row?.following != null) await reconcileFollows(database, writer, row.userId);
}
