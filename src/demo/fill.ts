import type { Config } from '../config';
import { createStore } from '../import/store/store';
import type { Database } from '../kit/cassandra/database';
import { demoNetwork } from './network';
import { demoNews } from './news';
import { storeNews } from './store-news';

/** Stores the demo network and its news if the database has no users. If an earlier fill was interrupted, it is repeated. */
export async function fillWhenEmpty(
  database: Database,
  config: Pick<Config, 'fanoutPushLimit' | 'timelineRetentionMonths'>,
  onBegin: () => void,
): Promise<void> {
  const [done] = await database.run("SELECT file FROM migrations WHERE file = 'demo'");
  const [begun] = await database.run("SELECT file FROM migrations WHERE file = 'demo-begun'");
  const [anyUser] = await database.run('SELECT user_id FROM users LIMIT 1');
  if (done || (anyUser && !begun)) return;
  await database.run("INSERT INTO migrations (file) VALUES ('demo-begun')");
  onBegin();
  const store = createStore(database, config);
  await store.add([...demoNetwork()]);
  await store.settle();
  await storeNews(database, demoNews());
  await database.run("INSERT INTO migrations (file) VALUES ('demo')");
}
