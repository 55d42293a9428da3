import type { Config } from '../config';
import { createStore } from '../import/store/store';
import type { Database } from '../kit/cassandra/database';
import { demoNetwork } from './network';
import { demoNews } from './news';
import { storeNews } from './store-news';

/** Fills the demo network and its news in where nobody is there yet; a fill that was cut off is done again. */
export async function fillWhenEmpty(
  database: Database,
  config: Pick<Config, 'fanoutPushLimit' | 'timelineRetentionMonths'>,
  onBegin: () => void,
): Promise<void> {
  const [done] = await database.run("SELECT file FROM migrations WHERE file = 'demo'");
  const [begun] = await database.run("SELECT file FROM migrations WHERE file = 'demo-begun'");
  const [somebody] = await database.run('SELECT user_id FROM users LIMIT 1');
  if (done || (somebody && !begun)) return;
  await database.run("INSERT INTO migrations (file) VALUES ('demo-begun')");
  onBegin();
  const store = createStore(database, config);
  await store.add([...demoNetwork()]);
  await store.settle();
  await storeNews(database, demoNews());
  await database.run("INSERT INTO migrations (file) VALUES ('demo')");
}
