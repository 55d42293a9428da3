import type { Database, Write } from '../../kit/cassandra/database';
import { createLoad } from '../../kit/reads/load';
import { magnitudeOf } from '../../kit/base/magnitude';
import { shardOf } from '../../kit/base/shard-of';
import { writeOf } from '../../kit/cassandra/write';
import { runShared } from '../../kit/base/shared-runs';
import type { WriteServices } from '../write-services';
import { followerCount, TOP_USER_SHARDS, topUsers, userCounts } from '../../features/user/user.table';

/**
 * Sets the counts shown of a user to those of the tallies, and stores the row by which rankings find the user. Resolves to whether the
 * number of followers has another magnitude than before.
 */
export function refreshUserCounts(writeServices: Counting, userId: string): Promise<boolean> {
  return runShared(writeServices.database, `user ${userId}`, null, () => refresh(writeServices, userId));
}

/** What counting needs. */
type Counting = Pick<WriteServices, 'database' | 'tally'>;

async function refresh({ database, tally }: Counting, userId: string): Promise<boolean> {
  const [{ counts, version }, before] = await Promise.all([
    tally.totals(userId),
    createLoad(database)(userCounts.get, { userId }),
  ]);
  if (version === 0) return false;
  const row = {
    userId,
    followers: counts.get('followers') ?? 0,
    following: counts.get('following') ?? 0,
    tweets: counts.get('tweets') ?? 0,
  };
  const followers = (before?.importedFollowers ?? 0) + row.followers;
  // Stored before the count is shown, so that no ranking misses the user.
  const isAnother = magnitudeOf(followers) !== magnitudeOf(followerCount(before));
  if (isAnother)
    for (const write of buildTopUserRows(userId, followers)) await database.write(write.query, write.params);
  // The version is the write timestamp: the newer totals win, in whatever order the writes come.
  const { query, params } = writeOf(userCounts, row, { at: version });
  await database.write(query, params);
  return isAnother;
}

/** How many followers a user has: the imported number, plus what mutations added. */
export async function readFollowerCount(database: Database, userId: string): Promise<number> {
  return followerCount(await createLoad(database)(userCounts.get, { userId }));
}

/** How many accounts a user follows: the imported number, plus what mutations added. */
export async function readFollowingCount(database: Database, userId: string): Promise<number> {
  const row = await createLoad(database)(userCounts.get, { userId });
  return (row?.importedFollowing ?? 0) + (row?.following ?? 0);
}

/**
 * The row by which rankings find a user with this many followers; none for a user without followers. Rows of earlier
 * magnitudes stay. If an import and a mutation count at the same time, neither sees what the other adds. Then the row has at
 * least the magnitude of the larger addend, which is half of the count: at most one magnitude too low.
 */
export function buildTopUserRows(userId: string, followers: number): Write[] {
  const magnitude = magnitudeOf(followers);
  const shard = shardOf(userId, TOP_USER_SHARDS);
  return magnitude === 0 ? [] : [writeOf(topUsers, { shard, magnitude, userId })];
}
