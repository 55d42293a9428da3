import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/kit/cassandra/database';
import { createGroupingWriter } from '../../src/kit/writes/grouping-writer';
import { writeOf } from '../../src/kit/cassandra/write';
import { rawTweets } from '../../src/features/tweet/tweet.table';
import { startHarness } from '../support/harness';

const CALLERS = 16;
const ROWS_PER_CALLER = 250;
const MAX_ROWS = 200;

test('all callers wait while collected rows wait, so their number is bounded', async () => {
  const server = await startHarness();
  let sent = 0;
  const database: Database = {
    ...server.database,
    async batch(writes, options) {
      sent += writes.length;
      await sleep(10);
      await server.database.batch(writes, options);
    },
  };
  const writer = createGroupingWriter(database, { maxRows: MAX_ROWS });
  let put = 0;
  let most = 0;
  // A row of that size is a batch of its own, so that few rows are on their way.
  const raw = 'long'.repeat(1000);
  const call = async (caller: number) => {
    for (let n = 0; n < ROWS_PER_CALLER; n++) {
      await writer.put(writeOf(rawTweets, { tweetId: String(caller * ROWS_PER_CALLER + n), raw }));
      most = Math.max(most, ++put - sent);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
  await writer.flush();
  expect(sent).toBe(CALLERS * ROWS_PER_CALLER);
  // Those that are being sent, and those that wait for them.
  expect(most).toBeGreaterThan(MAX_ROWS);
  expect(most).toBeLessThanOrEqual(2 * MAX_ROWS + CALLERS);
  const [row] = await database.read('SELECT COUNT(*) AS n FROM raw_tweets', []);
  expect(Number(Reflect.get(row ?? {}, 'n'))).toBe(sent);
});
