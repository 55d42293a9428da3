import type { Database } from '../src/kit/cassandra/database';
import { encodeNodeId } from '../src/kit/relay/node';
import { writeOf } from '../src/kit/data/write';
import { deleteHandler, deleteTweet } from '../src/write/tweet/delete-tweet';
import { sharesByTweet } from '../src/tweet/tweet.table';
import type { WriteContext } from '../src/write/write-context';
import { person, startHarness, tweet, type Harness } from './harness';
import { ask } from './mutations';

const SHARES = 250;
let server: Harness;
let stories = 0;
beforeAll(async () => {
  server = await startHarness();
});
afterAll(() => server.close());

/**
 * Stores a tweet with the rows of many shares; resolves to its id. The shares have the ids behind it, the newest first in their
 * list. They are not there as tweets: to delete each of those takes longer, and comes to the same rows.
 */
async function shared(): Promise<string> {
  const original = ++stories * 10_000;
  const sharedTweetId = String(original);
  await server.store([person(sharedTweetId, `author${original}`), tweet(sharedTweetId, sharedTweetId)]);
  const bulk = server.writeContext.bulk();
  for (let n = 1; n <= SHARES; n++)
    await bulk.put(writeOf(sharesByTweet, { sharedTweetId, tweetId: String(original + n), authorId: '1' }));
  await bulk.flush();
  return sharedTweetId;
}

/** What begins pages of shares while a server works: the id after which each is read, null for one at the head. */
function watched(): { writeContext: WriteContext; pages: (string | null)[] } {
  const pages: (string | null)[] = [];
  const database: Database = {
    ...server.database,
    read(cql, params, routingKey) {
      if (/FROM shares_by_tweet/.test(cql)) pages.push(/ < /.test(cql) ? String(params.at(-2)) : null);
      return server.database.read(cql, params, routingKey);
    },
  };
  return { writeContext: { ...server.writeContext, database }, pages };
}

async function expectGone(original: string): Promise<void> {
  const rows = await server.database.run(
    'SELECT tweet_id FROM shares_by_tweet WHERE shared_tweet_id = ? ALLOW FILTERING',
    [original],
  );
  expect(rows).toEqual([]);
  expect(await ask(server, `{ node(id: "${encodeNodeId('Tweet', original)}") { id } }`)).toEqual({
    node: null,
  });
}

test('the shares of a deleted tweet are taken away page after page, never from the head again', async () => {
  const original = await shared();
  const { writeContext, pages } = watched();
  await deleteTweet(writeContext, original, original);
  await server.writeContext.outbox.idle();
  const last = (n: number) => String(Number(original) + 1 + SHARES - 100 * n);
  expect(pages).toEqual([null, last(1), last(2)]);
  await expectGone(original);
});

test('a server that goes on with a deletion begins behind the shares that another one took away', async () => {
  const original = await shared();
  const payload = {
    tweetId: original,
    authorId: original,
    createdAt: '2026-01-01T00:00:00.000Z',
    imported: 'yes',
  };
  const task = { createdAt: new Date() };
  let progress: string | null = null;
  const cutOff = deleteHandler(server.writeContext)(payload, {
    ...task,
    progress,
    checkpoint(told) {
      progress = told;
      return Promise.reject(new Error('cut off'));
    },
  });
  await expect(cutOff).rejects.toThrow('cut off');
  expect(progress).not.toBeNull();
  const { writeContext, pages } = watched();
  await deleteHandler(writeContext)(payload, { ...task, progress, checkpoint: () => Promise.resolve() });
  expect(pages[0]).toBe(String(Number(original) + 1 + SHARES - 100));
  expect(pages).not.toContain(null);
  await server.writeContext.outbox.idle();
  await expectGone(original);
});
