import type { Database } from '../../kit/cassandra/database';
import { readMany } from '../../kit/reads/load';
import { MAX_MAGNITUDE, magnitudeOf } from '../../kit/base/magnitude';
import { followerCount } from '../../write/user/user-counts';
import { TOP_USER_SHARDS, topUsers, userCounts } from '../../features/user/user.table';
import { bestOf, MAX_RANKED, type RankedUser } from '../../features/ranking/best';

/** How many users are read from each partition at a time. */
const PAGE_ROWS = 32;

/** Finds the accounts with the most followers, by the counts that are shown. Reads only accounts that may be among them. */
export async function topAccounts(
  database: Database,
  stopping?: AbortSignal,
): Promise<readonly RankedUser[]> {
  let best: readonly RankedUser[] = [];
  for (let magnitude = MAX_MAGNITUDE; magnitude > 0; magnitude--) {
    for await (const userIds of usersOf(database, magnitude)) {
      stopping?.throwIfAborted();
      const keys = userIds.map((userId) => ({ userId }));
      const counts = await readMany(database, userCounts.get, keys);
      const scored = userIds.map((userId, index) => ({
        userId,
        score: followerCount(counts[index] ?? null),
      }));
      best = await bestOf(database, best, scored);
    }
    // A row may be one magnitude too low, so the next lower magnitude may still have users for the ranking.
    if (magnitudeOf(best[MAX_RANKED - 1]?.score ?? 0) > magnitude) break;
  }
  return best;
}

/** The users with rows of a magnitude, in pages. */
async function* usersOf(database: Database, magnitude: number): AsyncIterable<readonly string[]> {
  let keys: { shard: number; magnitude: number; after?: string[]; limit: number }[] = Array.from(
    { length: TOP_USER_SHARDS },
    (_, shard) => ({ shard, magnitude, limit: PAGE_ROWS }),
  );
  while (keys.length > 0) {
    const pages = await readMany(database, topUsers.page, keys);
    yield pages.flat().map(({ userId }) => userId);
    keys = pages.flatMap((page) => {
      const last = page.length < PAGE_ROWS ? undefined : page.at(-1);
      return last ? [{ shard: last.shard, magnitude, after: [last.userId], limit: PAGE_ROWS }] : [];
    });
  }
}
