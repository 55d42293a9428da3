import type { Database } from '../../kit/cassandra/database';
import type { Lease } from '../../kit/writes/lease';
import { buckets, EVERYBODY, monthOf } from '../../kit/lists/buckets';
import { writeOf } from '../../kit/cassandra/write';
import { MAX_RANKED, rankings } from '../../features/ranking/ranking.table';
import { pairsIn, parseRun, createRun, type RankingRun } from './run';
import { removePairs, topFollowers } from './top-followers';
import { readMany } from '../../kit/reads/load';
import { MAX_MAGNITUDE, magnitudeOf } from '../../kit/base/magnitude';
import { followerCount, TOP_USER_SHARDS, topUsers, userCounts } from '../../features/user/user.table';
import { bestOf, type RankedUser } from '../../features/ranking/best';

/** The name of the lease that is held while rankings are taken. */
export const RANKINGS = 'rankings';

/** How often the state is stored in the lease. */
const CHECKPOINT_EVERY_MS = 1000;
/** An unfinished run is continued for at least so long, even if others are due. */
const SHORTEST_CONTINUED_MS = 3_600_000;
/** It is continued for no longer than this, because its first pairs expire a day after they were stored. */
const LONGEST_CONTINUED_MS = 12 * 3_600_000;

/** The parameters of taking rankings. */
interface Taking {
  readonly database: Database;
  /** Stops the work when it is aborted; the next holder of the lease continues it. */
  readonly stopping?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** How often rankings are taken, in milliseconds: an unfinished run is continued until others are due, but for twelve hours at most. */
  readonly everyMs?: number;
}

/**
 * Takes the rankings of top accounts and top followers, or continues an unfinished run until others are due: for at least one hour, and at
 * most twelve.
 * Resolves to the finished rankings. Rejects if another server holds the lease meanwhile.
 */
export async function takeRankings(taking: Taking, lease: Lease): Promise<RankingRun> {
  const { database, stopping, onProgress } = taking;
  let run = await beginRun(taking, lease);
  let storedAt = performance.now();
  for await (run of topFollowers(database, run)) {
    stopping?.throwIfAborted();
    onProgress?.(run.done, 2 * pairsIn(run));
    if (performance.now() - storedAt < CHECKPOINT_EVERY_MS) continue;
    await lease.keep(JSON.stringify(run));
    storedAt = performance.now();
  }
  // Throws if the lease was lost: another server may have removed pairs before they were counted here.
  await lease.keep(JSON.stringify(run));
  await publish(database, run);
  await removePairs(database, run);
  await lease.keep(null);
  return run;
}

async function beginRun({ database, stopping, everyMs = 0 }: Taking, lease: Lease): Promise<RankingRun> {
  if (lease.checkpoint !== null) {
    const unfinished = parseRun(lease.checkpoint);
    const continuedMs = Math.min(Math.max(SHORTEST_CONTINUED_MS, everyMs), LONGEST_CONTINUED_MS);
    if (Date.now() - Number(unfinished.takenAt) < continuedMs) return unfinished;
    await removePairs(database, unfinished);
  }
  const takenAt = new Date();
  const run = createRun(takenAt, await topAccounts(database, stopping));
  await lease.keep(JSON.stringify(run));
  return run;
}

/** Writes the rankings, unless those of that time are stored already. */
async function publish(database: Database, { takenAt, accounts, followers }: RankingRun): Promise<void> {
  const bucket = monthOf(takenAt);
  const month = writeOf(buckets, { owner: EVERYBODY, list: rankings.name, bucket });
  await database.write(month.query, month.params);
  const { query, params } = writeOf(rankings, {
    bucket,
    takenAt,
    accounts: accounts.map(({ userId }) => userId),
    accountScores: accounts.map(({ score }) => score),
    followers: followers.map(({ userId }) => userId),
    followerScores: followers.map(({ score }) => score),
  });
  await database.compareAndWrite([{ query: `${query} IF NOT EXISTS`, params }]);
}

/** How many users are read from each partition at a time. */
const PAGE_ROWS = 32;

/** Finds the accounts with the most followers, by the counts that are shown. Reads only accounts that may be among them. */
async function topAccounts(database: Database, stopping?: AbortSignal): Promise<readonly RankedUser[]> {
  let best: readonly RankedUser[] = [];
  for (let magnitude = MAX_MAGNITUDE; magnitude > 0; magnitude--) {
    for await (const userIds of readUsers(database, magnitude)) {
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
async function* readUsers(database: Database, magnitude: number): AsyncIterable<readonly string[]> {
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
