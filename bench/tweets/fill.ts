import { readConfig } from '../../src/config';
import { createStore } from '../../src/import/store/store';
import type { ImportRecord } from '../../src/import/records/record';
import type { Database } from '../../src/kit/cassandra/database';
import { takeLease } from '../../src/kit/data/lease';
import { RANKINGS, takeRankings } from '../../src/jobs/rankings/take-rankings';
import { round, say } from '../measure';
import { generate, type Stretch } from './generate';

/** Records that are given to the import at a time. */
const AT_ONCE = 5000;

/** Imports a stretch of generated tweets with its people, settles it, and takes rankings. Says how fast each was. */
export async function fillTweets(
  database: Database,
  env: NodeJS.ProcessEnv,
  stretch: Stretch,
): Promise<void> {
  const tweets = stretch.to - stretch.from;
  say(`Importing ${tweets.toLocaleString('en')} generated tweets`);
  const started = performance.now();
  const store = createStore(database, readConfig(env));
  for (const some of inParts(generate(stretch), AT_ONCE)) await store.add(some);
  const added = performance.now();
  await store.settle();
  const settled = performance.now();
  await rank(database);
  const seconds = (from: number, to: number) => round((to - from) / 1000, 1);
  say(
    `Imported in ${seconds(started, added)} s, settled in ${seconds(added, settled)} s, ranked in ${seconds(settled, performance.now())} s: ${Math.round((tweets / (settled - started)) * 1000)} tweets/s`,
  );
}

async function rank(database: Database): Promise<void> {
  const lease = await takeLease(database, RANKINGS);
  if (lease === null) throw new Error('The lease of the rankings must be free, but another holds it.');
  try {
    await takeRankings({ database }, lease);
  } finally {
    await lease.release();
  }
}

function* inParts(records: Iterable<ImportRecord>, size: number): Iterable<ImportRecord[]> {
  let some: ImportRecord[] = [];
  for (const record of records) {
    some.push(record);
    if (some.length < size) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
