import pino from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/kit/cassandra/database';
import { snowflakeAt } from '../../src/kit/base/snowflake';
import { putAll } from '../../src/kit/data/row-writer';
import { minuteOf } from '../../src/frequency/frequency.table';
import { rowsOf } from '../../src/write/tweet/tweet-rows';
import { refreshFrequency } from '../../src/write/tweet/count-in-time';
import { post as postTweet } from '../../src/write/tweet/post-tweet';
import { openWriteContext } from '../../src/write/write-context';
import { act, ask, plain, post } from '../mutations';
import { server, tweetNode } from './tweets';

/** The shards of minutes in which a tweet is counted. */
async function shardsOf(tweetId: string): Promise<number[]> {
  const rows = await server.database.run(
    'SELECT CAST(owner AS text) AS owner, shard, CAST(member AS text) AS member FROM tallies',
  );
  return rows
    .filter((row) => row['member'] === tweetId && String(row['owner']).startsWith('-'))
    .map((row) => Number(row['shard']));
}

async function frequencyOf(language: string): Promise<number> {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const period = `from: "${day(-1)}T00:00:00Z", to: "${day(2)}T00:00:00Z"`;
  const { tweetFrequency } = (await ask(
    server,
    `{ tweetFrequency(${period}, unit: DAY, language: "${language}") { count } }`,
  )) as { tweetFrequency: { count: number }[] };
  return tweetFrequency.reduce((sum, { count }) => sum + count, 0);
}

test('a server counts all its tweets in one shard of each minute', async () => {
  const shards = new Set<number>();
  for (let n = 0; n < 5; n++) {
    const { tweetId } = await post(server, '1', { content: `in one shard ${n}`, language: 'sw' });
    await server.writeContext.outbox.idle();
    for (const shard of await shardsOf(tweetId)) shards.add(shard);
  }
  expect(shards.size).toBe(1);
  expect(await frequencyOf('sw')).toBe(5);
});

test('a tweet that an earlier version counted in another shard leaves the count once', async () => {
  const createdAt = new Date(Date.now() - 3_600_000);
  // Of server 1, so that the tweet would be counted in shard 1 now, and was in shard 2.
  const tweetId = snowflakeAt(createdAt, (1n << 12n) | 2n) ?? '';
  const tweet = { ...plain, tweetId, authorId: '1', content: 'earlier', createdAt, language: 'zu' };
  await putAll(server.writeContext.bulk(), rowsOf(tweet));
  const owner = String(-(2 ** 40) - minuteOf(createdAt));
  const member = { owner, list: 'zu', member: tweetId, present: true, at: createdAt };
  await server.writeContext.tally.change(member);
  await refreshFrequency(server.writeContext, createdAt, 'zu');
  expect(await frequencyOf('zu')).toBe(1);
  for (let n = 0; n < 2; n++) {
    await act(server, '1', 'deleteTweet', { id: tweetNode(tweetId) });
    await server.writeContext.outbox.idle();
    expect(await frequencyOf('zu')).toBe(0);
  }
});

test('a tweet is not counted before its rows are stored', async () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const database: Database = {
    ...server.database,
    async batch(writes, options) {
      if (writes.some(({ query }) => query.includes(' tweets_by_author '))) await gate;
      return server.database.batch(writes, options);
    },
  };
  const writeContext = await openWriteContext(database, server.config, pino({ level: 'silent' }));
  const count = async () => (await server.writeContext.tally.totals('2')).counts.get('tweets') ?? 0;
  const before = await count();
  const draft = () => Promise.resolve({ ...plain, content: 'held' });
  const posting = postTweet(writeContext, '2', { key: null, content: null, inReplyToId: null, draft });
  await sleep(300);
  expect(await count()).toBe(before);
  open();
  await posting;
  expect(await count()).toBe(before + 1);
  await writeContext.close();
});
