import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/kit/cassandra/database';
import { createLoad } from '../../src/kit/reads/load';
import { createReadCache } from '../../src/kit/reads/read-cache';
import { createReadLog } from '../../src/kit/graphql/explain';
import type { TweetRecord } from '../../src/import/records/record';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { RENEWED_EVERY_MS, cachedTweets } from '../../src/features/tweet/tweet-invalidations';
import {
  cachedTweetCounts,
  MAX_INVALIDATIONS_READ,
  TWEETS_PER_ROW,
} from '../../src/features/tweet/tweet.table';
import { tweets } from '../../src/features/tweet/tweet.table';
import { deleteTweet } from '../../src/write/tweet/delete-tweet';
import { invalidateTweets, keepInvalidating } from '../../src/write/tweet/invalidate-tweet';
import { tweet } from '../support/harness';
import { act } from '../support/mutations';
import { far, keptIn, near, TWEETS, until } from './network';

const [first = '', tweetId = ''] = TWEETS;
const MINUTE_MS = 60_000;

/**
 * Reads two tweets and counts as requests do, of which each has a `load`, from a cache that keeps other results for an instant
 * only. The second tweet is read when the request knows already which tweets were deleted. Resolves to which reads were answered from the cache.
 */
function reader(database: Database = near.database) {
  const cache = createReadCache(1e-9);
  return async () => {
    const load = createLoad(database, undefined, undefined, { cache, mayUse: () => Promise.resolve(true) });
    const isKept = async (read: () => Promise<unknown>) => {
      const before = cache.counts().hits;
      expect(await read()).not.toBeNull();
      return cache.counts().hits > before;
    };
    const kept = {
      first: await isKept(() => load(cachedTweets, { tweetId: first })),
      second: await isKept(() => load(cachedTweets, { tweetId })),
    };
    await load(cachedTweetCounts, { tweetId });
    return kept;
  };
}

const invalidate = (tweetId: string, at?: Date) => invalidateTweets(near.database, [tweetId], at);
/** How many rows of invalidations there are, and those of some tweets. A row also has tweets from before the table was emptied. */
const invalidations = async (of: RegExp = /./) => {
  const rows = await near.database.run('SELECT tweet_ids FROM tweet_invalidations');
  const ids = rows.flatMap((row) => row['tweet_ids'] as string[]).sort();
  return { rows: rows.length, ids: ids.filter((id) => of.test(id)) };
};

/** Runs work with the beginning of a minute in which it ends: it is repeated if another minute has begun. */
async function inOneMinute(work: (minute: number) => Promise<void>): Promise<void> {
  for (;;) {
    const minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    await near.database.run('TRUNCATE tweet_invalidations');
    const done = await work(minute).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (Date.now() >= minute + MINUTE_MS) continue;
    if (done === null) return;
    throw done.error;
  }
}

beforeEach(async () => {
  await near.database.run('TRUNCATE tweet_invalidations');
});

test('tweets are kept for longer than counts, but not once they are invalidated', async () => {
  const read = reader();
  expect(await read()).toEqual({ first: false, second: false });
  expect(await read()).toEqual({ first: true, second: true });
  await invalidate('999');
  expect(await read()).toEqual({ first: true, second: true });
  await invalidate(tweetId);
  expect(await read()).toEqual({ first: true, second: false });
});

test('tweets that are kept are read along with others, unless the server has just looked what has changed', async () => {
  const createReader = (seconds: number) => {
    const cache = createReadCache(seconds);
    return async (...ids: string[]) => {
      const log = createReadLog();
      const mayUse = () => Promise.resolve(true);
      const load = createLoad(near.database, log, undefined, { cache, mayUse });
      await Promise.all(ids.map((id) => load(cachedTweets, { tweetId: id })));
      return log.reads.map(({ table, keys, cached = false }) => [table, keys, cached]).sort();
    };
  };
  const many = Array.from({ length: 51 }, (_, n) => String(7000 + n));
  await near.store(many.map((id) => tweet(id, '3', 5)));
  const read = createReader(1e-9);
  await read(...many);
  expect(await read('404', ...many.slice(1))).toEqual([['tweets', 51, false]]);
  const changed = ['tweet_invalidations', 4, false];
  expect(await read(...many)).toEqual([changed, ['tweets', 51, true]]);
  expect(await read('404', ...many)).toEqual([changed, ['tweets', 1, false], ['tweets', 51, true]]);
  await until(async () => {
    const readSoon = createReader(0.1);
    await readSoon(first);
    await sleep(101);
    expect(await readSoon(first)).toEqual([changed, ['tweets', 1, true]]);
    // On a busy machine, that is no longer kept.
    const reads = await readSoon('404', first);
    return reads.length === 2 && reads.every(([table, keys]) => table === 'tweets' && keys === 1);
  });
});

test.each([
  [-3, true],
  [-2, false],
  [-1, false],
  [0, false],
  [1, false],
  [2, true],
])('an invalidation of %d minutes from now: kept %p', async (minutes, isKept) => {
  await inOneMinute(async (minute) => {
    const read = reader();
    await read();
    await invalidate(tweetId, new Date(minute + minutes * MINUTE_MS));
    expect(await read()).toEqual({ first: true, second: isKept });
  });
});

test('1,000 deletions in a minute, at once or one after another, leave other tweets in the memory of servers', async () => {
  await inOneMinute(async (minute) => {
    const read = reader();
    await read();
    const at = new Date(minute);
    await Promise.all(Array.from({ length: 500 }, (_, n) => invalidate(String(1000 + n), at)));
    for (let n = 500; n < 1000; n++) await invalidate(String(1000 + n), at);
    const { rows, ids } = await invalidations(/^[1-9][0-9]{3}$/);
    expect(new Set(ids).size).toBe(1000);
    expect(rows).toBeLessThanOrEqual(1000 / TWEETS_PER_ROW + 2);
    expect(await read()).toEqual({ first: true, second: true });
    await invalidate(tweetId, at);
    expect(await read()).toEqual({ first: true, second: false });
  });
});

test('nothing is kept for longer while more tweets are deleted than are looked at', async () => {
  await inOneMinute(async (minute) => {
    const read = reader();
    await read();
    const most = MAX_INVALIDATIONS_READ * TWEETS_PER_ROW;
    const many = Array.from({ length: most + 500 }, (_, n) => String(1000 + n));
    await invalidateTweets(near.database, many, new Date(minute));
    expect((await invalidations()).rows).toBe(MAX_INVALIDATIONS_READ);
    expect(await read()).toEqual({ first: false, second: false });
  });
});

test('a tweet for which there are too many is invalidated only when their rows are stored, also after a failure', async () => {
  await inOneMinute(async (minute) => {
    const gate = new AbortController();
    const opened = once(gate.signal, 'abort');
    let isDown = false;
    const database: Database = {
      ...near.database,
      async write(...write) {
        if (isDown) throw new Error('unavailable');
        await opened;
        await near.database.write(...write);
      },
    };
    const many = (count: number) => Array.from({ length: count }, (_, n) => String(1000 + n));
    const most = MAX_INVALIDATIONS_READ * TWEETS_PER_ROW;
    const at = new Date(minute);
    isDown = true;
    await expect(invalidateTweets(database, many(TWEETS_PER_ROW), at)).rejects.toThrow('unavailable');
    isDown = false;
    const others = invalidateTweets(database, many(most).slice(TWEETS_PER_ROW), at);
    let isInvalidated = false;
    const last = invalidateTweets(database, [tweetId], at).then(() => (isInvalidated = true));
    await sleep(20);
    expect(isInvalidated).toBe(false);
    gate.abort();
    await Promise.all([others, last]);
    expect((await invalidations()).rows).toBe(MAX_INVALIDATIONS_READ);
  });
});

test('a clock that is set back takes back no invalidation', async () => {
  await inOneMinute(async (minute) => {
    const read = reader();
    await read();
    await invalidate(tweetId, new Date(minute));
    await invalidate('1001', new Date(minute + MINUTE_MS));
    await invalidate('1002', new Date(minute));
    expect(await read()).toEqual({ first: true, second: false });
  });
});

test('a tweet that an import has changed is read again', async () => {
  const both = (content: string) => [tweet(first, '1', 0), tweet(tweetId, '2', 1, { content })];
  await near.store(both('before'));
  await near.database.run('TRUNCATE tweet_invalidations');
  const read = reader();
  await read();
  expect(await read()).toEqual({ first: true, second: true });
  await near.store(both('after'));
  expect(await read()).toEqual({ first: true, second: false });
});

test('an import invalidates a tweet if it changes anything that is shown, and only then', async () => {
  const whole = {
    content: 'whole',
    language: 'en',
    location: { latitude: 1, longitude: 2, country: 'Peru' },
    hashtags: ['one', 'two'],
    mentions: ['user2'],
    inReplyToId: first,
    quotedTweetId: first,
  };
  const changes: Partial<TweetRecord>[] = [
    { content: 'other' },
    { language: 'de' },
    { location: { latitude: 1, longitude: 2, country: 'Chile' } },
    { location: { latitude: 1, longitude: 3, country: 'Chile' } },
    { location: { latitude: 1, longitude: 3 } },
    { hashtags: ['one'] },
    { hashtags: [] },
    { mentions: [] },
    { quotedTweetId: tweetId },
    { createdAt: new Date(Date.UTC(2026, 0, 9)) },
  ];
  let stored: Partial<TweetRecord> = whole;
  await near.store([tweet('450', '4', 7, stored)]);
  for (const change of changes) {
    await near.database.run('TRUNCATE tweet_invalidations');
    await near.store([tweet('450', '4', 7, stored)]);
    expect((await invalidations()).ids).toEqual([]);
    stored = { ...stored, ...change };
    await near.store([tweet('450', '4', 7, stored)]);
    expect({
      change,
      invalidated: new Set((await invalidations(/^450$/)).ids),
    }).toEqual({
      change,
      invalidated: new Set(['450']),
    });
  }
});

test('an import that changes many tweets invalidates these, in few rows', async () => {
  await inOneMinute(async () => {
    const many = (content: string) =>
      Array.from({ length: 2 * TWEETS_PER_ROW }, (_, n) => tweet(String(7000 + n), '3', 5, { content }));
    await near.store(many('before'));
    await near.store(many('after'));
    const { rows, ids } = await invalidations(/^7[0-9]{3}$/);
    expect(new Set(ids)).toEqual(new Set(many('').map((record) => record.tweetId)));
    expect(rows).toBeLessThanOrEqual(4);
    const read = reader();
    await read();
    expect((await read()).first).toBe(true);
  });
});

test('while the invalidations cannot be read, the tweets are', async () => {
  const read = reader({
    ...near.database,
    read: (cql, ...rest) =>
      cql.includes('tweet_invalidations')
        ? Promise.reject(new Error('unavailable'))
        : near.database.read(cql, ...rest),
  });
  await read();
  expect(await read()).toEqual({ first: false, second: false });
});

test('a deletion invalidates before it removes anything, and not the shares that it takes along', async () => {
  const shareOf = { sharedTweetId: '411' };
  await near.store([tweet('411', '7', 31), tweet('412', '8', 32, shareOf), tweet('413', '5', 33, shareOf)]);
  const done: string[] = [];
  const database: Database = {
    ...near.database,
    write(cql, ...rest) {
      if (cql.includes('tweet_invalidations')) done.push('invalidated');
      return near.database.write(cql, ...rest);
    },
    batch(...rest) {
      done.push('removed');
      return near.database.batch(...rest);
    },
  };
  const writeServices = { ...near.writeServices, database };
  await deleteTweet(writeServices, '8', '412');
  expect(done[0]).toBe('invalidated');
  expect(done).toContain('removed');
  done.length = 0;
  await deleteTweet(writeServices, '7', '411');
  expect(done[0]).toBe('invalidated');
  expect(done).toContain('removed');
  await near.writeServices.outbox.idle();
  expect((await invalidations(/^41[0-9]$/)).ids).toEqual(['411', '412']);
});

test('an invalidation is written again until it is not needed', async () => {
  jest.useFakeTimers({ doNotFake: ['Date', 'setTimeout', 'setImmediate', 'nextTick', 'performance'] });
  try {
    let isNeeded = true;
    let asked = 0;
    await keepInvalidating(near.writeServices, '421', () => {
      asked++;
      return Promise.resolve(isNeeded);
    });
    for (let n = 0; n < 2; n++) {
      await near.database.run('TRUNCATE tweet_invalidations');
      jest.advanceTimersByTime(RENEWED_EVERY_MS);
      await until(async () => (await invalidations()).rows === 1);
    }
    isNeeded = false;
    await near.database.run('TRUNCATE tweet_invalidations');
    jest.advanceTimersByTime(5 * RENEWED_EVERY_MS);
    await sleep(100);
    expect((await invalidations()).rows).toBe(0);
    const before = asked;
    jest.advanceTimersByTime(5 * RENEWED_EVERY_MS);
    expect(asked).toBe(before);
  } finally {
    jest.useRealTimers();
  }
});

test('a deletion whose task could not be stored is no longer invalidated when it is done all the same', async () => {
  await near.store([tweet('431', '7')]);
  jest.useFakeTimers({ doNotFake: ['Date', 'setTimeout', 'setImmediate', 'nextTick', 'performance'] });
  try {
    const outbox = { ...near.writeServices.outbox, enqueue: () => Promise.reject(new Error('no answer')) };
    await expect(deleteTweet({ ...near.writeServices, outbox }, '7', '431')).rejects.toThrow('no answer');
    await near.writeServices.outbox.idle();
    expect(await createLoad(near.database)(tweets.get, { tweetId: '431' })).toBeNull();
    await near.database.run('TRUNCATE tweet_invalidations');
    jest.advanceTimersByTime(5 * RENEWED_EVERY_MS);
    await sleep(500);
    expect((await invalidations()).rows).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});

test('a tweet that was deleted through one server is soon not found through another, although that has kept it', async () => {
  await near.store([tweet('401', '6', 30, { content: 'ephemeral' })]);
  const source = '{ searchTweets(words: ["ephemeral"], order: NEWEST) { nodes { tweetId } } }';
  const look = async () => {
    const answer = await far.query(source, {}, null);
    expect(answer.errors).toEqual([]);
    const { nodes } = (answer.data as { searchTweets: { nodes: { tweetId: string }[] } }).searchTweets;
    return { ids: nodes.map(({ tweetId: id }) => id), kept: keptIn(answer), reads: answer.reads };
  };
  await until(async () => (await look()).ids.length === 1);
  // It is kept, and so old that the deletions are looked at.
  await until(async () => {
    const { kept, reads } = await look();
    return 'tweets.get' in kept && reads.some(({ table }) => table === 'tweet_invalidations');
  });
  await act(near, '6', 'deleteTweet', { id: encodeNodeId('Tweet', '401') });
  await until(async () => (await look()).ids.length === 0);
});
