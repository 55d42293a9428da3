import type { Database, Write } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { createLoad } from '../../kit/data/load';
import { magnitudeOf } from '../../kit/base/magnitude';
import { shardOf } from '../../kit/base/shard-of';
import { writeOf } from '../../kit/data/write';
import type { WriteContext } from '../write-context';
import { TOP_USER_SHARDS, topUsers, userCounts } from '../../user/user.table';

/** Makes the counts that are shown of a user what the tallies say, and has rankings find the user by them. */
export async function refreshUserCounts(
  { database, tally }: Pick<WriteContext, 'database' | 'tally'>,
  userId: string,
): Promise<void> {
  const [{ counts, version }, before] = await Promise.all([
    tally.totals(userId),
    createLoad(database)(userCounts.get, { userId }),
  ]);
  if (version === 0) return;
  const row = {
    userId,
    followers: counts.get('followers') ?? 0,
    following: counts.get('following') ?? 0,
    tweets: counts.get('tweets') ?? 0,
  };
  const followers = (before?.followerCount ?? 0) + row.followers;
  // Before the count is shown, so that no ranking misses it.
  if (magnitudeOf(followers) !== magnitudeOf(followersIn(before)))
    for (const write of topUserRowsOf(userId, followers)) await database.write(write.query, write.params);
  // The greater version is the newer one, whoever writes last.
  const { query, params } = writeOf(userCounts, row, { at: version });
  await database.write(query, params);
}

/** How many follow a user: those that were imported and those that came or left since. */
export async function followerCountOf(database: Database, userId: string): Promise<number> {
  return followersIn(await createLoad(database)(userCounts.get, { userId }));
}

/** How many a user follows: those of imports and those of acts. */
export async function followingCountOf(database: Database, userId: string): Promise<number> {
  const row = await createLoad(database)(userCounts.get, { userId });
  return (row?.followingCount ?? 0) + (row?.following ?? 0);
}

/** The number of followers in a row of counts. */
export function followersIn(row: Row<typeof userCounts> | null): number {
  return (row?.followerCount ?? 0) + (row?.followers ?? 0);
}

/**
 * The row by which rankings find a user with so many followers; none where nobody follows. Those of earlier magnitudes
 * stay. Where an import and an act count at the same time, neither sees the other's part: then the row is that of the
 * greater part at least, which is half of the count, and so at most one magnitude behind.
 */
export function topUserRowsOf(userId: string, followers: number): Write[] {
  const magnitude = magnitudeOf(followers);
  const part = shardOf(userId, TOP_USER_SHARDS);
  return magnitude === 0 ? [] : [writeOf(topUsers, { part, magnitude, userId })];
}
