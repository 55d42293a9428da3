import { followersByUser, followingByUser } from '../../follow/follow.table';
import type { Database } from '../../kit/cassandra/database';
import type { Statement } from '../../kit/cassandra/statement';
import { readMany } from '../../kit/data/load';
import { MAX_LIST_BUCKETS, buckets } from '../../kit/data/buckets';
import { tweetsByAuthor } from '../../tweet/tweet.table';

/** From this many users on whole tables are read: a partition then costs a fifth of what it costs to read by key. */
const MIN_SCANNED_USERS = 10_000;
/** But if a table has more than this many times as many partitions as there are users, it is not read as a whole. */
const MAX_TABLE_RATIO = 5;

/** The lists of a user that are counted. */
export type Counted = 'followers' | 'following' | 'tweets';

/**
 * Counts the rows of a list of each user; 0 if there are none. The users in `now` are counted at the time of the call;
 * the counts of others may be as old as the counter.
 */
export type Counter = (
  list: Counted,
  userIds: readonly string[],
  now?: readonly string[],
) => Promise<ReadonlyMap<string, number>>;

/** Creates a counter for the rows of `users`: it reads by key if they are few, and whole tables if they are 10,000 or more. */
export async function createCounter(
  database: Database,
  users: { readonly size: number; has(userId: string): boolean },
): Promise<Counter> {
  const byKey = {
    followers: (ids: readonly string[]) =>
      countAll(database, followersByUser, ids, (userId, bucket) => ({ userId, bucket })),
    following: (ids: readonly string[]) =>
      countAll(database, followingByUser, ids, (userId, bucket) => ({ userId, bucket })),
    tweets: (ids: readonly string[]) =>
      countAll(database, tweetsByAuthor, ids, (authorId, bucket) => ({ authorId, bucket })),
  };
  if (users.size >= MIN_SCANNED_USERS) {
    const [followers, following, tweets] = await Promise.all([
      scan(database, followersByUser.name, 'user_id', users),
      scan(database, followingByUser.name, 'user_id', users),
      scan(database, tweetsByAuthor.name, 'author_id', users),
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

/** Counts the rows of a list of each owner in all its buckets. */
export async function countAll<Key>(
  database: Database,
  table: { readonly name: string; readonly count: Statement<Key, number> },
  owners: readonly string[],
  partitionOf: (owner: string, bucket: number) => Key,
): Promise<Map<string, number>> {
  const lists = owners.map((owner) => ({ owner, list: table.name, limit: MAX_LIST_BUCKETS }));
  const listBuckets = (await readMany(database, buckets.page, lists)).flat();
  const partitions = listBuckets.map(({ owner, bucket }) => partitionOf(owner, bucket));
  const rows = await readMany(database, table.count, partitions);
  const counts = new Map(owners.map((owner) => [owner, 0]));
  listBuckets.forEach(({ owner }, index) => counts.set(owner, (counts.get(owner) ?? 0) + (rows[index] ?? 0)));
  return counts;
}

/** Counts the rows of `users` by reading a whole table; null if it has too many partitions for that. */
async function scan(
  database: Database,
  table: string,
  owner: string,
  users: { readonly size: number; has(userId: string): boolean },
): Promise<Map<string, number> | null> {
  const cql = `SELECT CAST(${owner} AS text) AS id, CAST(COUNT(*) AS text) AS n FROM ${table} GROUP BY ${owner}, bucket`;
  const counts = new Map<string, number>();
  let partitions = 0;
  for await (const row of database.stream(cql, [])) {
    if (++partitions > users.size * MAX_TABLE_RATIO) return null;
    const { id, n } = row as { id: string; n: string };
    if (users.has(id)) counts.set(id, (counts.get(id) ?? 0) + Number(n));
  }
  return counts;
}
