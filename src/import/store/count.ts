import { followersByUser, followingByUser } from '../../features/follow/follow.lists';
import type { Database } from '../../kit/cassandra/database';
import { toSnakeCase } from '../../kit/cassandra/statement';
import type { StoredRow } from '../../kit/cassandra/table';
import { countRows, type CountableTable } from '../../kit/lists/count-rows';
import { tweetsByAuthor } from '../../features/tweet/tweet.lists';

/** From this many users on whole tables are read: a partition then costs a fifth of what it costs to read by key. */
const MIN_SCANNED_USERS = 10_000;
/** The greatest number of partitions for each user of a table that is read as a whole. */
const MAX_TABLE_RATIO = 5;

/** The lists of a user that are counted. */
export type CountedList = 'followers' | 'following' | 'tweets';

/**
 * Counts the rows of a list of each user; 0 if there are none. The users in `now` are counted at the time of the call;
 * the counts of others may be as old as the counter.
 */
export type Counter = (
  list: CountedList,
  userIds: readonly string[],
  now?: readonly string[],
) => Promise<ReadonlyMap<string, number>>;

/** Creates a counter for the rows of `users`: it reads by key if they are few, and whole tables if they are 10,000 or more. */
export async function createCounter(
  database: Database,
  users: { readonly size: number; has(userId: string): boolean },
): Promise<Counter> {
  const byKey = {
    followers: (ids: readonly string[]) => countRows(database, followersByUser, ids),
    following: (ids: readonly string[]) => countRows(database, followingByUser, ids),
    tweets: (ids: readonly string[]) => countRows(database, tweetsByAuthor, ids),
  };
  if (users.size >= MIN_SCANNED_USERS) {
    const [followers, following, tweets] = await Promise.all([
      scan(database, followersByUser, users),
      scan(database, followingByUser, users),
      scan(database, tweetsByAuthor, users),
    ]);
    if (followers && following && tweets) {
      const scanned = { followers, following, tweets };
      return async (list, userIds, now = []) =>
        new Map([
          ...userIds.map((userId) => [userId, scanned[list].get(userId) ?? 0] as const),
          ...(await byKey[list](now)),
        ]);
    }
  }
  return (list, userIds) => byKey[list](userIds);
}

/** Counts the rows of `users` by reading a whole table; null if it has too many partitions for that. */
async function scan<R extends StoredRow & { readonly isSplit: boolean | null }, O extends string>(
  database: Database,
  table: CountableTable<R, O>,
  users: { readonly size: number; has(userId: string): boolean },
): Promise<Map<string, number> | null> {
  const owner = toSnakeCase(table.owner);
  const cql = `SELECT CAST(${owner} AS text) AS id, bucket, CAST(COUNT(${toSnakeCase(table.clustering[0] ?? '')}) AS text) AS n FROM ${table.name} GROUP BY ${owner}, bucket`;
  const counts = new Map<string, number>();
  const split = new Set<string>();
  let partitions = 0;
  for await (const row of database.stream(cql, [])) {
    if (++partitions > users.size * MAX_TABLE_RATIO) return null;
    const { id, bucket, n } = row as { id: string; bucket: number; n: string };
    if (!users.has(id)) continue;
    counts.set(id, Number(n));
    if (bucket > 0) split.add(id);
  }
  // A row of a split list may be in several partitions.
  return new Map([...counts, ...(await countRows(database, table, [...split]))]);
}
