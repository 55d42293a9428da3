import { shardOf } from '../../kit/base/shard-of';
import type { Database } from '../../kit/cassandra/database';
import { clearanceOf, writeOf } from '../../kit/data/write';
import { followersOf } from '../../write/timeline/walk';
import { bestOf, type Scored } from '../../ranking/best';
import { rankingPairs } from '../../ranking/ranking.table';
import { partsOf, type RankingRun } from './run';

/**
 * Finds who follows most of a run's accounts, with flat memory: writes each account's followers down, which orders them by
 * follower, and counts how often each is there. Yields how far it is: whoever goes on from there comes to the same end.
 */
export async function* topFollowers(database: Database, begun: RankingRun): AsyncIterable<RankingRun> {
  let run = begun;
  for await (run of writePairs(database, begun)) yield run;
  yield* countPairs(database, run);
}

/** How many rows go out in one batch: 3 KB. */
const ROWS_PER_BATCH = 50;

async function* writePairs(database: Database, begun: RankingRun): AsyncIterable<RankingRun> {
  const { takenAt, accounts } = begun;
  const parts = partsOf(begun);
  let run = begun;
  for (; run.account < accounts.length; run = { ...run, account: run.account + 1, place: null }) {
    const { account, place: from } = run;
    for await (const page of followersOf({ database }, accounts[account]?.userId ?? '', from)) {
      const pairs = page.map(({ followerId }) => {
        const part = shardOf(followerId, parts);
        return { takenAt, part, followerId, account };
      });
      // Those of a part together, so that batches touch few partitions.
      pairs.sort((one, other) => one.part - other.part);
      const batches: Promise<void>[] = [];
      for (let n = 0; n < pairs.length; n += ROWS_PER_BATCH) {
        const some = pairs.slice(n, n + ROWS_PER_BATCH);
        batches.push(database.batch(some.map((pair) => writeOf(rankingPairs, pair))));
      }
      await Promise.all(batches);
      const place = page.at(-1) ?? from;
      yield (run = { ...run, place, done: run.done + page.length });
    }
  }
  yield run;
}

const SCORES = `SELECT CAST(follower_id AS text) AS "userId", CAST(COUNT(*) AS text) AS score
  FROM ranking_pairs WHERE taken_at = ? AND part = ? GROUP BY taken_at, part, follower_id`;

/** How many followers are compared at a time. */
const CHUNK_ROWS = 2000;

async function* countPairs(database: Database, begun: RankingRun): AsyncIterable<RankingRun> {
  let run = begun;
  for (; run.part < partsOf(run); run = { ...run, part: run.part + 1 }) {
    let some: Scored[] = [];
    const compare = async () => {
      const done = some.reduce((sum, { score }) => sum + score, run.done);
      run = { ...run, followers: await bestOf(database, run.followers, some), done };
      some = [];
    };
    for await (const row of database.stream(SCORES, [run.takenAt, run.part])) {
      const { userId, score } = row as { userId: string; score: string };
      some.push({ userId, score: Number(score) });
      if (some.length < CHUNK_ROWS) continue;
      await compare();
      yield run;
    }
    await compare();
    yield run;
  }
}

/** Removes what was written down to find them. */
export async function removePairs(database: Database, run: RankingRun): Promise<void> {
  for (let part = 0; part < partsOf(run); part++) {
    const { query, params } = clearanceOf(rankingPairs, { takenAt: run.takenAt, part });
    await database.write(query, params);
  }
}
