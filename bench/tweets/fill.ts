import { readConfig } from '../../src/config';
import { createStore } from '../../src/import/store/store';
import type { ImportRecord } from '../../src/import/records/record';
import type { Database } from '../../src/kit/cassandra/database';
import { takeLease } from '../../src/kit/writes/lease';
import { RANKINGS, takeRankings } from '../../src/jobs/rankings/take-rankings';
import { round, say } from '../measure';
import { generate, type GenerateOptions } from './generate';

/** How many records are given to the import at a time, as many as `importFile` does. */
const RECORDS_AT_ONCE = 20_000;

/**
 * Imports generated tweets with their people, settles them, and takes rankings. Prints how long each step took, and resolves to
 * the seconds of the import.
 */
export async function fillTweets(
  database: Database,
  env: NodeJS.ProcessEnv,
  options: GenerateOptions,
): Promise<number> {
  const { tweets } = options;
  say(`Importing ${tweets.toLocaleString('en')} generated tweets`);
  const started = performance.now();
  const store = createStore(database, readConfig(env));
  for (const chunk of inChunks(generate(options), RECORDS_AT_ONCE)) await store.add(chunk);
  const added = performance.now();
  await store.settle();
  const settled = performance.now();
  await rank(database);
  const seconds = (from: number, to: number) => round((to - from) / 1000, 1);
  say(
    `Imported in ${seconds(started, added)} s, settled in ${seconds(added, settled)} s, ranked in ${seconds(settled, performance.now())} s: ${Math.round((tweets / (settled - started)) * 1000)} tweets/s`,
  );
  return (settled - started) / 1000;
}

async function rank(database: Database): Promise<void> {
  const lease = await takeLease(database, RANKINGS);
  if (lease === null) throw new Error('The lease of the rankings must be free, but another server holds it.');
  try {
    await takeRankings({ database }, lease);
  } finally {
    await lease.release();
  }
}

function* inChunks(records: Iterable<ImportRecord>, size: number): Iterable<ImportRecord[]> {
  let chunk: ImportRecord[] = [];
  for (const record of records) {
    chunk.push(record);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
