import { magnitudeOf } from '../../src/kit/base/magnitude';
import { readMany } from '../../src/kit/reads/load';
import { writeOf } from '../../src/kit/cassandra/write';
import { tweetCounts, tweets } from '../../src/features/tweet/tweet.table';
import { setLiked } from '../../src/write/like/set-liked';
import { buildTopTweetRows } from '../../src/write/tweet/top-rows';
import type { WriteServices } from '../../src/write/write-services';
import { person, startHarness, tweet, type Harness } from '../harness';

const TWEET_ID = '100';
const IMPORTED_LIKES = 7;

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'user1'), person('2', 'user2'), tweet(TWEET_ID, '1', 1)]);
});
afterAll(() => server.close());

test('a tweet whose likes an import counts during a like is listed by the likes of both', async () => {
  const { writeServices, database } = server;
  const [row] = await readMany(database, tweets.get, [{ tweetId: TWEET_ID }]);
  if (!row) throw new Error('the tweet must be stored');
  /** What an import writes that has not seen the like. */
  const writes = [
    ...buildTopTweetRows(row, magnitudeOf(IMPORTED_LIKES)),
    writeOf(tweetCounts, { tweetId: TWEET_ID, importedLikes: IMPORTED_LIKES }),
  ];
  const outbox: WriteServices['outbox'] = {
    ...writeServices.outbox,
    enqueueAndRun: (kind, payload, work, followUp) => {
      const thenImport = async () => {
        const result = await work();
        for (const { query, params } of writes) await database.write(query, params);
        return result;
      };
      return writeServices.outbox.enqueueAndRun(kind, payload, thenImport, followUp);
    },
  };
  expect(magnitudeOf(IMPORTED_LIKES + 1)).toBeGreaterThan(magnitudeOf(IMPORTED_LIKES));
  await setLiked({ ...writeServices, outbox }, row, '2', true);
  await writeServices.outbox.idle();
  const listed = await database.read('SELECT magnitude FROM top_tweets_by_author WHERE author_id = ?', [
    row.authorId,
  ]);
  expect(listed).toContainEqual({ magnitude: magnitudeOf(IMPORTED_LIKES + 1) });
});
