import pino from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/kit/cassandra/database';
import { countAtVersion, writesOfUser } from '../../src/import/store/count-at-version';
import { countRows } from '../../src/kit/lists/count-rows';
import { writeOf } from '../../src/kit/cassandra/write';
import { userCounts } from '../../src/features/user/user.table';
import { tweetsByAuthor } from '../../src/features/tweet/tweet.lists';
import { postTweet } from '../../src/write/tweet/post-tweet';
import { taskHandlers } from '../../src/app';
import { openWriteServices, type WriteServices } from '../../src/write/write-services';
import { refreshUserCounts } from '../../src/write/user/user-counts';
import { ask, plain, post } from '../support/mutations';
import { server, tweetCount } from './tweets';

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
    await server.writeServices.outbox.idle();
    for (const shard of await shardsOf(tweetId)) shards.add(shard);
  }
  expect(shards.size).toBe(1);
  expect(await frequencyOf('sw')).toBe(5);
});

/** Posts as user 2 through a server whose rows of tweets are held up until `open` is called. */
async function postHeld() {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const database: Database = {
    ...server.database,
    async batch(writes, options) {
      if (writes.some(({ query }) => query.includes(' tweets_by_author '))) await gate;
      return server.database.batch(writes, options);
    },
  };
  const writeServices = await openWriteServices(database, server.config, pino({ level: 'silent' }));
  writeServices.outbox.start(taskHandlers(writeServices));
  const before = await counted();
  const draft = () => Promise.resolve({ ...plain, content: 'held' });
  const posting = postTweet(writeServices, '2', {
    key: null,
    content: null,
    inReplyToId: null,
    quotedTweetId: null,
    draft,
  });
  while ((await counted()) === before) await sleep(20);
  return { before, posting, open, close: () => endOf(writeServices) };
}

/** Ends a server with its tasks: another server would repeat one that is left, and show the count, while a later test runs. */
async function endOf({ outbox, close }: WriteServices): Promise<void> {
  await outbox.idle();
  await close();
}

/** How many tweets of user 2 the tally has. */
async function counted(): Promise<number> {
  return (await server.writeServices.tally.totals('2')).counts.get('tweets') ?? 0;
}

/** How many tweets user 2 is shown to have, and how many are in the list. */
async function shown() {
  const { user } = (await ask(
    server,
    '{ user(username: "user2") { tweetCount tweets { nodes { id } } } }',
  )) as {
    user: { tweetCount: number; tweets: { nodes: readonly unknown[] } };
  };
  return [user.tweetCount, user.tweets.nodes.length];
}

test('a tweet is counted for its author by one transaction, before which only the count shown is read', async () => {
  const asked: string[] = [];
  const note = (how: string, cql: string, params: readonly unknown[]) => {
    const [table] = /tallies|user_counts/.exec(cql) ?? [];
    if (table !== undefined && params.includes('2')) asked.push(`${how} ${table}`);
  };
  const database: Database = {
    ...server.database,
    read(cql, params, ...rest) {
      note('read', cql, params);
      return server.database.read(cql, params, ...rest);
    },
    write(cql, params) {
      note('write', cql, params);
      return server.database.write(cql, params);
    },
    compareAndWrite(writes) {
      for (const { query, params } of writes) note('transaction of', query, params);
      return server.database.compareAndWrite(writes);
    },
  };
  const writeServices = await openWriteServices(database, server.config, pino({ level: 'silent' }));
  writeServices.outbox.start(taskHandlers(writeServices));
  const [count = 0] = await shown();
  const draft = () => Promise.resolve({ ...plain, content: 'counted at once' });
  const names = { inReplyToId: null, quotedTweetId: null };
  await postTweet(writeServices, '2', { key: null, content: null, ...names, draft });
  // A membership and the count.
  expect(asked).toEqual(['read user_counts', 'transaction of tallies', 'transaction of tallies']);
  expect(await shown()).toEqual([count + 1, count + 1]);
  await endOf(writeServices);
});

test('a wrong guess of what is counted is noticed by the transaction', async () => {
  const { tally } = server.writeServices;
  const addAfter = async (member: string, count: number, version: number) => {
    const change = { owner: '9001', list: 'tweets', member, shard: 0, present: true };
    const changed = await tally.change(change, tally.guessAhead(change, Promise.resolve({ count, version })));
    return [changed.ofShard.count, changed.ofShard.version];
  };
  // Nothing was counted yet.
  expect(await addAfter('1', 7, 3)).toEqual([1, 1]);
  // The member is there already.
  expect(await addAfter('1', 1, 1)).toEqual([1, 1]);
  // The version is right, the count is not.
  expect(await addAfter('2', 5, 1)).toEqual([2, 2]);
  expect(await addAfter('3', 2, 2)).toEqual([3, 3]);
  expect((await tally.totals('9001')).counts.get('tweets')).toBe(3);
});

test('what is shown of an author does not decide what is counted', async () => {
  const { tally, outbox } = server.writeServices;
  await post(server, '3', { content: 'counted first' });
  const { counts, version } = await tally.totals('3');
  // Of two values with one write time Cassandra takes the greater.
  const wrong = writeOf(userCounts, { userId: '3', tweets: 50 }, { at: version });
  await server.database.write(wrong.query, wrong.params);
  expect(await tweetCount('3')).toBe(50);
  await post(server, '3', { content: 'counted right' });
  await outbox.idle();
  expect((await tally.totals('3')).counts.get('tweets')).toBe((counts.get('tweets') ?? 0) + 1);
  expect(await tweetCount('3')).toBe((counts.get('tweets') ?? 0) + 1);
});

test('a tweet is counted while its rows are stored, but the count is shown afterwards', async () => {
  const { before, posting, open, close } = await postHeld();
  const [count = 0] = await shown();
  await sleep(200);
  expect(await counted()).toBe(before + 1);
  expect(await shown()).toEqual([count, count]);
  open();
  await posting;
  expect(await shown()).toEqual([count + 1, count + 1]);
  await close();
});

test('an import finds the rows of a tweet that was counted before they were stored', async () => {
  const { posting, open, close } = await postHeld();
  const [count = 0] = await shown();
  // Another act of the same user shows what is counted.
  await refreshUserCounts(server.writeServices, '2');
  expect(await shown()).toEqual([count + 1, count]);
  const counting = countAtVersion(server.database, [{ userId: '2' }], writesOfUser, async () => [
    (await countRows(server.database, tweetsByAuthor, ['2'])).get('2'),
  ]);
  await sleep(500);
  open();
  await posting;
  const [found] = await counting;
  expect(found?.count).toBe(count + 1);
  expect(await shown()).toEqual([count + 1, count + 1]);
  await close();
});
