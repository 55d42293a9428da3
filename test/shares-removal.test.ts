import type { Database } from '../src/kit/cassandra/database';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { writeOf } from '../src/kit/cassandra/write';
import { deleteHandler, deleteTweet } from '../src/write/tweet/delete-tweet';
import { MAX_INVALIDATIONS_READ, TWEETS_PER_ROW } from '../src/features/tweet/tweet.table';
import { invalidateTweets } from '../src/write/tweet/invalidate-tweet';
import { sharesByTweet } from '../src/features/tweet/tweet.lists';
import type { WriteServices } from '../src/write/write-services';
import { person, startHarness, tweet, type Harness } from './support/harness';
import { ask } from './support/mutations';
import { taskRun } from './support/task-run';

const SHARES = 250;
let server: Harness;
let stories = 0;
beforeAll(async () => {
  server = await startHarness();
});
afterAll(() => server.close());

/**
 * Stores a tweet with the rows of many shares; resolves to its id. The shares have the ids after it. They are not stored as
 * tweets, because deleting each of these takes longer and leaves the same rows.
 */
async function shared(): Promise<string> {
  const original = ++stories * 10_000;
  const sharedTweetId = String(original);
  await server.store([person(sharedTweetId, `author${original}`), tweet(sharedTweetId, sharedTweetId)]);
  const bulk = server.writeServices.bulk();
  for (let n = 1; n <= SHARES; n++)
    await bulk.put(writeOf(sharesByTweet, { sharedTweetId, tweetId: String(original + n), authorId: '1' }));
  await bulk.flush();
  return sharedTweetId;
}

/** What begins pages of shares while a server works: the id after which each is read, null for one at the head. */
function watched(): { writeServices: WriteServices; pages: (string | null)[] } {
  const pages: (string | null)[] = [];
  const database: Database = {
    ...server.database,
    read(cql, params, routingKey) {
      if (/FROM shares_by_tweet/.test(cql)) pages.push(/ < /.test(cql) ? String(params.at(-2)) : null);
      return server.database.read(cql, params, routingKey);
    },
  };
  return { writeServices: { ...server.writeServices, database }, pages };
}

async function expectGone(original: string): Promise<void> {
  const rows = await server.database.run(
    'SELECT tweet_id FROM shares_by_tweet WHERE shared_tweet_id = ? ALLOW FILTERING',
    [original],
  );
  // A split list keeps a row that only says so.
  expect(rows.filter((row) => row['tweet_id'] !== null)).toEqual([]);
  expect(await ask(server, `{ node(id: "${encodeNodeId('Tweet', original)}") { id } }`)).toEqual({
    node: null,
  });
}

test('the shares of a deleted tweet are taken away page after page, never from the head again', async () => {
  const original = await shared();
  const { writeServices, pages } = watched();
  await deleteTweet(writeServices, original, original);
  await server.writeServices.outbox.idle();
  const last = (n: number) => String(Number(original) + 1 + SHARES - 100 * n);
  expect(pages).toEqual([null, last(1), last(2)]);
  await expectGone(original);
});

test('a server that continues a deletion begins after the shares that another one removed', async () => {
  const original = await shared();
  const payload = {
    tweetId: original,
    authorId: original,
    createdAt: '2026-01-01T00:00:00.000Z',
    imported: 'yes',
  };
  let progress: string | null = null;
  const checkpoint = (told: string) => {
    progress = told;
    return Promise.reject(new Error('cut off'));
  };
  const cutOff = deleteHandler(server.writeServices)(payload, taskRun({ saveCheckpoint: checkpoint }));
  await expect(cutOff).rejects.toThrow('cut off');
  expect(progress).not.toBeNull();
  const { writeServices, pages } = watched();
  await deleteHandler(writeServices)(payload, taskRun({ checkpoint: progress }));
  expect(pages[0]).toBe(String(Number(original) + 1 + SHARES - 100));
  expect(pages).not.toContain(null);
  await server.writeServices.outbox.idle();
  await expectGone(original);
});

describe('while shares of a deleted tweet are still stored', () => {
  const original = '9000001';
  const share = '9000002';
  let isCutOff = true;
  const listed = async () => {
    const source = `{ user(username: "sharer") { tweets { nodes { tweetId } } } tweet(tweetId: "${share}") { id } }`;
    const { user, tweet: byId } = (await ask(server, source)) as {
      user: { tweets: { nodes: { tweetId: string }[] } };
      tweet: object | null;
    };
    return [...user.tweets.nodes.map(({ tweetId }) => tweetId), ...(byId ? ['by id'] : [])];
  };

  beforeAll(async () => {
    await server.store([
      person('9000001', 'author'),
      person('9000002', 'sharer'),
      tweet(original, '9000001'),
      tweet(share, '9000002', 1, { sharedTweetId: original }),
    ]);
    expect(await listed()).toEqual([share, 'by id']);
    // A server that cannot remove the shares for a while.
    const database: Database = {
      ...server.database,
      read: (cql, params, routingKey) =>
        isCutOff && /FROM shares_by_tweet/.test(cql)
          ? Promise.reject(new Error('cut off'))
          : server.database.read(cql, params, routingKey),
    };
    await deleteTweet({ ...server.writeServices, database }, '9000001', original);
  });

  test('no list and no id shows them', async () => {
    expect(await listed()).toEqual([]);
  });

  test('nor do they if very many tweets are being deleted', async () => {
    await server.database.run('TRUNCATE tweet_invalidations', []);
    expect(await listed()).toEqual([share]);
    const at = new Date();
    const many = Array.from({ length: MAX_INVALIDATIONS_READ * TWEETS_PER_ROW }, (_, n) => String(n + 1));
    await invalidateTweets(server.database, many, at);
    expect(await listed()).toEqual([]);
  });

  test('they are removed as soon as that is possible', async () => {
    isCutOff = false;
    await server.writeServices.outbox.idle();
    await server.database.run('TRUNCATE tweet_invalidations', []);
    expect(await listed()).toEqual([]);
  });

  test('an import does not bring other shares of the tweet', async () => {
    await server.store([tweet('9000003', '9000001', 1, { sharedTweetId: original })]);
    expect(await ask(server, '{ tweet(tweetId: "9000003") { id } }')).toEqual({ tweet: null });
  });
});
