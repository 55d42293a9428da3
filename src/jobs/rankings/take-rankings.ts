import type { Database } from '../../kit/cassandra/database';
import type { Lease } from '../../kit/writes/lease';
import { buckets, EVERYBODY, monthOf } from '../../kit/lists/buckets';
import { writeOf } from '../../kit/cassandra/write';
import { rankings } from '../../features/ranking/ranking.table';
import { pairsIn, parseRun, runOf, type RankingRun } from './run';
import { topAccounts } from './top-accounts';
import { removePairs, topFollowers } from './top-followers';

/** The name of the lease that is held while rankings are taken. */
export const RANKINGS = 'rankings';

/** How often the state is stored in the lease. */
const CHECKPOINT_EVERY_MS = 1000;
/** An unfinished run older than this is not continued. */
const MAX_AGE_MS = 3_600_000;

/** The parameters of taking rankings. */
interface Taking {
  readonly database: Database;
  /** Stops the work when it is aborted; the next holder of the lease continues it. */
  readonly stopping?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Takes the rankings of top accounts and top followers, or continues those that were begun within the last hour.
 * Resolves to the finished rankings. Rejects if another server holds the lease meanwhile.
 */
export async function takeRankings(taking: Taking, lease: Lease): Promise<RankingRun> {
  const { database, stopping, onProgress } = taking;
  let run = await begin(taking, lease);
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

async function begin({ database, stopping }: Taking, lease: Lease): Promise<RankingRun> {
  if (lease.checkpoint !== null) {
    const unfinished = parseRun(lease.checkpoint);
    if (Date.now() - Number(unfinished.takenAt) < MAX_AGE_MS) return unfinished;
    await removePairs(database, unfinished);
  }
  const takenAt = new Date();
  const run = runOf(takenAt, await topAccounts(database, stopping));
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
