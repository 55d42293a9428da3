import { createLoad } from '../../src/kit/data/load';
import { createReadCache } from '../../src/kit/data/read-cache';
import { encodeNodeId } from '../../src/kit/relay/node';
import { MAX_DELETIONS_READ } from '../../src/tweet/recent-deletions.table';
import { deletionMarkOf } from '../../src/write/tweet/mark-deletion';
import { shownTweetCounts, shownTweets } from '../../src/tweet/tweet.table';
import { tweet } from '../harness';
import { act } from '../mutations';
import { far, keptIn, near, TWEETS, until } from './network';

const [tweetId = ''] = TWEETS;

/** Reads a tweet and its counts as requests do, of which each has a `load`, from a cache that keeps other results for an instant only. */
function reader() {
  const cache = createReadCache(1e-9);
  return async () => {
    const load = createLoad(near.database, undefined, undefined, {
      cache,
      mayUse: () => Promise.resolve(true),
    });
    const before = cache.counts().hits;
    const found = await load(shownTweets, { tweetId });
    await load(shownTweetCounts, { tweetId });
    // This time the request knows what has changed.
    expect(await load(shownTweets, { tweetId })).toEqual(found);
    return { found: found?.tweetId, hits: cache.counts().hits - before };
  };
}

const mark = async (marked: string) => {
  const { query, params } = deletionMarkOf(marked);
  await near.database.write(query, params);
};

beforeEach(async () => {
  await near.database.run('TRUNCATE recent_deletions', []);
});

test('a tweet is kept for longer than its counts, but not once it is marked as deleted', async () => {
  const read = reader();
  expect(await read()).toEqual({ found: tweetId, hits: 0 });
  expect(await read()).toEqual({ found: tweetId, hits: 1 });
  await mark('999');
  expect(await read()).toEqual({ found: tweetId, hits: 1 });
  await mark(tweetId);
  expect(await read()).toEqual({ found: tweetId, hits: 0 });
});

test('nothing is kept for longer while more tweets are deleted than are looked at', async () => {
  const read = reader();
  await read();
  for (let n = 0; n < MAX_DELETIONS_READ; n++) await mark(String(n + 1));
  expect(await read()).toEqual({ found: tweetId, hits: 0 });
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
    return 'tweets.get' in kept && reads.some(({ table }) => table === 'recent_deletions');
  });
  await act(near, '6', 'deleteTweet', { id: encodeNodeId('Tweet', '401') });
  await until(async () => (await look()).ids.length === 0);
}, 40_000);
