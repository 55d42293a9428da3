import type { Database } from '../kit/cassandra/database';
import type { Row } from '../kit/cassandra/table';
import { createLoad } from '../kit/load';
import { writeOf } from '../kit/write';
import type { Writing } from '../writing';
import { userCounts } from './user.table';

/** Makes the counts that are shown of a user what the tallies say. */
export async function refreshUserCounts({ database, tally }: Writing, userId: string): Promise<void> {
  const { counts, version } = await tally.totals(userId);
  if (version === 0) return;
  const row = {
    userId,
    followers: counts.get('followers') ?? 0,
    following: counts.get('following') ?? 0,
    tweets: counts.get('tweets') ?? 0,
  };
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
