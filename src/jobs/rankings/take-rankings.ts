import type { Database } from '../../kit/cassandra/database';
import type { Lease } from '../../kit/data/lease';
import { buckets, EVERYBODY, monthOf } from '../../kit/data/buckets';
import { writeOf } from '../../kit/data/write';
import { rankings } from '../../ranking/ranking.table';
import { pairsIn, parseRun, runOf, type RankingRun } from './run';
import { topAccounts } from './top-accounts';
import { removePairs, topFollowers } from './top-followers';

/** The lease of whoever takes rankings. */
export const RANKINGS = 'rankings';

/** Milliseconds after which how far it is is kept, and after which nobody goes on with what was left. */
const CHECKPOINT_EVERY_MS = 1000;
const MAX_AGE_MS = 3_600_000;

/** What taking rankings needs. */
export interface Taking {
  readonly database: Database;
  /** Ends it when it is aborted; whoever takes the lease next goes on. */
  readonly stopping?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Takes both rankings, or goes on with those that another began within the last hour; resolves to what was taken. */
export async function takeRankings(taking: Taking, lease: Lease): Promise<RankingRun> {
  const { database, stopping, onProgress } = taking;
  let run = await begin(taking, lease);
  let kept = performance.now();
  for await (run of topFollowers(database, run)) {
    stopping?.throwIfAborted();
    onProgress?.(run.done, 2 * pairsIn(run));
    if (performance.now() - kept < CHECKPOINT_EVERY_MS) continue;
    await lease.keep(JSON.stringify(run));
    kept = performance.now();
  }
  // Who lost the lease meanwhile may have found less: what was written down may be gone.
  await lease.keep(JSON.stringify(run));
  await publish(database, run);
  await removePairs(database, run);
  await lease.keep(null);
  return run;
}

async function begin({ database, stopping }: Taking, lease: Lease): Promise<RankingRun> {
  if (lease.progress !== null) {
    const left = parseRun(lease.progress);
    if (Date.now() - Number(left.takenAt) < MAX_AGE_MS) return left;
    await removePairs(database, left);
  }
  const takenAt = new Date();
  const run = runOf(takenAt, await topAccounts(database, stopping));
  await lease.keep(JSON.stringify(run));
  return run;
}

/** Writes rankings once: what is there already stays. */
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
