import { shardOf } from '../../kit/base/shard-of';
import type { Database } from '../../kit/cassandra/database';
import { partitionRemovalOf, writeOf } from '../../kit/cassandra/write';
import { readFollowers } from '../../write/timeline/author-pages';
import { bestOf, type Scored } from '../../features/ranking/best';
import { rankingPairs } from '../../features/ranking/ranking.table';
import { countShards, type RankingRun } from './run';

/**
 * Finds the users who follow the most of a run's accounts, in constant memory: it writes the followers of each account to
 * `ranking_pairs`, which orders them by follower, and then counts the rows of each follower. Yields its state from time
 * to time; continuing from any of these states has the same result.
 */
export async function* topFollowers(database: Database, begun: RankingRun): AsyncIterable<RankingRun> {
  let run = begun;
  for await (run of writePairs(database, begun)) yield run;
  yield* countPairs(database, run);
}

/** How many rows one batch has: 3 KB. */
const ROWS_PER_BATCH = 50;

async function* writePairs(database: Database, begun: RankingRun): AsyncIterable<RankingRun> {
  const { takenAt, accounts } = begun;
  const shards = countShards(begun);
  let run = begun;
  for (; run.account < accounts.length; run = { ...run, account: run.account + 1, place: null }) {
    const { account, place: from } = run;
    for await (const page of readFollowers({ database }, accounts[account]?.userId ?? '', from)) {
      const pairs = page.map(({ followerId }) => {
        const shard = shardOf(followerId, shards);
        return { takenAt, shard, followerId, account };
      });
      // Sorted by shard, so that a batch has rows of few partitions.
      pairs.sort((one, other) => one.shard - other.shard);
      const batches: Promise<void>[] = [];
      for (let n = 0; n < pairs.length; n += ROWS_PER_BATCH) {
        const batch = pairs.slice(n, n + ROWS_PER_BATCH);
        batches.push(database.batch(batch.map((pair) => writeOf(rankingPairs, pair))));
      }
      await Promise.all(batches);
      const place = page.at(-1) ?? from;
      yield (run = { ...run, place, done: run.done + page.length });
    }
  }
  yield run;
}

const SCORES = `SELECT CAST(follower_id AS text) AS "userId", CAST(COUNT(*) AS text) AS score
  FROM ranking_pairs WHERE taken_at = ? AND shard = ? GROUP BY taken_at, shard, follower_id`;

/** How many followers are compared at a time. */
const CHUNK_ROWS = 2000;

async function* countPairs(database: Database, begun: RankingRun): AsyncIterable<RankingRun> {
  let run = begun;
  for (; run.shard < countShards(run); run = { ...run, shard: run.shard + 1 }) {
    let scored: Scored[] = [];
    const compare = async () => {
      const done = scored.reduce((sum, { score }) => sum + score, run.done);
      run = { ...run, followers: await bestOf(database, run.followers, scored), done };
      scored = [];
    };
    for await (const row of database.stream(SCORES, [run.takenAt, run.shard])) {
      const { userId, score } = row as { userId: string; score: string };
      scored.push({ userId, score: Number(score) });
      if (scored.length < CHUNK_ROWS) continue;
      await compare();
      yield run;
    }
    await compare();
    yield run;
  }
}

/** Removes the pairs that `topFollowers` wrote. */
export async function removePairs(database: Database, run: RankingRun): Promise<void> {
  for (let shard = 0; shard < countShards(run); shard++) {
    const { query, params } = partitionRemovalOf(rankingPairs, { takenAt: run.takenAt, shard });
    await database.write(query, params);
  }
}
