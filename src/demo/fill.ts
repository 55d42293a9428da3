import type { Config } from '../config';
import { storeLikes } from '../import/store/likes';
import { storeNews } from '../import/store/news';
import { createStore } from '../import/store/store';
import type { Database } from '../kit/cassandra/database';
import { demoConversation } from './conversation';
import { demoLikes } from './likes';
import { ADA, demoNetwork } from './network';
import { demoNews } from './news';
import { storeBookmarks } from './store-bookmarks';
import { storeHidden } from './store-hidden';

/** How many records are stored at a time. */
const RECORDS_AT_ONCE = 1000;
/** How often a fill that takes long tells how far it is. */
const TELL_EVERY_MS = 5000;

/**
 * Stores the demo network, its likes and its news if the database has no users. If an earlier fill was interrupted, it is repeated.
 * `tell` is given a line at the beginning, and every few seconds one that says how far it is.
 */
export async function fillWhenEmpty(
  database: Database,
  config: Pick<Config, 'fanoutPushLimit' | 'timelineRetentionMonths'>,
  tell: (line: string) => void,
): Promise<void> {
  const [done] = await database.run("SELECT file FROM migrations WHERE file = 'demo'");
  const [begun] = await database.run("SELECT file FROM migrations WHERE file = 'demo-begun'");
  const [anyUser] = await database.run('SELECT user_id FROM users LIMIT 1');
  if (done || (anyUser && !begun)) return;
  await database.run("INSERT INTO migrations (file) VALUES ('demo-begun')");
  tell('storing the demo network: 500 people, 5,000 tweets, 60 articles');
  const tellNow = throttled(tell);
  const store = createStore(database, config);
  const people = [...demoNetwork()];
  const network = [...people, ...demoConversation(people)];
  for (let n = 0; n < network.length; n += RECORDS_AT_ONCE) {
    await store.add(network.slice(n, n + RECORDS_AT_ONCE));
    tellNow('people, follows and tweets', Math.min(n + RECORDS_AT_ONCE, network.length), network.length);
  }
  await store.settle(tellNow);
  await storeLikes(database, demoLikes(network), (stored, total) => {
    tellNow('likes', stored, total);
  });
  await storeBookmarks(database, network);
  await storeHidden(database, network, ADA);
  await storeNews(database, demoNews());
  await database.run("INSERT INTO migrations (file) VALUES ('demo')");
}

/** Lets no later start complete an interrupted fill: the database is for other data now. */
export async function forgetBegunFill(database: Database): Promise<void> {
  await database.run("DELETE FROM migrations WHERE file = 'demo-begun'");
}

/** Creates a function that tells how far a part of the fill is, not more often than every few seconds. */
function throttled(tell: (line: string) => void): (what: string, done: number, total: number) => void {
  let next = performance.now() + TELL_EVERY_MS;
  return (what, done, total) => {
    if (performance.now() < next) return;
    next = performance.now() + TELL_EVERY_MS;
    tell(`storing the demo network: ${Math.floor((100 * done) / total)} % of ${what}`);
  };
}
