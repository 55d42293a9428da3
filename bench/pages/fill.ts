import { readConfig } from '../../src/config';
import { storeLikes } from '../../src/import/store/likes';
import { storeNews } from '../../src/import/store/news';
import { createStore } from '../../src/import/store/store';
import type { Database } from '../../src/kit/cassandra/database';
import { round, say } from '../measure';
import { randomFrom } from '../../src/kit/base/random';
import { generatePeople } from './generate';
import { generatePeoplesNews } from './generate-news';

/** How many records are given to the import at a time. */
const RECORDS_AT_ONCE = 5000;
const SEED = 23;

/**
 * Imports all kinds of people with about `tweets` tweets, and stores likes, articles and comments. Authors whom more than a quarter of the people
 * follow are pulled, so that timelines of both kinds are read.
 */
export async function storePeople(database: Database, env: NodeJS.ProcessEnv, tweets: number): Promise<void> {
  const [end, random] = [new Date(), randomFrom(SEED)];
  const { people, records, likes } = generatePeople(tweets, end, random);
  say(`Importing ${people} people with ${records.filter(({ kind }) => kind === 'tweet').length} tweets`);
  const started = performance.now();
  const store = createStore(database, { ...readConfig(env), fanoutPushLimit: Math.ceil(people / 4) });
  for (let n = 0; n < records.length; n += RECORDS_AT_ONCE)
    await store.add(records.slice(n, n + RECORDS_AT_ONCE));
  await store.settle();
  await storeLikes(database, likes);
  const users = records.flatMap((record) => (record.kind === 'user' ? (record.userId ?? '') : []));
  await storeNews(database, generatePeoplesNews(users, end, random));
  say(`Imported in ${round((performance.now() - started) / 1000, 0)} s`);
}
