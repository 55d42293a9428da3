import type { Config } from '../config';
import { createStore } from '../import/store/store';
import type { Database } from '../kit/cassandra/database';
import { demoLikes } from './likes';
import { demoNetwork } from './network';
import { demoNews } from './news';
import { storeLikes } from './store-likes';
import { storeNews } from './store-news';

/** Stores the demo network, its likes and its news if the database has no users. If an earlier fill was interrupted, it is repeated. */
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
  const network = [...demoNetwork()];
  await store.add(network);
  await store.settle();
  await storeLikes(database, demoLikes(network));
  await storeNews(database, demoNews());
  await database.run("INSERT INTO migrations (file) VALUES ('demo')");
}
