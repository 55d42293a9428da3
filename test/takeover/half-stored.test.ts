import { badInput } from '../../src/kit/base/errors';
import type { Database, Write } from '../../src/kit/cassandra/database';
import { readMany } from '../../src/kit/reads/load';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { setShared } from '../../src/write/share/set-shared';
import { type Draft, postTweet } from '../../src/write/tweet/post-tweet';
import type { WriteServices } from '../../src/write/write-services';
import { rawTweets, tweets } from '../../src/features/tweet/tweet.table';
import { deleteTweet } from '../../src/write/tweet/delete-tweet';
import { act, plain, post } from '../support/mutations';
import { settled } from '../support/settled';
import { leave, server } from './leaving';

/** The tables that index tweets by their content. */
const INDEXES = ['tweets_by_minute', 'tweets_by_area', 'hashtags_by_hour'];

/** What a server writes with that dies when only the rows that index tweets by their content are stored. */
function onlyIndexes(writeServices: WriteServices): WriteServices {
  const bulk = () => {
    const writer = writeServices.bulk();
    return {
      ...writer,
      put: async (write: Write) => {
        if (INDEXES.some((name) => write.query.startsWith(`INSERT INTO ${name} `))) await writer.put(write);
      },
      flush: () => writer.flush().then(() => Promise.reject(new Error('cut off'))),
    };
  };
  return { ...writeServices, bulk };
}

/** The indexes that have a tweet. */
async function indexesOf(tweetId: string): Promise<string[]> {
  const indexes = await Promise.all(
    INDEXES.map(async (name) => {
      const rows = await server.database.read(
        `SELECT CAST(tweet_id AS text) AS id, created_at AS at FROM ${name}`,
        [],
      );
      // A removed use of a hashtag is a row that says so.
      const isStored = (row: object) =>
        Reflect.get(row, 'id') === tweetId && Number(Reflect.get(row, 'at')) !== 0;
      return rows.some(isStored) ? [name] : [];
    }),
  );
  return indexes.flat();
}

/** The id of the tweet of the only task `postTweet`. */
async function postedId(): Promise<string> {
  const [task] = await server.writeServices.outbox.pendingOf(['post']);
  return (JSON.parse(task?.payload ?? '{}') as { tweetId: string }).tweetId;
}

test('of a tweet that its author could not post again no row stays that its server had stored', async () => {
  const location = { latitude: 52.5, longitude: 13.4, country: null };
  const posting = (draft: () => Promise<Draft>) => ({
    key: 'refused',
    content: null,
    inReplyToId: null,
    quotedTweetId: null,
    draft,
  });
  const draft = () => Promise.resolve({ ...plain, content: 'in indexes', hashtags: ['indexed'], location });
  let tweetId = '';
  await leave(async (writeServices) => {
    await expect(postTweet(onlyIndexes(writeServices), '1', posting(draft))).rejects.toThrow();
    tweetId = await postedId();
    expect(await indexesOf(tweetId)).toEqual(INDEXES);
    const refuse = () => Promise.reject(badInput('refused'));
    await expect(postTweet(writeServices, '1', posting(refuse))).rejects.toThrow('refused');
  });
  await settled(server);
  expect(await indexesOf(tweetId)).toEqual([]);
});

test('of a share that was taken back no row stays that its server had stored', async () => {
  const target = await post(server, '3', { content: 'shared in an index' });
  await settled(server);
  let shareId = '';
  await leave(async (writeServices) => {
    const [original] = await readMany(writeServices.database, tweets.get, [{ tweetId: target.tweetId }]);
    if (!original) throw new Error('the original must be stored');
    await expect(setShared(onlyIndexes(writeServices), original, '1', true)).rejects.toThrow();
    shareId = await postedId();
  });
  expect(await indexesOf(shareId)).toEqual(['tweets_by_minute']);
  await act(server, '1', 'unshareTweet', { id: encodeNodeId('Tweet', target.tweetId) });
  await settled(server);
  expect(await indexesOf(shareId)).toEqual([]);
});

test('a tweet that another deletion removes between two looks, and does not uncount, is counted no more', async () => {
  const { tweetId } = await post(server, '1', { content: 'deleted twice' });
  await settled(server);
  const countOf1 = async () => {
    const { data } = await server.query('{ user(username: "user1") { tweetCount } }');
    return (data as { user: { tweetCount: number } }).user.tweetCount;
  };
  const before = await countOf1();
  await leave(async (dying) => {
    let isOvertaken = false;
    const between: Database = {
      ...server.database,
      async read(cql, ...rest) {
        if (!isOvertaken && cql.includes(` FROM ${rawTweets.name} `)) {
          isOvertaken = true;
          const tally = { ...dying.tally, change: () => Promise.reject(new Error('cut off')) };
          await expect(deleteTweet({ ...dying, tally }, '1', tweetId)).rejects.toThrow('cut off');
        }
        return server.database.read(cql, ...rest);
      },
    };
    await deleteTweet({ ...server.writeServices, database: between }, '1', tweetId);
    expect(isOvertaken).toBe(true);
    expect(await countOf1()).toBe(before - 1);
  });
});
