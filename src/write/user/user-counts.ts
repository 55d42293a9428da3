import { writtenAt } from '../../kit/cassandra/column';
import type { Database, Write } from '../../kit/cassandra/database';
import { getStatement, type Statement } from '../../kit/cassandra/statement';
import type { Row } from '../../kit/cassandra/table';
import { createLoad } from '../../kit/reads/load';
import { magnitudeOf, magnitudes } from '../../kit/base/magnitude';
import { shardOf } from '../../kit/base/shard-of';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import { runShared } from '../../kit/base/shared-runs';
import { OWNERS_SHARD, type Change, type ShardCount } from '../../kit/work/tally';
import type { WriteServices } from '../write-services';
import { followerCount, TOP_USER_SHARDS, topUsers, userCounts } from '../../features/user/user.table';

/** The services by which a user's acts are counted. */
type Counting = Pick<WriteServices, 'database' | 'tally'>;

/**
 * Sets the counts shown of a user to those of the tallies, and stores the row by which rankings find the user. Resolves to whether the
 * number of followers has another magnitude than before.
 */
export function refreshUserCounts(writeServices: Counting, userId: string): Promise<boolean> {
  return runShared(writeServices.database, `user ${userId}`, null, () => refresh(writeServices, userId));
}

async function refresh({ database, tally }: Counting, userId: string): Promise<boolean> {
  const [{ counts, versions }, before] = await Promise.all([
    tally.totals(userId),
    createLoad(database)(userCounts.get, { userId }),
  ]);
  const totalOf = (list: string) => ({ count: counts.get(list) ?? 0, version: versions.get(list) ?? 0 });
  const followers = totalOf('followers');
  const sum = (before?.importedFollowers ?? 0) + followers.count;
  // Stored before the count is shown, so that no ranking misses the user.
  const isAnother = followers.version > 0 && magnitudeOf(sum) !== magnitudeOf(followerCount(before));
  if (isAnother)
    for (const write of buildTopUserRows(userId, sum)) await database.write(write.query, write.params);
  const shown = [
    ...showWrites(userId, 'followers', followers),
    ...showWrites(userId, 'following', totalOf('following')),
    ...showWrites(userId, 'tweets', totalOf('tweets')),
  ];
  if (shown.length > 0) await database.batch(shown);
  return isAnother;
}

/** The write of a count, which nobody has changed if it has no version. The version is the write timestamp: the newer count wins, in whatever order they come. */
function showWrites(
  userId: string,
  column: 'followers' | 'following' | 'tweets',
  { count, version }: ShardCount,
): Write[] {
  return version === 0 ? [] : [writeOf(userCounts, { userId, [column]: count }, { at: version })];
}

/** The change by which a tweet is counted for its author, or no longer. */
export function tweetsChange(change: Omit<Change, 'list' | 'shard'>): Change {
  return { ...change, list: 'tweets', shard: OWNERS_SHARD };
}

/** The writes that set the count shown of a user's tweets to what came of such a change. */
export function tweetCountWrites(userId: string, counted: ShardCount): Write[] {
  return showWrites(userId, 'tweets', counted);
}

const countsOfAuthor: Statement<
  { userId: string },
  (Row<typeof userCounts> & { readonly tweetsAt: string | null }) | null
> = getStatement({
  ...userCounts,
  columns: { ...userCounts.columns, tweetsAt: writtenAt('tweets') },
});

/**
 * Reads the shown counts of an author, which also tell about the author's list of tweets: it has the tweet that was shown last, unless that
 * is on its way.
 */
export async function readAuthorCounts(
  database: Database,
  userId: string,
): Promise<{ readonly shown: Row<typeof userCounts>; readonly tweets: ShardCount }> {
  const row = await createLoad(database)(countsOfAuthor, { userId });
  const { tweetsAt, ...shown } = row ?? { ...NO_COUNTS, userId };
  return { shown, tweets: { count: shown.tweets ?? 0, version: Number(tweetsAt) } };
}

const NO_COUNTS = {
  ...{ importedFollowers: null, importedFollowing: null, importedTweets: null },
  ...{ followers: null, following: null, tweets: null, tweetsAt: null },
};

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

/**
 * The removals of those rows for a user with these counts, who may have lost followers here, but at most half of them. Magnitudes that the
 * user has not reached are left out: tombstones in their small partitions would slow every ranking.
 */
export function buildTopUserRemovals(userId: string, counts: Row<typeof userCounts> | null): Write[] {
  const reached = magnitudeOf(followerCount(counts)) + (counts?.followers == null ? 0 : 1);
  const shard = shardOf(userId, TOP_USER_SHARDS);
  return magnitudes
    .filter((magnitude) => magnitude <= reached)
    .map((magnitude) => removalOf(topUsers, { shard, magnitude, userId }));
}
