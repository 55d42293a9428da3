import { readFollowees } from '../../write/timeline/author-pages';
import { followeeWrites } from '../../write/user-search/followees';
import { indexUsers } from '../../write/user-search/index-users';
import type { Database } from '../../kit/cassandra/database';
import type { RowWriter } from '../../kit/writes/row-writer';
import type { Touched } from './touched';

/** How many new people are remembered; if there are more, all users are indexed. */
const MAX_REMEMBERED = 300_000;
/** How many users are indexed at a time. */
const USERS_AT_ONCE = 1000;
/** Of how many users at a time the names of their followees are stored. */
const FOLLOWERS_AT_ONCE = 16;

/** The people whom an import has written or removed, until they are found by their names. */
interface NewPeople {
  /** Resolves to whether they are still few enough to be remembered. */
  add(userIds: Iterable<string>): boolean;
  /** Makes them be found by their names. */
  index(database: Database): Promise<void>;
}

/** Creates an empty set of people. */
export function createNewPeople(): NewPeople {
  const added = new Set<string>();
  let areFew = true;
  return {
    add(userIds) {
      if (areFew) for (const userId of userIds) added.add(userId);
      areFew = areFew && added.size <= MAX_REMEMBERED;
      if (!areFew) added.clear();
      return areFew;
    },
    async index(database) {
      const all = [...added];
      added.clear();
      areFew = true;
      for (let n = 0; n < all.length; n += USERS_AT_ONCE)
        await indexUsers(database, all.slice(n, n + USERS_AT_ONCE));
    },
  };
}

/** Makes users whose numbers of followers have changed be found in their order, and those whom users follow by their names. */
export async function settleSearch(
  database: Database,
  writer: RowWriter,
  touched: readonly Touched[],
): Promise<void> {
  await indexUsers(
    database,
    touched.filter(({ followers }) => followers).map(({ userId }) => userId),
  );
  const followers = touched.filter(({ following }) => following);
  for (let n = 0; n < followers.length; n += FOLLOWERS_AT_ONCE)
    await Promise.all(
      followers.slice(n, n + FOLLOWERS_AT_ONCE).map(({ userId }) => storeFollowees(database, writer, userId)),
    );
}

/** Stores the names of those whom a user follows. */
async function storeFollowees(database: Database, writer: RowWriter, userId: string): Promise<void> {
  for await (const page of readFollowees({ database }, userId)) {
    const follows = page.map(({ followeeId, followedAt }) => ({
      ...{ follower: userId, followee: followeeId },
      relation: { follows: true, at: followedAt, version: 0 },
    }));
    for (const write of await followeeWrites(database, follows)) await writer.put(write);
  }
}
